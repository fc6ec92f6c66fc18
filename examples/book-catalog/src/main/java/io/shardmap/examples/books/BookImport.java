package io.shardmap.examples.books;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * Brings the rows of a CSV file into the catalogue: grouped by virtual shard, one transaction per batch. A book that is there already
 * gets the values of the file, so that a repeated import ends in the same state.
 */
public final class BookImport {
    private static final int BATCH_ROWS = 500;

    private final BookCatalog catalogue;
    private final IntConsumer progress;

    /**
     * Creates an import.
     *
     * @param catalogue where the books go
     * @param progress told the number of books so far after each committed batch
     */
    public BookImport(BookCatalog catalogue, IntConsumer progress) {
        this.catalogue = catalogue;
        this.progress = progress;
    }

    /**
     * Imports all rows with a valid ISBN.
     *
     * @throws SQLException when a batch failed; the batches before it stay, and the import can be repeated
     */
    public ImportReport run(List<CsvRow> rows) throws SQLException {
        List<CsvRow.Rejected> rejected = new ArrayList<>();
        Map<Integer, List<Book>> byVirtualShard = new TreeMap<>();
        for (CsvRow row : rows) {
            if (row instanceof CsvRow.Accepted accepted) {
                Book book = accepted.book();
                byVirtualShard
                        .computeIfAbsent(book.isbn().checkDigit(), digit -> new ArrayList<>())
                        .add(book);
            } else if (row instanceof CsvRow.Rejected refused) {
                rejected.add(refused);
            }
        }
        int imported = 0;
        for (List<Book> books : byVirtualShard.values()) {
            for (int from = 0; from < books.size(); from += BATCH_ROWS) {
                List<Book> batch = books.subList(from, Math.min(from + BATCH_ROWS, books.size()));
                catalogue.putAll(batch);
                imported += batch.size();
                progress.accept(imported);
            }
        }
        return new ImportReport(imported, rejected);
    }
}
