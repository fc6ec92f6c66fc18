package io.shardmap.cli.output;

import java.io.PrintWriter;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A header and lines as RFC 4180 says, ended by LF. Null is nothing between the commas, an empty text is {@code ""}. */
final class CsvOutput implements Output {
    private static final Pattern QUOTED = Pattern.compile("[\",\r\n]");

    private final PrintWriter out;

    CsvOutput(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void one(String name, Record thing) {
        line(Fields.names(thing.getClass()));
        line(Fields.values(thing));
        out.flush();
    }

    @Override
    public <T extends Record> void list(String name, Class<T> type, List<T> things) {
        line(Fields.names(type));
        things.forEach(thing -> line(Fields.values(thing)));
        out.flush();
    }

    @Override
    public void done(String sentence, String name, Record result) {
        one(name, result);
    }

    @Override
    public Rows rows(List<String> columns) {
        line(columns);
        return new Rows() {
            @Override
            public void row(List<?> values) {
                line(values);
            }

            @Override
            public void end() {
                out.flush();
            }
        };
    }

    private void line(List<?> values) {
        out.print(values.stream().map(CsvOutput::field).collect(Collectors.joining(",")) + "\n");
    }

    private static String field(@Nullable Object value) {
        String text = Cells.text(value);
        if (text == null) {
            return "";
        }
        return text.isEmpty() || QUOTED.matcher(text).find() ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
}
