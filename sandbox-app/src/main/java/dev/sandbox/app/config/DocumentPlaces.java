package dev.sandbox.app.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Where the keys and entries of a document stand, as {@code LINE:COLUMN} from 1. Immutable. */
public final class DocumentPlaces {
    private static final DocumentPlaces NONE = new DocumentPlaces(Map.of());

    private final Map<String, String> places;

    private DocumentPlaces(Map<String, String> places) {
        this.places = Map.copyOf(places);
    }

    /** Of what cannot be read: nothing stands anywhere. */
    static DocumentPlaces none() {
        return NONE;
    }

    /** Reads a document; each entry goes by the name that problems have, such as {@code limits.timeout} or {@code read_paths[1]}. */
    static DocumentPlaces read(JsonParser parser) throws IOException {
        Map<String, String> places = new HashMap<>();
        if (parser.nextToken() == JsonToken.START_OBJECT) {
            object(parser, "", places);
        }
        return new DocumentPlaces(places);
    }

    private static void object(JsonParser parser, String path, Map<String, String> places) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = (path.isEmpty() ? "" : path + ".") + parser.currentName();
            places.put(key, place(parser));
            parser.nextToken();
            value(parser, key, places);
        }
    }

    private static void array(JsonParser parser, String path, Map<String, String> places) throws IOException {
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            String entry = path + "[" + i + "]";
            places.put(entry, place(parser));
            value(parser, entry, places);
        }
    }

    private static void value(JsonParser parser, String path, Map<String, String> places) throws IOException {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            object(parser, path, places);
        } else if (parser.currentToken() == JsonToken.START_ARRAY) {
            array(parser, path, places);
        }
    }

    private static String place(JsonParser parser) {
        JsonLocation at = parser.currentTokenLocation();
        return at.getLineNr() + ":" + at.getColumnNr();
    }

    /** The place of an entry, or of the nearest one that it is a part of. */
    public Optional<String> of(String where) {
        String name = where;
        while (!name.isEmpty()) {
            String place = places.get(name);
            if (place != null) {
                return Optional.of(place);
            }
            name = name.substring(0, Math.max(0, Math.max(name.lastIndexOf('.'), name.lastIndexOf('['))));
        }
        return Optional.empty();
    }
}
