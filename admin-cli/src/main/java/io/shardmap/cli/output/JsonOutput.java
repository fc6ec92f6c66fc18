package io.shardmap.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** One document: {@code {"schemaVersion": 1, "<name>": ...}}. Rows are written one per line as they arrive. */
final class JsonOutput implements Output {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();
    private static final ObjectWriter PRETTY = MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT);

    private final PrintWriter out;

    JsonOutput(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void one(String name, Record thing) {
        document(name, thing);
    }

    @Override
    public <T extends Record> void list(String name, Class<T> type, List<T> things) {
        document(name, things);
    }

    @Override
    public void done(String sentence, String name, Record result) {
        document(name, result);
    }

    private void document(String name, Object value) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schemaVersion", SCHEMA_VERSION);
        document.put(name, value);
        out.println(PRETTY.writeValueAsString(document));
        out.flush();
    }

    @Override
    public Rows rows(List<String> columns) {
        List<String> names = unique(columns);
        out.print("{\"schemaVersion\":" + SCHEMA_VERSION + ",\"columns\":" + MAPPER.writeValueAsString(names)
                + ",\"rows\":[");
        return new Rows() {
            private String separator = "\n";

            @Override
            public void row(List<?> values) {
                Map<String, @Nullable Object> row = new LinkedHashMap<>();
                for (int column = 0; column < names.size(); column++) {
                    row.put(names.get(column), plain(values.get(column)));
                }
                out.print(separator + MAPPER.writeValueAsString(row));
                separator = ",\n";
            }

            @Override
            public void end() {
                out.println("\n]}");
                out.flush();
            }
        };
    }

    /** Returns what JSON has a form for; everything else as the text that tables show. */
    private static @Nullable Object plain(@Nullable Object value) {
        return value instanceof Number || value instanceof Boolean ? value : Cells.text(value);
    }

    /** A query may name two columns alike, an object may not: the second {@code count} is {@code count_2}. */
    private static List<String> unique(List<String> columns) {
        Set<String> taken = new TreeSet<>();
        List<String> names = new ArrayList<>();
        for (String column : columns) {
            String name = column;
            for (int number = 2; !taken.add(name); number++) {
                name = column + "_" + number;
            }
            names.add(name);
        }
        return names;
    }
}
