package io.shardmap.examples.books;

/** The statements whose wording differs between database products: insert a row, or give the one that is there new values. */
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
            """),
    H2("""
            merge into book (check_digit, isbn, title, authors, publication_year, language_code, average_rating, ratings_count)
            key (check_digit, isbn) values (?, ?, ?, ?, ?, ?, ?, ?)
            """, """
            merge into library_of_congress (check_digit, isbn, call_number, classification, subject)
            key (check_digit, isbn) values (?, ?, ?, ?, ?)
            """);

    private final String putBook;
    private final String putLibraryOfCongressData;

    CatalogueSql(String putBook, String putLibraryOfCongressData) {
        this.putBook = putBook;
        this.putLibraryOfCongressData = putLibraryOfCongressData;
    }

    String putBook() {
        return putBook;
    }

    String putLibraryOfCongressData() {
        return putLibraryOfCongressData;
    }
}
