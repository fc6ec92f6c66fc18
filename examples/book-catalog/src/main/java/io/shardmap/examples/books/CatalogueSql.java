package io.shardmap.examples.books;

import java.util.Locale;

/** The statements whose wording differs between database products: how to write a row that may be there, how to sort text. */
enum CatalogueSql {
    POSTGRESQL("""
            insert into book (check_digit, isbn, title, authors, publication_year, language_code, average_rating, ratings_count)
            values (?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (check_digit, isbn) do update
                set title = excluded.title, authors = excluded.authors, publication_year = excluded.publication_year,
                    language_code = excluded.language_code, average_rating = excluded.average_rating,
                    ratings_count = excluded.ratings_count
                where book is distinct from excluded
            """, """
            insert into library_of_congress (check_digit, isbn, call_number, classification, subject)
            values (?, ?, ?, ?, ?)
            on conflict (check_digit, isbn) do update
                set call_number = excluded.call_number, classification = excluded.classification, subject = excluded.subject
            """, " collate \"C\""),
    H2("""
            merge into book (check_digit, isbn, title, authors, publication_year, language_code, average_rating, ratings_count)
            key (check_digit, isbn) values (?, ?, ?, ?, ?, ?, ?, ?)
            """, """
            merge into library_of_congress (check_digit, isbn, call_number, classification, subject)
            key (check_digit, isbn) values (?, ?, ?, ?, ?)
            """, "");

    private final String putBook;
    private final String putLibraryOfCongressData;
    private final String binaryOrder;

    CatalogueSql(String putBook, String putLibraryOfCongressData, String binaryOrder) {
        this.putBook = putBook;
        this.putLibraryOfCongressData = putLibraryOfCongressData;
        this.binaryOrder = binaryOrder;
    }

    String putBook() {
        return putBook;
    }

    String putLibraryOfCongressData() {
        return putLibraryOfCongressData;
    }

    /** Returns what follows a text column in ORDER BY, so that every server sorts by code points and not by its locale. */
    String binaryOrder() {
        return binaryOrder;
    }

    /** Returns an unquoted name as the product stores it. */
    String folded(String name) {
        return switch (this) {
            case POSTGRESQL -> name;
            case H2 -> name.toUpperCase(Locale.ROOT);
        };
    }
}
