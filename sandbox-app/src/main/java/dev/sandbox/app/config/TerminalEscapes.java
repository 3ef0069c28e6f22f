package dev.sandbox.app.config;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/**
 * JSON that is safe to look at in a terminal: DEL, the control characters of ISO 6429 from U+0080 to U+009F, and what turns the
 * direction of writing round, are escaped as those below U+0020 are. JSON itself allows them as they are.
 */
final class TerminalEscapes extends CharacterEscapes {
    private static final long serialVersionUID = 1;

    private static final int DELETE = 0x7f;
    private static final int LAST_CONTROL = 0x9f;

    private final int[] ascii;

    private TerminalEscapes() {
        ascii = standardAsciiEscapesForJSON();
        ascii[DELETE] = ESCAPE_STANDARD;
    }

    static ObjectMapper escaping(ObjectMapper mapper) {
        mapper.getFactory().setCharacterEscapes(new TerminalEscapes());
        return mapper;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
        return ascii.clone();
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
        boolean control = character >= DELETE && character <= LAST_CONTROL;
        boolean direction =
                (character >= 0x202a && character <= 0x202e) || (character >= 0x2066 && character <= 0x2069);
        return control || direction ? new SerializedString(String.format("\\u%04x", character)) : null;
    }
}
