package io.shardmap.examples.books;

import static io.shardmap.examples.books.Screen.number;
import static io.shardmap.examples.books.Screen.time;

import io.shardmap.Route;
import io.shardmap.ShardMap;
import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.store.JdbcShardMapStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** The story the demo tells, step by step. */
final class DemoStory {
    /** The ISBN of the reference case; its book is not in the file, so the demo adds it. */
    static final BookIsbn ISBN = BookIsbn.parse("978-8-1130-1024-6");

    private static final String ISBN_AS_PRINTED = "978-8-1130-1024-6";
    private static final String HOME = "bookdbshard2";
    private static final String ELSEWHERE = "bookdbshard0";
    private static final Book ADDED = new Book(
            ISBN, "The Library That Outgrew Its Shelves", "A. N. Author", 2026, "eng", new BigDecimal("4.50"), 2);
    private static final LibraryOfCongressData LIBRARY_OF_CONGRESS_DATA =
            new LibraryOfCongressData("QA76.9.D3 A98 2026", "Electronic computers. Databases", "Database sharding");
    private static final int TITLE_WIDTH = 46;

    private final Screen screen;
    private final Checks checks;
    private final CatalogueDatabases databases;
    private final JdbcShardMapStore store;
    private final DataSource mapDatabase;
    private final ShardRouter router;
    private final ServerPools operatorPools;
    private final BookCatalog catalogue;

    DemoStory(Screen screen, CatalogueDatabases databases, DataSource mapDatabase) {
        this.screen = screen;
        this.checks = new Checks(screen);
        this.databases = databases;
        this.mapDatabase = mapDatabase;
        this.store = new JdbcShardMapStore(mapDatabase);
        this.router =
                ShardRouter.builder(store).credentials(databases.user(), null).build();
        this.operatorPools = databases.operatorPools();
        this.catalogue = new BookCatalog(router, databases.sql());
    }

    /**
     * Tells it.
     *
     * @param workDirectory where the report of the import is written
     */
    DemoResult run(Path workDirectory) throws SQLException, IOException, InterruptedException {
        try (router;
                operatorPools) {
            prepare();
            List<CsvRow> rows = BookCsv.bundled();
            ImportReport report = importBooks(rows, workDirectory);
            Oracle oracle = new Oracle(CsvRow.books(rows));
            oracle.add(ADDED);
            showMap();
            resolve();
            updateLibraryOfCongressData();
            askAllServers(oracle);
            Ledger ledger = move(oracle);
            return verify(oracle, ledger, report);
        }
    }

    private void prepare() {
        new CatalogueSetup(mapDatabase, databases, store, operatorPools).run();
        MoveUnderLoad.finishInterrupted(screen, store, operatorPools);
    }

    private ImportReport importBooks(List<CsvRow> rows, Path workDirectory) throws SQLException, IOException {
        long start = System.nanoTime();
        ImportReport report = new BookImport(
                        catalogue,
                        books -> screen.progress("importing: " + number(books) + " of " + number(rows.size())))
                .run(rows);
        Path rejected = workDirectory.resolve("rejected.csv");
        report.writeRejected(rejected);
        screen.line("books     " + number(report.imported()) + " imported in "
                + time(Duration.ofNanos(System.nanoTime() - start)) + "; "
                + number(report.rejected().size()) + " of " + number(rows.size())
                + " rows rejected: no ISBN, or a wrong check digit");
        screen.note("          each with its line and the reason in " + Screen.path(rejected));
        return report;
    }

    private void showMap() throws SQLException {
        screen.step("The shard map says which server holds which virtual shard");
        ShardMap map = router.map(BookCatalog.MAP);
        ServerRows rows = ServerRows.count(databases);
        screen.line(
                "Map \"" + map.name() + "\": the key is an ISBN, its check digit (0 to 9, X = 10) the virtual shard.");
        screen.line("");
        screen.note("server         virtual shards   books");
        map.placements()
                .forEach((server, ids) -> screen.line(String.format(
                        Locale.ROOT,
                        "%-14s %-14s %7s",
                        server,
                        ids.stream().map(String::valueOf).collect(Collectors.joining(" ")),
                        number(rows.onServer(server)))));
    }

    private void resolve() throws SQLException {
        screen.step("Where does the book with ISBN " + ISBN_AS_PRINTED + " live?");
        showRoute();
    }

    private Route showRoute() throws SQLException {
        Route route = router.map(BookCatalog.MAP).route(ISBN_AS_PRINTED);
        screen.line("ISBN " + ISBN_AS_PRINTED + "  ->  key " + ISBN.checkDigit() + "  ->  virtual shard "
                + route.virtualShard() + "  ->  server " + route.server().name());
        return route;
    }

