package dev.sandbox.app.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import org.yaml.snakeyaml.LoaderOptions;

/** Reads policies from files. Nothing is read beyond 1 MiB: a policy is written by people. */
public final class PolicyFile {
    private static final int LARGEST = 1 << 20;
    private static final String POLICY = "--policy";
    private static final String CONFIG = "--config";

    private PolicyFile() {}

    /**
     * Reads a policy, YAML or JSON.
     *
     * @throws PolicyInvalidException when it cannot be read or is no policy
     */
    public static SandboxPolicy read(Path file, AbsolutePath defaultBase) {
        try {
            SandboxPolicy policy = parse(content(file, POLICY), POLICY, file, defaultBase);
            return SandboxPolicy.builder()
                    .from(policy)
                    .policyFile(AbsolutePath.of(file.toRealPath().toString()))
                    .build();
        } catch (IOException e) {
            throw new PolicyInvalidException(
                    POLICY, "\"" + file + "\" " + reason(e), "name a readable YAML or JSON file");
        }
    }

    /**
     * Reads a staged policy and unlinks it before anything else happens, unless it is to be kept.
     *
     * @throws SandboxUnavailableException when there is none, in the words of the contract
     */
    public static SandboxPolicy consume(Path file, AbsolutePath defaultBase, Consumption consumption) {
        byte[] content;
        try {
            content = content(file, CONFIG);
            if (consumption == Consumption.UNLINK) {
                Files.delete(file);
            }
        } catch (IOException e) {
            String reason = e instanceof NoSuchFileException ? "no such file" : reason(e);
            throw new SandboxUnavailableException(
                    "",
                    "read policy " + file + ": " + reason + " (a --config policy is consumed by the run that reads it)",
                    "");
        }
        return parse(content, CONFIG, file, defaultBase);
    }

    /** Where the entries of a policy stand in its file; nowhere when it is no document. */
    public static DocumentPlaces places(Path file) {
        try {
            String text = text(content(file, POLICY));
            try (JsonParser parser = mapper(file, text).createParser(text)) {
                return DocumentPlaces.read(parser);
            }
        } catch (IOException | PolicyInvalidException told) {
            return DocumentPlaces.none();
        }
    }

    /** What becomes of a staged policy. */
    public enum Consumption {
        UNLINK,
        KEEP
    }

    private static byte[] content(Path file, String flag) throws IOException {
        if (Files.isDirectory(file)) {
            throw new PolicyInvalidException(flag, "\"" + file + "\" is a directory", "name the policy file in it");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new PolicyInvalidException(
                    flag, "\"" + file + "\" is not a regular file", "name a YAML or JSON file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(LARGEST + 1);
            if (content.length > LARGEST) {
                throw new PolicyInvalidException(
                        flag, "\"" + file + "\" is larger than 1 MiB", "a policy is a few lines");
            }
            return content;
        }
    }

    private static SandboxPolicy parse(byte[] content, String flag, Path file, AbsolutePath defaultBase) {
        try {
            String text = text(content);
            JsonNode document = mapper(file, text).readTree(text);
            return PolicyParser.parse(document, defaultBase, CallersPaths.of(System.getenv()));
        } catch (CharacterCodingException e) {
            throw new PolicyInvalidException(flag, "\"" + file + "\" is not UTF-8", "save it as UTF-8");
        } catch (JsonProcessingException e) {
            throw new PolicyInvalidException(flag, "\"" + file + "\" cannot be parsed" + DocumentProblem.of(e), "");
        }
    }

    private static String text(byte[] content) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(content))
                .toString();
    }

    private static ObjectMapper mapper(Path file, String text) {
        boolean json = file.toString().toLowerCase(Locale.ROOT).endsWith(".json")
                || text.stripLeading().startsWith("{");
        return json ? json() : yaml();
    }

    private static ObjectMapper json() {
        return JsonMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    /** Aliases are bounded: a small file must not grow into gigabytes. */
    private static ObjectMapper yaml() {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(50);
        options.setAllowDuplicateKeys(false);
        options.setCodePointLimit(LARGEST);
        return YAMLMapper.builder(YAMLFactory.builder().loaderOptions(options).build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "does not exist";
        }
        if (e instanceof AccessDeniedException) {
            return "cannot be read: permission denied";
        }
        return "cannot be read: "
                + (e instanceof FileSystemException f && f.getReason() != null ? f.getReason() : e.getMessage());
    }
}
