package dev.sandbox.domain.environment;

import java.util.ArrayList;
import java.util.List;

/**
 * The mirrors and proxies of Maven's settings (maven.apache.org/settings.html). Servers, which hold passwords, profiles and whatever
 * has an entity or a CDATA section stay behind. Read without an XML parser: only plain texts between plain tags are taken.
 *
 * @param mirrors as XML, each checked
 * @param proxies as XML, each checked
 * @param left how many mirrors and proxies stay behind
 */
record MavenSettings(List<String> mirrors, List<String> proxies, int left) {
    static MavenSettings of(String written) {
        String text = withoutComments(written);
        List<String> mirrors = new ArrayList<>();
        List<String> proxies = new ArrayList<>();
        int left = 0;
        for (String mirror : elements(text, "mirror")) {
            String url = element(mirror, "url");
            String of = element(mirror, "mirrorOf");
            String id = element(mirror, "id");
            if (CarriedValue.isAddress(url) && CarriedValue.isWord(of) && CarriedValue.isWord(id)) {
                mirrors.add("<mirror>" + tag("id", id) + tag("mirrorOf", of) + tag("url", url) + "</mirror>");
            } else {
                left++;
            }
        }
        for (String proxy : elements(text, "proxy")) {
            String host = element(proxy, "host");
            String port = element(proxy, "port");
            boolean open = !proxy.contains("<username>") && !proxy.contains("<password>");
            if (open && CarriedValue.isHost(host) && CarriedValue.isHost(port)) {
                proxies.add("<proxy>" + tag("active", element(proxy, "active").equals("false") ? "false" : "true")
                        + tag("protocol", element(proxy, "protocol").equals("https") ? "https" : "http")
                        + tag("host", host) + tag("port", port) + notProxied(proxy) + "</proxy>");
            } else {
                left++;
            }
        }
        return new MavenSettings(List.copyOf(mirrors), List.copyOf(proxies), left);
    }

    boolean isEmpty() {
        return mirrors.isEmpty() && proxies.isEmpty();
    }

    String text() {
        return "<settings><mirrors>" + String.join("", mirrors) + "</mirrors><proxies>" + String.join("", proxies)
                + "</proxies></settings>\n";
    }

    private static String notProxied(String proxy) {
        String hosts = element(proxy, "nonProxyHosts");
        return CarriedValue.isWord(hosts) ? tag("nonProxyHosts", hosts) : "";
    }

    private static String tag(String name, String value) {
        return "<" + name + ">" + value + "</" + name + ">";
    }

    private static List<String> elements(String text, String name) {
        List<String> found = new ArrayList<>();
        int at = text.indexOf("<" + name + ">");
        while (at >= 0) {
            int from = at + name.length() + 2;
            int end = text.indexOf("</" + name + ">", from);
            if (end < 0) {
                return found;
            }
            found.add(text.substring(from, end));
            at = text.indexOf("<" + name + ">", end);
        }
        return found;
    }

    private static String element(String text, String name) {
        List<String> all = elements(text, name);
        return all.isEmpty() ? "" : all.get(0).strip();
    }

    private static String withoutComments(String text) {
        StringBuilder kept = new StringBuilder(text);
        int start = kept.indexOf("<!--");
        while (start >= 0) {
            int end = kept.indexOf("-->", start);
            kept.delete(start, end < 0 ? kept.length() : end + 3);
            start = kept.indexOf("<!--");
        }
        return kept.toString();
    }
}
