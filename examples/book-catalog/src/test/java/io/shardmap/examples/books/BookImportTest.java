package io.shardmap.examples.books;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BookImportTest {

    @Test
    void importsEveryBookWithAValidIsbnAndRepeatsWithoutEffect(@TempDir Path directory) throws Exception {
        try (CatalogueOnH2 database = new CatalogueOnH2()) {
            List<CsvRow> rows = BookCsv.bundled();
            List<Integer> progress = new ArrayList<>();

            ImportReport first = new BookImport(database.catalogue, progress::add).run(rows);
            ImportReport second = new BookImport(database.catalogue, so -> {}).run(rows);

            assertEquals(9_277, first.imported());
            assertEquals(723, first.rejected().size());
            assertEquals(
                    700,
                    first.rejected().stream()
                            .filter(row -> row.reason().equals("no ISBN"))
                            .count());
            assertEquals(first, second);
            assertEquals(9_277, progress.get(progress.size() - 1));

            Path report = directory.resolve("rejected.csv");
            first.writeRejected(report);
            List<String> lines = Files.readAllLines(report);
            assertEquals("line,reason,value", lines.get(0));
            assertEquals(724, lines.size());
            for (CsvRow row : rows) {
                if (row instanceof CsvRow.Accepted accepted) {
                    Book book = accepted.book();
                    assertEquals(book, database.catalogue.find(book.isbn()).orElseThrow());
                }
            }
        }
    }

    @Test
    void aRejectedRowIsReportedWithItsLineReasonAndValue() throws Exception {
        String csv = """
                book_id,isbn,authors,publication_year,title,language_code,average_rating,ratings_count
                1,439023483,Suzanne Collins,2008,"The Hunger Games (The Hunger Games, #1)",eng,4.34,4780653
                2,,Nobody,2008,No number,eng,4.00,1
                3,812971060,Somebody,,Wrong number,,4.00,1
                """;

        List<CsvRow> rows = BookCsv.read(new StringReader(csv));

        assertTrue(rows.get(0) instanceof CsvRow.Accepted accepted
                && accepted.book().isbn().value().equals("0439023483"));
        assertEquals(new CsvRow.Rejected(3, "no ISBN", ""), rows.get(1));
        CsvRow.Rejected wrong = (CsvRow.Rejected) rows.get(2);
        assertEquals(4, wrong.line());
        assertEquals("812971060", wrong.value());
        assertTrue(wrong.reason().startsWith("ISBN must end in its check digit: isbn=0812971060"), wrong.reason());
    }
}
