package io.shardmap.examples.books;

import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.fanout.RowMapper;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The catalogue as its application sees it: books by ISBN, and questions about all of them. It names no server and no virtual shard
 * but the check digit it writes with each row; the router does the rest. Safe for use by many threads.
 */
public final class BookCatalog {
    /** Name of the shard map. */
    public static final String MAP = "books";

    /** How many books {@link #topRated} returns. */
    public static final int TOP = 10;

    private static final String BOOK_COLUMNS =
            "isbn, title, authors, publication_year, language_code, average_rating, ratings_count";

    private final ShardRouter router;
    private final CatalogueSql sql;

    BookCatalog(ShardRouter router, CatalogueSql sql) {
        this.router = router;
        this.sql = sql;
    }

    /** Returns a book. */
    public Optional<Book> find(BookIsbn isbn) throws SQLException {
        try (Connection connection = router.openConnection(MAP, isbn.value());
                PreparedStatement statement = connection.prepareStatement(
                        "select " + BOOK_COLUMNS + " from book where check_digit = ? and isbn = ?")) {
            statement.setInt(1, isbn.checkDigit());
            statement.setString(2, isbn.value());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(book(row)) : Optional.empty();
            }
        }
    }

    /** Writes a book, new or not. */
    public void put(Book book) throws SQLException {
        putAll(List.of(book));
    }

    /**
     * Writes books in one transaction.
     *
     * @param books at least one, all with the same check digit: a transaction stays in one virtual shard
     */
    void putAll(List<Book> books) throws SQLException {
        router.transactions(MAP).execute(books.get(0).isbn().value(), connection -> putAll(connection, books));
    }

    private int putAll(Connection connection, List<Book> books) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.putBook())) {
            for (Book book : books) {
                statement.setInt(1, book.isbn().checkDigit());
                statement.setString(2, book.isbn().value());
                statement.setString(3, book.title());
                statement.setString(4, book.authors());
                statement.setObject(5, book.publicationYear(), Types.INTEGER);
                statement.setString(6, book.languageCode());
                statement.setBigDecimal(7, book.averageRating());
                statement.setLong(8, book.ratingsCount());
                statement.addBatch();
            }
            return statement.executeBatch().length;
        }
    }

    /** Returns how the Library of Congress catalogues a book. */
    public Optional<LibraryOfCongressData> libraryOfCongressData(BookIsbn isbn) throws SQLException {
        try (Connection connection = router.openConnection(MAP, isbn.value());
                PreparedStatement statement = connection.prepareStatement("""
                        select call_number, classification, subject from library_of_congress
                        where check_digit = ? and isbn = ?
                        """)) {
            statement.setInt(1, isbn.checkDigit());
            statement.setString(2, isbn.value());
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? Optional.of(new LibraryOfCongressData(row.getString(1), row.getString(2), row.getString(3)))
                        : Optional.empty();
            }
        }
    }

    /** Sets how the Library of Congress catalogues a book that is in the catalogue. */
    public void updateLibraryOfCongressData(BookIsbn isbn, LibraryOfCongressData data) throws SQLException {
        router.transactions(MAP).execute(isbn.value(), connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.putLibraryOfCongressData())) {
                statement.setInt(1, isbn.checkDigit());
                statement.setString(2, isbn.value());
                statement.setString(3, data.callNumber());
                statement.setString(4, data.classification());
                statement.setString(5, data.subject());
                return statement.executeUpdate();
            }
        });
    }

    /**
     * Adds a rating to a book; acknowledged when it returns.
     *
     * @param stars 1 to 5
     * @return whether there is such a book
     */
    public boolean rate(BookIsbn isbn, int stars) throws SQLException {
        if (stars < 1 || stars > 5) {
            throw new IllegalArgumentException("rating must be 1 to 5: stars=" + stars);
        }
        return router.transactions(MAP).execute(isbn.value(), connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    update book
                       set average_rating = round((average_rating * ratings_count + cast(? as integer)) / (ratings_count + 1), 6),
                           ratings_count = ratings_count + 1
                     where check_digit = ? and isbn = ?
                    """)) {
                statement.setInt(1, stars);
                statement.setInt(2, isbn.checkDigit());
                statement.setString(3, isbn.value());
                return statement.executeUpdate() == 1;
            }
        });
    }

    /** Returns the number of books on all servers. */
    public long count() throws SQLException {
        return fanOut("select count(*) from book", row -> row.getLong(1)).get(0);
    }

    /** Returns the {@value #TOP} books with the highest average rating, more ratings first among equals. */
    public List<Book> topRated() throws SQLException {
        return fanOut(
                "select " + BOOK_COLUMNS + " from book order by average_rating desc, ratings_count desc limit " + TOP,
                BookCatalog::book);
    }

    /**
     * Returns the books whose titles contain a text, in whatever case, ordered by title.
     *
     * @param limit how many at most
     */
    public List<Book> search(String text, int limit) throws SQLException {
        String pattern = "%" + text.toLowerCase(Locale.ROOT).replaceAll("([\\\\%_])", "\\\\$1") + "%";
        return fanOut(
                "select " + BOOK_COLUMNS + " from book where lower(title) like ? order by title" + sql.binaryOrder()
                        + ", check_digit, isbn" + sql.binaryOrder() + " limit " + limit,
                BookCatalog::book,
                pattern);
    }

    /** Returns all books, in no order. */
    public List<Book> all() throws SQLException {
        return fanOut("select " + BOOK_COLUMNS + " from book", BookCatalog::book);
    }

    private <T> List<T> fanOut(String query, RowMapper<T> mapper, Object... parameters) throws SQLException {
        return router.fanOut(MAP).query(query, mapper, parameters);
    }

    private static Book book(ResultSet row) throws SQLException {
        int year = row.getInt("publication_year");
        boolean yearUnknown = row.wasNull();
        BigDecimal averageRating = row.getBigDecimal("average_rating");
        return new Book(
                BookIsbn.parse(row.getString("isbn")),
                row.getString("title"),
                row.getString("authors"),
                yearUnknown ? null : year,
                row.getString("language_code"),
                averageRating,
                row.getLong("ratings_count"));
    }
}
