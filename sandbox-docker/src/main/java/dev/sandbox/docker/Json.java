package dev.sandbox.docker;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON to and from Java's own maps, lists and scalars, by the streaming parser alone: data binding takes longer to load than to use. */
final class Json {
    private static final int DEEPEST = 100;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
            .build();

    private Json() {}

    static Answer parse(byte[] text) throws IOException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            return parser.nextToken() == null ? Answer.NOTHING : new Answer(value(parser));
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            case VALUE_NULL -> Answer.ABSENT;
            default -> parser.getText();
        };
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            members.put(name, value(parser));
        }
        return members;
    }

    private static List<Object> array(JsonParser parser) throws IOException {
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser));
        }
        return items;
    }

    static String text(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            write(value, generator);
        } catch (IOException e) {
            throw new IllegalStateException("a string takes what is written", e);
        }
        return text.toString();
    }

    private static void write(Object value, JsonGenerator to) throws IOException {
        if (value instanceof Map<?, ?> members) {
            to.writeStartObject();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                to.writeFieldName((String) member.getKey());
                write(member.getValue(), to);
            }
            to.writeEndObject();
        } else if (value instanceof Iterable<?> items) {
            to.writeStartArray();
            for (Object item : items) {
                write(item, to);
            }
            to.writeEndArray();
        } else if (value instanceof Number number) {
            to.writeNumber(number.longValue());
        } else if (value instanceof Boolean flag) {
            to.writeBoolean(flag);
        } else {
            to.writeString((String) value);
        }
    }
}
