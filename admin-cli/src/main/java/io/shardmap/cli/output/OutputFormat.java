package io.shardmap.cli.output;

import java.io.PrintWriter;
import java.util.Locale;

/** How results are printed. */
public enum OutputFormat {
    /** Aligned text for people. */
    TABLE,
    /** One JSON document with a {@code schemaVersion}. */
    JSON,
    /** Lines as RFC 4180 says, with a header. */
    CSV;

    /** Returns an output of this format; {@code bold} marks headers of tables on terminals that can show it. */
    public Output to(PrintWriter out, boolean bold) {
        return switch (this) {
            case TABLE -> new TableOutput(out, bold);
            case JSON -> new JsonOutput(out);
            case CSV -> new CsvOutput(out);
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
