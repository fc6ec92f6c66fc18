package io.shardmap.examples.books;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * What an import did.
 *
 * @param imported number of books that are in the catalogue now
 * @param rejected rows that are not, in the order of the file
 */
public record ImportReport(int imported, List<CsvRow.Rejected> rejected) {
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setHeader("line", "reason", "value")
            .setRecordSeparator('\n')
            .get();

    /** Copies the list. */
    public ImportReport {
        rejected = List.copyOf(rejected);
    }

    /** Writes the rejected rows as CSV: line number, reason, value. */
    public void writeRejected(Path file) throws IOException {
        try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
                CSVPrinter printer = new CSVPrinter(writer, FORMAT)) {
            for (CsvRow.Rejected row : rejected) {
                printer.printRecord(row.line(), row.reason(), row.value());
            }
        }
    }
}