    private void updateLibraryOfCongressData() throws SQLException {
        screen.step("Update its Library of Congress data");
        catalogue.put(ADDED);
        catalogue.updateLibraryOfCongressData(ISBN, LIBRARY_OF_CONGRESS_DATA);
        screen.note("catalogue.updateLibraryOfCongressData(isbn, data): an ISBN goes in, no server is named");
        checks.require(
                catalogue.find(ISBN).filter(ADDED::equals).isPresent(),
                "book       " + ADDED.title() + " (added to the file's)");
        checks.require(
                catalogue
                        .libraryOfCongressData(ISBN)
                        .filter(LIBRARY_OF_CONGRESS_DATA::equals)
                        .isPresent(),
                "catalogued " + LIBRARY_OF_CONGRESS_DATA.callNumber() + ", " + LIBRARY_OF_CONGRESS_DATA.classification()
                        + ", " + LIBRARY_OF_CONGRESS_DATA.subject());
    }

    private void askAllServers(Oracle oracle) throws SQLException {
        screen.step("Ask all servers at once");
        long count = catalogue.count();
        checks.require(count == oracle.size(), "select count(*): " + number(count) + " books, each counted once");
        List<Book> top = catalogue.topRated();
        checks.require(
                top.equals(oracle.topRated()),
                "order by average_rating desc, ratings_count desc limit " + top.size() + ":");
        screen.line("");
        screen.note(String.format(
                Locale.ROOT, "%-" + TITLE_WIDTH + "s  %6s  %9s  %s", "title", "rating", "ratings", "server"));
        ShardMap map = router.map(BookCatalog.MAP);
        for (Book book : top) {
            screen.line(String.format(
                    Locale.ROOT,
                    "%-" + TITLE_WIDTH + "s  %6.2f  %9s  %s",
                    cut(book.title()),
                    book.averageRating(),
                    number(book.ratingsCount()),
                    map.route(book.isbn().value()).server().name()));
        }
    }

    private Ledger move(Oracle oracle) throws SQLException, InterruptedException {
        int virtualShard = ISBN.checkDigit();
        String source =
                router.map(BookCatalog.MAP).routeOf(virtualShard).server().name();
        String target = source.equals(HOME) ? ELSEWHERE : HOME;
        screen.step("Move virtual shard " + virtualShard + " from " + source + " to " + target
                + " while the application works on it");
        Workload workload = new Workload(catalogue, oracle.booksOf(virtualShard), oracle.size());
        screen.line(Workload.DESCRIPTION + " are at work");
        screen.line("");
        new MoveUnderLoad(screen, checks, workload, store, operatorPools).run(virtualShard, target);
        return workload.ledger();
    }

    private DemoResult verify(Oracle oracle, Ledger ledger, ImportReport report) throws SQLException {
        screen.step("Look again, and count every acknowledged write");
        Route route = showRoute();
        oracle.apply(ledger);
        Oracle.Verdict verdict = oracle.compare(catalogue.all());
        checks.require(
                verdict.lostWrites() == 0,
                number(ledger.total()) + " acknowledged ratings, lost: " + verdict.lostWrites());
        checks.require(
                verdict.isExact(),
                verdict.difference() == null
                        ? number(verdict.identical()) + " books, every value as it must be (checksum "
                                + verdict.foundChecksum() + ")"
                        : verdict.difference());
        checks.require(
                catalogue
                        .libraryOfCongressData(ISBN)
                        .filter(LIBRARY_OF_CONGRESS_DATA::equals)
                        .isPresent(),
                "its Library of Congress data moved with it");
        ServerRows rows = ServerRows.count(databases);
        long there = rows.of(route.server().name(), route.virtualShard());
        checks.require(
                rows.total() == oracle.size()
                        && there == oracle.booksOf(route.virtualShard()).size(),
                "looked at each server by itself: " + number(there) + " books of virtual shard " + route.virtualShard()
                        + " on " + route.server().name() + ", no copy anywhere else");
        int importedAndFound = verdict.identical() - (oracle.size() - report.imported());
        return new DemoResult(
                importedAndFound,
                report.rejected().size(),
                router.map(BookCatalog.MAP).placements().size(),
                route.virtualShard(),
                verdict.lostWrites(),
                checks.count(),
                checks.failures());
    }

    private static String cut(String title) {
        return title.length() <= TITLE_WIDTH ? title : title.substring(0, TITLE_WIDTH - 3) + "...";
    }
}
