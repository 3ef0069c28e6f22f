package dev.sandbox.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The medians as bars, p10 to p90 as a line over each: one picture without a script, readable on light and dark. */
final class Chart {
    private static final int WIDTH = 760;
    private static final int LEFT = 190;
    private static final int RIGHT = 70;
    private static final int ROW = 24;

    private final List<Measured> measured;
    private final Map<String, String> machine;
    private final StringBuilder svg = new StringBuilder();
    private int y;

    Chart(List<Measured> measured, Map<String, String> machine) {
        this.measured = measured;
        this.machine = machine;
    }

    String svg() {
        group(Contender.LIBRARY, "/bin/true from a JVM that is up, ms");
        group(Contender.COMMAND, "/bin/true as a command, whole process, ms");
        y += ROW;
        text(8, y, "start", "small", String.join(", ", machine.values()));
        int height = y + 12;
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + height + "\" width=\"" + WIDTH
                + "\" height=\"" + height + "\" role=\"img\">\n"
                + "<style>text{font:13px sans-serif;fill:#777}.title{font-weight:bold}.small{font-size:11px}"
                + ".ours{fill:#2a78d6}.other{fill:#9a9a9a}line{stroke:#555;stroke-width:2}</style>\n"
                + svg + "</svg>\n";
    }

    private void group(String group, String title) {
        List<Measured> rows =
                measured.stream().filter(one -> one.group().equals(group)).toList();
        double most = rows.stream().mapToDouble(Measured::p90).max().orElse(1);
        y += ROW + 4;
        text(8, y, "start", "title", title);
        for (Measured one : rows) {
            y += ROW;
            text(LEFT - 8, y, "end", "", one.name());
            boolean ours = one.name().startsWith("sandbox ") || one.name().contains(", ");
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\" rx=\"2\"/>%n",
                    ours ? "ours" : "other",
                    LEFT,
                    y - 12,
                    length(one.median(), most)));
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>%n",
                    LEFT + length(one.p10(), most),
                    LEFT + length(one.p90(), most),
                    y - 5,
                    y - 5));
            text(
                    LEFT + (int) length(one.p90(), most) + 6,
                    y,
                    "start",
                    "",
                    String.format(Locale.ROOT, one.median() < 10 ? "%.2f" : "%.0f", one.median()));
        }
    }

    private static double length(double value, double most) {
        return (WIDTH - LEFT - RIGHT) * value / most;
    }

    private void text(int x, int line, String anchor, String style, String words) {
        svg.append("<text x=\"" + x + "\" y=\"" + line + "\" text-anchor=\"" + anchor + "\" class=\"" + style + "\">"
                + words.replace("&", "&amp;").replace("<", "&lt;") + "</text>\n");
    }
}
