package io.shardmap.migrate.move;

import io.shardmap.jdbc.ShardRouter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * An application at work on virtual shard 1 of the map "load": eight writers in every isolation level, in transactions and in autocommit,
 * with plain, prepared and batched statements. Each keeps a ledger of what was acknowledged; transfers between accounts never change the
 * sum of a virtual shard. One more thread asks for that sum by key, one over all servers, and both know the only right answer.
 */
final class BankLoad implements AutoCloseable {
    static final String MAP = "load";
    static final int WRITERS = 8;
    static final int SHARDS = 3;
    static final int ACCOUNTS = 64;
    static final int BALANCE = 1_000;

    static final String TABLES = """
            create table event (vs int not null, writer int not null, seq int not null, note text,
                primary key (vs, writer, seq));
            create table account (vs int not null, id int not null, balance bigint not null, big text, tags text[], doc jsonb,
                primary key (vs, id));
            alter table account alter column big set storage external;
            create table counter (vs int not null, writer int not null, n bigint not null, primary key (vs, writer));
            """;

    /** Rows that each writer leaves behind it: a long run stays as small as a short one. */
    private static final int KEPT = 500;
    /** Rows deleted at once. */
    private static final int OLDEST = 50;
    /** What an application does between its transactions. */
    private static final Duration THINKS = Duration.ofMillis(4);
    /** What those do who only look. */
    private static final Duration LOOKS_AROUND = Duration.ofMillis(10);
    /** Writers from this number on prepare their statements. */
    private static final int PREPARING = 4;

    private static final String INSERT = "insert into event (vs, writer, seq) values (1, ?, ?)";
    private static final String SUM = "select count(*), sum(balance) from account where vs = 1";

