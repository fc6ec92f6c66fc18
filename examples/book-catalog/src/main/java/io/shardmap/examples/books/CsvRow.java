package io.shardmap.examples.books;

import java.util.List;

/** A row of the CSV file, judged: a book, or the reason why it is none. */
public sealed interface CsvRow {

    /** Returns the line of the file, from 1. */
    long line();

    /** Returns the books among some rows. */
    static List<Book> books(List<CsvRow> rows) {
        return rows.stream()
                .filter(Accepted.class::isInstance)
                .map(row -> ((Accepted) row).book())
                .toList();
    }

    /** A row with a valid ISBN. */
    record Accepted(long line, Book book) implements CsvRow {}

    /**
     * A row that cannot be placed.
     *
     * @param line line of the file, from 1
     * @param reason the rule it breaks
     * @param value the ISBN as it stands in the file, empty when there is none
     */
    record Rejected(long line, String reason, String value) implements CsvRow {}
}
