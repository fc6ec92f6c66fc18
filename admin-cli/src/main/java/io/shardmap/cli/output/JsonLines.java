package io.shardmap.cli.output;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Documents of one line each: {@code {"schemaVersion": 1, "<name>": ...}}. Safe for use by many threads. */
public final class JsonLines {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final PrintWriter out;

    /** Writes to {@code out}, which is flushed after each line. */
    public JsonLines(PrintWriter out) {
        this.out = out;
    }

    /** Prints one document. */
    public void print(String name, Record thing) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schemaVersion", Output.SCHEMA_VERSION);
        document.put(name, thing);
        String line = MAPPER.writeValueAsString(document);
        synchronized (out) {
            out.println(line);
            out.flush();
        }
    }
}
