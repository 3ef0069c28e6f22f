package dev.sandbox.app.config;

import java.util.Collection;
import java.util.Comparator;

/** What a misspelt word probably was. */
public final class Nearest {
    /** Longer words are no slips of the pen, and the distance takes the product of both lengths. */
    private static final int LONGEST = 64;

    private Nearest() {}

    /** The known word that is nearest by Levenshtein's distance; empty when none is known. */
    public static String of(Collection<String> known, String misspelt) {
        String shown = misspelt.length() > LONGEST ? misspelt.substring(0, LONGEST) : misspelt;
        return known.stream()
                .min(Comparator.comparingInt(key -> distance(key, shown)))
                .orElse("");
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
