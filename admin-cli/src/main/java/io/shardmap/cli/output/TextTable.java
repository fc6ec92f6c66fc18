package io.shardmap.cli.output;

import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/**
 * Columns aligned by their widest cell, two spaces apart. To stream, the widths are taken from the first rows; a later, wider cell
 * moves the rest of its own line only.
 */
final class TextTable {
    private static final int ROWS_MEASURED = 200;
    private static final String NOTHING = "-";

    private final PrintWriter out;
    private final boolean bold;
    private final List<String> headers;
    private final boolean[] numeric;
    private final int[] widths;
    private final List<List<String>> held = new ArrayList<>();
    private boolean flowing;

    TextTable(PrintWriter out, boolean bold, List<String> headers) {
        this.out = out;
        this.bold = bold;
        this.headers = headers;
        this.numeric = new boolean[headers.size()];
        this.widths = new int[headers.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = width(headers.get(column));
        }
    }

    static List<String> headersOf(Class<? extends Record> type) {
        return Fields.columns(type).stream()
                .map(name -> Fields.words(name).toUpperCase(Locale.ROOT))
                .toList();
    }

    void row(List<?> values) {
        List<String> cells = new ArrayList<>();
        for (int column = 0; column < values.size(); column++) {
            Object value = values.get(column);
            numeric[column] |= value instanceof Number;
            cells.add(cell(value));
        }
        if (flowing) {
            print(cells);
            return;
        }
        for (int column = 0; column < widths.length; column++) {
            widths[column] = Math.max(widths[column], width(cells.get(column)));
        }
        held.add(cells);
        if (held.size() == ROWS_MEASURED) {
            release();
        }
    }

    void end() {
        if (!flowing) {
            release();
        }
        out.flush();
    }

    /** Returns a cell: one line, and without control characters, which would steer the terminal. */
    static String cell(@Nullable Object value) {
        String text = Cells.text(value instanceof Instant time ? time.truncatedTo(ChronoUnit.SECONDS) : value);
        return text == null
                ? NOTHING
                : text.replace("\n", "\\n").replace("\t", "\\t").replaceAll("\\p{Cntrl}", "?");
    }

    private void release() {
        flowing = true;
        String header = line(headers);
        out.println(bold ? Ansi.ON.string("@|bold " + header + "|@") : header);
        held.forEach(this::print);
        held.clear();
        out.flush();
    }

    private void print(List<String> cells) {
        out.println(line(cells));
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            String space = " ".repeat(Math.max(0, widths[column] - width(cell)));
            line.append(column == 0 ? "" : "  ");
            line.append(numeric[column] ? space + cell : cell + space);
        }
        return line.toString().stripTrailing();
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