    private final ShardRouter router;
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 2);
    /** Numbers of rows that were acknowledged, and not deleted since, of each writer, who is the only one to use its own. */
    private final List<NavigableSet<Integer>> ledgers = IntStream.range(0, WRITERS)
            .<NavigableSet<Integer>>mapToObj(writer -> new TreeSet<>())
            .toList();

    final AtomicLong transactions = new AtomicLong();
    private final int[] next = new int[WRITERS];

    BankLoad(ShardRouter router) {
        this.router = router;
    }

    /** Rows of a virtual shard as they are before anybody writes. */
    static String rows(int shard) {
        return "insert into account select " + shard + ", n, " + BALANCE
                + ", repeat(md5(n::text), 300), array['a', null, 'b'], '{\"k\": [1, null]}' from generate_series(1, "
                + ACCOUNTS + ") n; insert into counter select " + shard + ", w, 0 from generate_series(0, "
                + (WRITERS - 1) + ") w; insert into event select " + shard
                + ", 100, n, 'before' from generate_series(1, 5000) n";
    }

    /** What happened while something else did. */
    static final class Report {
        final AtomicLong written = new AtomicLong();
        final AtomicLong sums = new AtomicLong();
        final AtomicLong fanOuts = new AtomicLong();
        final AtomicLong longest = new AtomicLong();
        final Map<String, AtomicLong> errors = new ConcurrentHashMap<>();
        /** Answers that cannot be right, and rows that were acknowledged and not found. */
        final Set<String> wrong = ConcurrentHashMap.newKeySet();

        private void add(SQLException failure) {
            String kind = failure.getSQLState() + " " + failure.getMessage().replaceAll("\\d+", "N");
            String first = kind.lines().findFirst().orElse(kind);
            errors.computeIfAbsent(first, key -> new AtomicLong()).incrementAndGet();
        }

        @Override
        public String toString() {
            return "written=" + written + ", sums by key=" + sums + ", sums over servers=" + fanOuts
                    + ", longest transaction=" + longest.get() / 1_000_000 + " ms, wrong=" + wrong + ", errors="
                    + new TreeMap<>(errors);
        }
    }

    /** Something that lasts a while. */
    @FunctionalInterface
    interface Meanwhile {
        void run() throws Exception;
    }

    /** Keeps the load up as long as something else takes. */
    Report during(Meanwhile meanwhile) throws Exception {
        Report report = new Report();
        AtomicBoolean over = new AtomicBoolean();
        List<Future<?>> running = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            int number = writer;
            running.add(threads.submit(() -> {
                while (!over.get()) {
                    write(number, report);
                    pause(THINKS);
                }
            }));
        }
        running.add(threads.submit(() -> {
            while (!over.get()) {
                sum(report);
                pause(LOOKS_AROUND);
            }
        }));
        running.add(threads.submit(() -> {
            while (!over.get()) {
                sumEverywhere(report);
                pause(LOOKS_AROUND);
            }
        }));
        try {
            meanwhile.run();
        } finally {
            over.set(true);
            for (Future<?> one : running) {
                await(one);
            }
        }
        return report;
    }

    private static void await(Future<?> one) throws InterruptedException {
        try {
            one.get();
        } catch (ExecutionException broken) {
            throw new AssertionError("load must run", broken.getCause());
        }
    }

    private void write(int writer, Report report) {
        long begin = System.nanoTime();
        int seq = next[writer]++;
        try (Connection connection = router.openConnection(MAP, 1L)) {
            if (writer % 4 == 3) {
                writeInAutocommit(connection, writer, seq, report);
            } else {
                writeInTransaction(connection, writer, seq, report);
            }
            report.written.incrementAndGet();
            report.longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
        } catch (SQLException failure) {
            report.add(failure);
        }
        if (seq % 8 == 0) {
            readOwnWrite(writer, report);
        }
    }

    /** On a connection of its own: what this thread was told to be there must be there. */
    private void readOwnWrite(int writer, Report report) {
        NavigableSet<Integer> ledger = ledgers.get(writer);
        if (ledger.isEmpty()) {
            return;
        }
        try (Connection connection = router.openConnection(MAP, 1L);
                PreparedStatement query = connection.prepareStatement(
                        "select count(*) from event where vs = 1 and writer = ? and seq in (?, ?)")) {
            bind(query, writer, ledger.first());
            query.setInt(3, ledger.last());
            try (ResultSet found = query.executeQuery()) {
                found.next();
                if (found.getInt(1) != Math.min(2, ledger.size())) {
                    report.wrong.add(
                            "acknowledged rows not found: " + writer + "/" + ledger.first() + " or " + ledger.last());
                }
            }
        } catch (SQLException failure) {
            report.add(failure);
        }
    }

    private void writeInAutocommit(Connection connection, int writer, int seq, Report report) throws SQLException {
        if (writer >= PREPARING) {
            // Two rows in a batch; each number twice as high, so that none comes twice.
            try (PreparedStatement batch = connection.prepareStatement(INSERT)) {
                for (int row = 2 * seq; row <= 2 * seq + 1; row++) {
                    bind(batch, writer, row);
                    batch.addBatch();
                }
                batch.executeBatch();
            }
            ledgers.get(writer).addAll(List.of(2 * seq, 2 * seq + 1));
        } else {
            insert(connection, writer, seq);
            ledgers.get(writer).add(seq);
        }
        try (Statement statement = connection.createStatement()) {
            deleteOld(statement, writer, report).clear();
        }
    }

    private void writeInTransaction(Connection connection, int writer, int seq, Report report) throws SQLException {
        connection.setTransactionIsolation(
                switch (writer % 4) {
                    case 1 -> Connection.TRANSACTION_REPEATABLE_READ;
                    case 2 -> Connection.TRANSACTION_SERIALIZABLE;
                    default -> Connection.TRANSACTION_READ_COMMITTED;
                });
        connection.setAutoCommit(false);
        insert(connection, writer, seq);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("update counter set n = n + 1 where vs = 1 and writer = " + writer);
            transfer(statement);
            Set<Integer> old = deleteOld(statement, writer, report);
            connection.commit();
            transactions.incrementAndGet();
            old.clear();
            ledgers.get(writer).add(seq);
        }
    }

    /** Between two accounts in any order: deadlocks are part of the load. */
    private static void transfer(Statement statement) throws SQLException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int from = random.nextInt(ACCOUNTS) + 1;
        int to = random.nextInt(ACCOUNTS) + 1;
        int amount = random.nextInt(100);
        add(statement, from, -amount);
        add(statement, to, amount);
    }

    private static void add(Statement statement, int account, int amount) throws SQLException {
        statement.executeUpdate(
                "update account set balance = balance + (" + amount + ") where vs = 1 and id = " + account);
    }

    /** Deletes the oldest rows when there are many; each must still be there, once. Returns the part of the ledger that is void then. */
    private Set<Integer> deleteOld(Statement statement, int writer, Report report) throws SQLException {
        NavigableSet<Integer> ledger = ledgers.get(writer);
        if (ledger.size() < KEPT + OLDEST) {
            return new TreeSet<>();
        }
        int last = ledger.stream().skip(OLDEST - 1).findFirst().orElseThrow();
        int rows = statement.executeUpdate(
                "delete from event where vs = 1 and writer = " + writer + " and seq <= " + last);
        if (rows != OLDEST) {
            report.wrong.add("deleted " + rows + " of " + OLDEST + " rows: " + writer + "/" + last);
        }
        return ledger.headSet(last, true);
    }

    private static void insert(Connection connection, int writer, int seq) throws SQLException {
        if (writer >= PREPARING) {
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                bind(insert, writer, seq);
                insert.executeUpdate();
            }
        } else {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("insert into event (vs, writer, seq) values (1, " + writer + ", " + seq + ")");
            }
        }
    }

    private static void bind(PreparedStatement statement, int writer, int seq) throws SQLException {
        statement.setInt(1, writer);
        statement.setInt(2, seq);
    }

    /** Without a lock: proven by the server in the same round trip. */
    private void sum(Report report) {
        try (Connection connection = router.openConnection(MAP, 1L);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SUM)) {
            row.next();
            String answer = row.getLong(1) + " accounts, sum " + row.getLong(2);
            if (!answer.equals(right())) {
                report.wrong.add("by key: " + answer);
            }
            report.sums.incrementAndGet();
        } catch (SQLException failure) {
            report.add(failure);
        }
    }

    /** Each account of every virtual shard once, and each virtual shard's sum. */
    private void sumEverywhere(Report report) {
        try {
            Map<String, Long> balances = new HashMap<>();
            long[] sums = new long[SHARDS];
            List<Integer> shards = router.fanOut(MAP).query("select vs, id, balance from account", row -> {
                int shard = row.getInt(1);
                if (balances.put(shard + "/" + row.getInt(2), row.getLong(3)) != null) {
                    report.wrong.add("over servers: twice " + shard + "/" + row.getInt(2));
                }
                sums[shard] += row.getLong(3);
                return shard;
            });
            if (shards.size() != SHARDS * ACCOUNTS
                    || Arrays.stream(sums).anyMatch(sum -> sum != (long) ACCOUNTS * BALANCE)) {
                report.wrong.add("over servers: " + shards.size() + " accounts, sums " + Arrays.toString(sums));
            }
            report.fanOuts.incrementAndGet();
        } catch (SQLException failure) {
            report.add(failure);
        }
    }

    private static String right() {
        return ACCOUNTS + " accounts, sum " + ACCOUNTS * BALANCE;
    }

    /** Returns the rows that must be there, "writer/number" each; while no load runs. */
    Set<String> acknowledged() {
        Set<String> rows = new TreeSet<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            for (int seq : ledgers.get(writer)) {
                rows.add(writer + "/" + seq);
            }
        }
        return rows;
    }

    private void pause(Duration time) {
        LockSupport.parkNanos(this, time.toNanos());
    }

    static Meanwhile nothing(Duration time) {
        return () -> Thread.sleep(time.toMillis());
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
