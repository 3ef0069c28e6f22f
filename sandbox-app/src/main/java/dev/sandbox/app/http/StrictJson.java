package dev.sandbox.app.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sandbox.app.config.DocumentProblem;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * JSON from strangers: UTF-8 without a fault, no key twice, nothing after the end, not deeper than anything here needs, and every
 * text one that UTF-8 can hold, so that it arrives as it was meant.
 */
final class StrictJson {
    private static final int DEEPEST = 20;
    private static final int LONGEST_NUMBER = 40;
    private static final int LONGEST_NAME = 4096;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxNumberLength(LONGEST_NUMBER)
                            .maxNameLength(LONGEST_NAME)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private StrictJson() {}

    /**
     * Reads a document.
     *
     * @throws Refusal 400, when it is none
     */
    static JsonNode read(byte[] body) {
        JsonNode document;
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            document = JSON.readTree(text);
        } catch (CharacterCodingException e) {
            throw Refusal.badRequest("the body is not UTF-8");
        } catch (JsonProcessingException e) {
            throw Refusal.badRequest("the body cannot be parsed" + DocumentProblem.of(e));
        }
        requireTexts(document);
        return document;
    }

    private static void requireTexts(JsonNode node) {
        if (node.isTextual()) {
            requireText(node.asText());
        }
        node.fieldNames().forEachRemaining(StrictJson::requireText);
        node.forEach(StrictJson::requireTexts);
    }

    private static void requireText(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw Refusal.badRequest("a text holds half of a surrogate pair, which is no character");
        }
    }
}
