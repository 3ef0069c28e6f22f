package dev.sandbox.domain.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.environment.PackageSettings.Tool;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackageSettingsTest {
    private static final String TOKEN = "s3cr3tTokenOf40Characters0123456789abcdef";

    private static PackageSettings of(Tool tool, String text) {
        return PackageSettings.of(Map.of(tool, text), path -> path.startsWith("/etc/"));
    }

    @Test
    void pipsIndexesProxyAndCaAreVariables() {
        PackageSettings pip = of(Tool.PIP, """
                [global]
                index-url = https://mirror.corp.example/simple/
                extra-index-url =
                  https://a.example/s
                  https://b.example:8443/s
                trusted-host = mirror.corp.example
                proxy = proxy.example:3128
                cert = /etc/ssl/corp.pem
                [list]
                format = columns
                """);
        assertThat(pip.variables())
                .containsOnly(
                        Map.entry("PIP_INDEX_URL", "https://mirror.corp.example/simple/"),
                        Map.entry("PIP_EXTRA_INDEX_URL", "https://a.example/s https://b.example:8443/s"),
                        Map.entry("PIP_TRUSTED_HOST", "mirror.corp.example"),
                        Map.entry("PIP_PROXY", "proxy.example:3128"),
                        Map.entry("PIP_CERT", "/etc/ssl/corp.pem"));
        assertThat(pip.left()).isEmpty();
    }

    @Test
    void npmsRegistriesAreVariablesAndItsTokensAreNot() {
        PackageSettings npm = of(
                Tool.NPM,
                "registry=https://npm.corp.example/\n@corp:registry=https://npm.corp.example/corp/\n"
                        + "//npm.corp.example/:_authToken=" + TOKEN + "\n_auth=" + TOKEN + "\n_password=" + TOKEN
                        + "\nemail=me@corp.example\nhttps-proxy=http://proxy.example:3128\n");
        assertThat(npm.variables())
                .containsOnly(
                        Map.entry("npm_config_registry", "https://npm.corp.example/"),
                        Map.entry("npm_config_@corp:registry", "https://npm.corp.example/corp/"),
                        Map.entry("npm_config_https_proxy", "http://proxy.example:3128"));
    }

    @Test
    void mavensMirrorsAreAFileWithoutServers() {
        PackageSettings maven = of(
                Tool.MAVEN,
                "<settings><servers><server><id>m</id><password>" + TOKEN + "</password></server></servers>"
                        + "<!-- <mirror><url>https://old.example</url></mirror> --><mirrors><mirror>\n<id>m</id>"
                        + "<mirrorOf>*,!local</mirrorOf><url>https://maven.corp.example/all</url></mirror></mirrors>"
                        + "<proxies><proxy><host>p.example</host><port>3128</port><username>u</username>"
                        + "<password>" + TOKEN + "</password></proxy></proxies></settings>");
        assertThat(maven.home())
                .containsOnly(
                        Map.entry(
                                ".m2/settings.xml",
                                "<settings><mirrors><mirror><id>m</id><mirrorOf>*,!local</mirrorOf>"
                                        + "<url>https://maven.corp.example/all</url></mirror></mirrors><proxies></proxies></settings>\n"));
        assertThat(maven.left()).containsExactly("maven");
    }

    @Test
    void cargosSourcesAreAFileThatOpensNoTableTwice() {
        PackageSettings cargo = of(
                Tool.CARGO,
                "[source.crates-io]\nreplace-with = \"corp\"\n[source.corp]\nregistry = \"sparse+https://crates.example/index/\"\n"
                        + "[registry]\ntoken = \"" + TOKEN + "\"\n[registries.corp]\nindex = \"https://u:" + TOKEN
                        + "@crates.example/\"\ntoken = \"" + TOKEN + "\"\n[build]\nrustc-wrapper = \"/evil\"\n");
        assertThat(cargo.cargo()).isEqualTo("""
                        source.crates-io.replace-with = "corp"
                        source.corp.registry = "sparse+https://crates.example/index/"
                        """);
        assertThat(cargo.left()).containsExactly("cargo");
    }

    @Test
    void gitsAuthorIsAFileWithoutHelpersAndHeaders() {
        PackageSettings git = of(
                Tool.GIT,
                "[user]\n\tname = Ada Lovelace\n\temail = ada@corp.example\n\tsigningkey = " + TOKEN
                        + "\n[credential]\n\thelper = store\n[http]\n\textraHeader = Authorization: " + TOKEN
                        + "\n\tproxy = http://u:" + TOKEN + "@p.example\n[url \"https://" + TOKEN
                        + "@github.com/\"]\n\tinsteadOf = https://github.com/\n[core]\n\thooksPath = /evil\n");
        assertThat(git.home())
                .containsOnly(Map.entry(
                        ".gitconfig", "[user]\n\tname = \"Ada Lovelace\"\n[user]\n\temail = \"ada@corp.example\"\n"));
        assertThat(git.left()).containsExactly("git");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user:" + TOKEN + "@m.example/simple",
                "https://" + TOKEN + "@m.example/simple",
                "https://m.example/simple?token=" + TOKEN,
                "https://m.example/simple#" + TOKEN,
                "https://m.example/t/" + TOKEN + "/simple",
                "https://m.example/0f8fad5b-d9cb-469f-a165-70867728950e/simple",
                "https://" + TOKEN + ".m.example/simple",
                "https://m.example/${TOKEN}/simple",
                "https://m.example/%74oken/simple",
                "https://m.example\\@evil/",
                "https:/" + TOKEN,
                "ftp://m.example/" + TOKEN,
                "file:///etc/" + TOKEN,
                TOKEN
            })
    void anAddressThatMayHoldACredentialStaysBehindEverywhere(String address) {
        for (PackageSettings settings : new PackageSettings[] {
            of(Tool.PIP, "[global]\nindex-url = " + address + "\nproxy = " + address + "\ncert = " + address),
            of(Tool.NPM, "registry=" + address + "\n@a:registry = \"" + address + "\"\ncafile=" + address),
            of(Tool.MAVEN, "<mirror><id>a</id><mirrorOf>*</mirrorOf><url>" + address + "</url></mirror>"),
            of(Tool.CARGO, "[source.a]\nregistry = \"" + address + "\"\nreplace-with = \"" + address + "\""),
            of(Tool.GIT, "[http]\nproxy = " + address + "\n[user]\nname = " + address)
        }) {
            assertThat(settings.variables()).isEmpty();
            assertThat(settings.home()).isEmpty();
            assertThat(settings.cargo()).isEmpty();
            assertThat(settings.left()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://artifactory-prod-eu-west-1.corp.example/api/pypi/pypi-remote/simple",
        "http://10.0.0.1:8081/repository/npm-group/",
        "https://pkgs.example/org/_packaging/feed/pypi/simple/"
    })
    void usualMirrorsAreCarriedOver(String address) {
        assertThat(of(Tool.NPM, "registry=" + address).variables()).containsEntry("npm_config_registry", address);
    }

    @Test
    void aCaFileThatNoGrantCoversStaysBehind() {
        PackageSettings npm = of(Tool.NPM, "cafile=/home/user/ca.pem");
        assertThat(npm.variables()).isEmpty();
        assertThat(npm.left()).containsExactly("npm");
    }
}
