package io.shardmap.cli.output;

import java.io.PrintWriter;
import java.util.List;

/** Aligned text. */
final class TableOutput implements Output {
    private final PrintWriter out;
    private final boolean bold;

    TableOutput(PrintWriter out, boolean bold) {
        this.out = out;
        this.bold = bold;
    }

    @Override
    public void one(String name, Record thing) {
        List<String> names =
                Fields.names(thing.getClass()).stream().map(Fields::words).toList();
        List<?> values = Fields.values(thing);
        int width = names.stream().mapToInt(String::length).max().orElse(0);
        for (int i = 0; i < names.size(); i++) {
            out.println(names.get(i) + " ".repeat(width - names.get(i).length() + 2) + TextTable.cell(values.get(i)));
        }
        Fields.nested(thing).forEach((nested, rows) -> {
            if (!rows.isEmpty()) {
                out.println();
                out.println(Fields.words(nested) + ":");
                table(rows.get(0).getClass(), rows);
            }
        });
        out.flush();
    }

    @Override
    public <T extends Record> void list(String name, Class<T> type, List<T> things) {
        table(type, things);
    }

    private void table(Class<? extends Record> type, List<? extends Record> things) {
        TextTable table = new TextTable(out, bold, TextTable.headersOf(type));
        things.forEach(thing -> table.row(Fields.columnValues(thing)));
        table.end();
    }

    @Override
    public void done(String sentence, String name, Record result) {
        out.println(sentence);
        out.flush();
    }

    @Override
    public Rows rows(List<String> columns) {
        TextTable table = new TextTable(out, bold, columns);
        return new Rows() {
            @Override
            public void row(List<?> values) {
                table.row(values);
            }

            @Override
            public void end() {
                table.end();
            }
        };
    }
}
