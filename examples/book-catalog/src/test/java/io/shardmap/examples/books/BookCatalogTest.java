package io.shardmap.examples.books;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.store.JdbcShardMapStore;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BookCatalogTest {
    private static final List<Book> BOOKS = CsvRow.books(BookCsv.bundled());
    private static final Book HUNGER_GAMES = BOOKS.get(0);

    private static CatalogueOnH2 database;
    private static BookCatalog catalogue;

    @BeforeAll
    static void importBooks() throws SQLException {
        database = new CatalogueOnH2();
        catalogue = database.catalogue;
        new BookImport(catalogue, so -> {}).run(BookCsv.bundled());
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void theBookOfTheReferenceCaseLivesOnTheThirdServer() throws SQLException {
        assertEquals(
                "bookdbshard2",
                database.router
                        .map(BookCatalog.MAP)
                        .route("978-8-1130-1024-6")
                        .server()
                        .name());
    }

    @Test
    void aBookIsFoundByAnySpellingOfItsIsbn() throws SQLException {
        assertEquals(
                HUNGER_GAMES,
                catalogue.find(BookIsbn.parse("978-0-439-02348-1")).orElseThrow());
        assertEquals(HUNGER_GAMES, catalogue.find(BookIsbn.parse("0439023483")).orElseThrow());
        assertEquals(Optional.empty(), catalogue.find(BookIsbn.parse("978-8-1130-1024-6")));
    }

    @Test
    void libraryOfCongressDataIsSetAndReplaced() throws SQLException {
        BookIsbn isbn = BOOKS.get(1).isbn();
        LibraryOfCongressData first = new LibraryOfCongressData("PZ7", "Juvenile belles lettres", "Wizards");
        LibraryOfCongressData second = new LibraryOfCongressData("PZ7.R79835", "Juvenile belles lettres", "Schools");

        assertEquals(Optional.empty(), catalogue.libraryOfCongressData(isbn));
        catalogue.updateLibraryOfCongressData(isbn, first);
        catalogue.updateLibraryOfCongressData(isbn, second);

        assertEquals(Optional.of(second), catalogue.libraryOfCongressData(isbn));
    }

    @Test
    void libraryOfCongressDataOfAnUnknownBookIsRefused() {
        BookIsbn unknown = BookIsbn.parse("978-8-1130-1024-6");

        assertThrows(
                SQLException.class,
                () -> catalogue.updateLibraryOfCongressData(unknown, new LibraryOfCongressData("QA76", "a", "b")));
    }

    @Test
    void aRatingMovesTheAverageAsTheOracleExpects() throws SQLException {
        Book before =
                BOOKS.stream().min(Comparator.comparing(Book::ratingsCount)).orElseThrow();

        assertTrue(catalogue.rate(before.isbn(), 1));
        Book after = catalogue.find(before.isbn()).orElseThrow();
        catalogue.put(before);

        assertEquals(before.rated(1), after);
        assertTrue(after.averageRating().compareTo(before.averageRating()) < 0);
        assertFalse(catalogue.rate(BookIsbn.parse("978-8-1130-1024-6"), 5));
        assertThrows(IllegalArgumentException.class, () -> catalogue.rate(before.isbn(), 6));
    }

    @Test
    void questionsAboutAllBooksAreAnsweredAsByOneDatabase() throws SQLException {
        Oracle oracle = new Oracle(BOOKS);

        assertEquals(9_277, catalogue.count());
        assertEquals(oracle.topRated(), catalogue.topRated());
        assertTrue(oracle.compare(catalogue.all()).isExact());
        assertEquals(
                BOOKS.stream()
                        .filter(book -> book.title().toLowerCase(Locale.ROOT).contains("100%"))
                        .map(Book::title)
                        .sorted()
                        .toList(),
                catalogue.search("100%", 5).stream().map(Book::title).toList());
        List<String> magic =
                catalogue.search("MAGIC", 20).stream().map(Book::title).toList();
        assertEquals(
                BOOKS.stream()
                        .map(Book::title)
                        .filter(title -> title.toLowerCase(Locale.ROOT).contains("magic"))
                        .sorted()
                        .limit(20)
                        .toList(),
                magic);
    }

    @Test
    void settingUpAgainKeepsEverything() throws SQLException {
        CatalogueDatabases databases = database.servers.databases();
        long generation = database.router.map(BookCatalog.MAP).generation();
        try (ServerPools pools = databases.operatorPools()) {
            JdbcShardMapStore store = new JdbcShardMapStore(database.mapDatabase);
            new CatalogueSetup(database.mapDatabase, databases, store, pools).run();

            assertEquals(generation, store.load(BookCatalog.MAP).generation());
        }
        assertEquals(9_277, catalogue.count());
    }

    @Test
    void anAverageRatingKeepsSixDecimals() {
        Book book = new Book(HUNGER_GAMES.isbn(), "t", "a", null, null, new BigDecimal("4.5"), 2);

        assertEquals(new BigDecimal("4.666667"), book.rated(5).averageRating());
    }
}
