package io.shardmap.examples.books;

import io.shardmap.InvalidKeyException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** Reads {@code books.csv}; its README names source, licence and faults. */
public final class BookCsv {
    private static final String RESOURCE = "books.csv";
    private static final CSVFormat FORMAT =
            CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();

    private BookCsv() {}

    /** Returns all rows of the file that comes with the example. */
    public static List<CsvRow> bundled() {
        try (InputStream stream = BookCsv.class.getResourceAsStream(RESOURCE)) {
            if (stream == null) {
                throw new IllegalStateException("books.csv must be on the class path: package="
                        + BookCsv.class.getPackageName() + "; build the module again");
            }
            return read(new InputStreamReader(stream, StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Returns all rows, good and bad.
     *
     * @throws IOException when the text is not CSV
     */
    public static List<CsvRow> read(Reader text) throws IOException {
        List<CsvRow> rows = new ArrayList<>();
        try (CSVParser parser = FORMAT.parse(text)) {
            for (CSVRecord row : parser) {
                rows.add(judge(parser.getCurrentLineNumber(), row));
            }
        }
        return rows;
    }

    private static CsvRow judge(long line, CSVRecord row) {
        String isbn = row.get("isbn").strip();
        if (isbn.isEmpty()) {
            return new CsvRow.Rejected(line, "no ISBN", "");
        }
        try {
            return new CsvRow.Accepted(line, book(BookIsbn.restored(isbn), row));
        } catch (InvalidKeyException | NumberFormatException refused) {
            return new CsvRow.Rejected(line, String.valueOf(refused.getMessage()), isbn);
        }
    }

    private static Book book(BookIsbn isbn, CSVRecord row) {
        String year = textOrNull(row.get("publication_year"));
        return new Book(
                isbn,
                row.get("title"),
                row.get("authors"),
                year == null ? null : Integer.valueOf(year),
                textOrNull(row.get("language_code")),
                new BigDecimal(row.get("average_rating")),
                Long.parseLong(row.get("ratings_count")));
    }

    private static @Nullable String textOrNull(String value) {
        return value.isBlank() ? null : value;
    }
}
