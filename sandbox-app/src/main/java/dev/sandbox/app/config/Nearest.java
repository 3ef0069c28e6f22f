package dev.sandbox.app.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** What a misspelt word probably was. */
public final class Nearest {
    /** Longer words are no slips of the pen, and the distance takes the product of both lengths. */
    private static final int LONGEST = 64;

    /** Two letters that changed places count as two slips. */
    private static final int SLIPS_OF_A_SHORT_WORD = 2;

    /** With more slips than this it is another word. */
    private static final int LETTERS_FOR_ONE_SLIP = 3;

    private static final int LETTERS_OF_A_BEGINNING = 3;

    private Nearest() {}

    /** What to tell who wrote a word that is not known: the word that was probably meant, or all that are known. */
    public static String hint(String prefix, Collection<String> known, String misspelt) {
        return of(known, misspelt)
                .map(word -> "did you mean " + prefix + word + "?")
                .orElseGet(() -> "known are " + String.join(", ", known));
    }

    /** The known word that is nearest by Levenshtein's distance; empty when none is near. */
    public static Optional<String> of(Collection<String> known, String misspelt) {
        String shown = misspelt.length() > LONGEST ? misspelt.substring(0, LONGEST) : misspelt;
        return known.stream()
                .min(Comparator.comparingInt(word -> distance(word, shown)))
                .filter(word -> isNear(word, shown));
    }

    private static boolean isNear(String word, String misspelt) {
        int letters = misspelt.replace("-", "").length();
        if (letters >= LETTERS_OF_A_BEGINNING && word.startsWith(misspelt)) {
            return true;
        }
        int slips = distance(word, misspelt);
        return slips < letters && slips <= Math.max(SLIPS_OF_A_SHORT_WORD, letters / LETTERS_FOR_ONE_SLIP);
    }

    /** How many letters must be changed, added or left out to make one of the other. */
    public static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
