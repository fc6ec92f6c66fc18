package io.shardmap.jdbc.fanout;

import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.fanout.FanOutSettings.Amount;
import io.shardmap.jdbc.fanout.FanOutSettings.Permits;
import io.shardmap.resolve.ShardResolver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Queries over all servers of a map, in parallel, with the answer that one database holding all rows would give. A query for which that
 * cannot be promised is refused, never approximated; {@link #explain} says why. Immutable, reusable, safe for use by many threads.
 *
 * <pre>{@code
 * try (FanOutResult result = router.fanOut("books").query("select isbn, title from books where year > ? order by isbn", 2000)) {
 *     ResultSet rows = result.resultSet();
 *     while (rows.next()) { ... }
 * }
 * }</pre>
 *
 * <p>Each server is asked once, however many virtual shards it holds, in a read-only READ COMMITTED transaction under a shared lock that
 * keeps virtual shards from leaving or joining it. Rows are handed out only when the servers' own ownership rows together cover the map
 * exactly once, so each row is seen once before, during and after a move. (A COUNT on H2 takes no lock: its ownership rows come in the same
 * statement.) Different servers are read at slightly different moments: each
 * server's rows are a snapshot, all of them together are not.
 *
 * <p>A query takes one connection of each server's pool, in the order of the servers' names, until its rows are read. While one result is
 * open, a second fan-out on the same thread needs a second connection per server.
 */
public final class FanOut {
    private final FanOuts fanOuts;
    private final ShardResolver resolver;
    private final FanOutSettings settings;

    FanOut(FanOuts fanOuts, ShardResolver resolver, FanOutSettings settings) {
        this.fanOuts = fanOuts;
        this.resolver = resolver;
        this.settings = settings;
    }

    /**
     * Returns a copy with another deadline: the time from the call of a query until its last row is read, waiting for connections and for
     * virtual shards on the move included. Default: 30 s.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public FanOut deadline(Duration deadline) {
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("deadline must be positive: deadline=" + deadline);
        }
        return with(settings.withDeadline(deadline));
    }

    /**
     * Returns a copy with another fetch size: how many rows each server sends at a time. No more than these are held in memory per
     * server, so a slow reader slows the servers. Without ORDER BY the rows come in turns of one lot per server, and each server sends its
     * next lot while another's is read. Default: 2,000.
     *
     * @param rows at least 1
     * @throws IllegalArgumentException when it is less
     */
    public FanOut fetchSize(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("fetch size must be >= 1: rows=" + rows);
        }
        return with(settings.withFetchSize(rows));
    }

    /**
     * Returns a copy whose queries, and those of all copies made of it, run on each server at most so many at a time; more wait until
     * their deadline. Default: no limit but the servers' pools.
     *
     * @param queries at least 1
     * @throws IllegalArgumentException when it is less
     */
    public FanOut concurrencyPerServer(int queries) {
        if (queries < 1) {
            throw new IllegalArgumentException("concurrency per server must be >= 1: queries=" + queries);
        }
        return with(settings.withPermits(new Permits(queries)));
    }

    /**
     * Returns a copy whose answers may lack servers that fail: {@link FanOutResult#outcomes()} names them, with their errors. Virtual
     * shards that the map places on them count as covered; all others must still be owned exactly once. When all servers fail, the first
     * error is thrown. The deadline still ends the whole query. Default: all or fail.
     */
    public FanOut partial() {
        return with(settings.withPartial());
    }

    /**
     * Returns a copy that runs the shares of all servers but the first on an executor of the caller; one that rejects a share has it run
     * on the calling thread. Default: daemon threads of the router.
     */
    public FanOut executor(Executor executor) {
        return with(settings.withExecutor(executor));
    }

    /**
     * Returns a copy with other limits on what one query may collect on its coordinator; one that needs more is refused with SQLSTATE
     * 54000. Queries whose rows are merged as they come have no such limits. Default: 1,000,000 rows and 256 MiB.
     *
     * @param rows rows of all tables together, at least 1
     * @param bytes bytes of all rows together, as sent by their servers or stored by the coordinator, at least 1
     * @throws IllegalArgumentException when one is less
     */
    public FanOut pullLimit(long rows, long bytes) {
        if (rows < 1 || bytes < 1) {
            throw new IllegalArgumentException("pull limits must be >= 1: rows=" + rows + ", bytes=" + bytes);
        }
        return with(settings.withPulled(new Amount(rows, bytes)));
    }

    /**
     * Returns a copy with limits on what one query may return: {@code next()} on the row that breaks one ends the query with SQLSTATE 54000.
     * Default: none.
     *
     * @param rows rows, at least 1
     * @param bytes bytes of all values as text in UTF-8, at least 1; {@link Long#MAX_VALUE} for no limit, which saves the counting
     * @throws IllegalArgumentException when one is less
     */
    public FanOut resultLimit(long rows, long bytes) {
        if (rows < 1 || bytes < 1) {
            throw new IllegalArgumentException("result limits must be >= 1: rows=" + rows + ", bytes=" + bytes);
        }
        return with(settings.withResult(new Amount(rows, bytes)));
    }

    /**
     * Returns a copy whose queries read one snapshot per server (REPEATABLE READ), all of them taken while no virtual shard can change server
     * and before the first row is read. So all tables of one server are seen at one moment. The moments of different servers still lie
     * apart, by milliseconds as a rule: a transaction that an application commits on two servers can be seen on one of them only. Costs some
     * round trips. PostgreSQL only, and not through a pooler that gives each transaction another session. Default: each statement has its
     * own snapshot.
     */
    public FanOut snapshot() {
        return with(settings.withSnapshot());
    }

    /**
     * Returns a copy whose queries that need a coordinator run on the given server. Default: each query text has one of the servers that
     * hold virtual shards.
     *
     * @param server name of a server that holds virtual shards
     */
    public FanOut coordinator(String server) {
        return with(settings.withCoordinator(server));
    }

    private FanOut with(FanOutSettings changed) {
        return new FanOut(fanOuts, resolver, changed);
    }

    /**
     * Runs a query and returns when all servers have their first rows. Close the result.
     *
     * @param sql a SELECT that {@link #explain} does not refuse
     * @param parameters values of its {@code ?} parameters, in order
     * @throws SQLException 0A000 with the construct and what to do when the query is refused; 57014 when the deadline passed; 08006
     *     transient when virtual shards changed server until the deadline, or a server or the shard-map database does not answer; a
     *     server's own error with its name in front
     */
    public FanOutResult query(String sql, @Nullable Object... parameters) throws SQLException {
        try {
            return fanOuts.query(resolver, settings, sql, Arrays.asList(parameters.clone()));
        } catch (ShardMapException refusal) {
            throw SqlErrors.of(refusal);
        }
    }

    /**
     * Runs a query and returns an object per row.
     *
     * @param sql a SELECT that {@link #explain} does not refuse
     * @param mapper makes an object of each row, on the calling thread
     * @param parameters values of its {@code ?} parameters, in order
     * @throws SQLException as {@link #query(String, Object...)}, or when the mapper throws
     */
    public <T> List<T> query(String sql, RowMapper<T> mapper, @Nullable Object... parameters) throws SQLException {
        try (FanOutResult result = query(sql, parameters)) {
            List<T> mapped = new ArrayList<>();
            ResultSet rows = result.resultSet();
            while (rows.next()) {
                mapped.add(mapper.map(rows));
            }
            return mapped;
        }
    }

    /**
     * Runs one UPDATE or DELETE on all servers, each for the rows that it owns. This is not one transaction: each server has its own. Nothing is
     * committed before the statement has run on all of them, so an error of a statement, a conflict or a server that is down changes nothing
     * anywhere; then the servers commit one after the other, and one that fails then leaves those before it changed and those after it not.
     * Readers see the servers change one by one. All virtual shards are locked as by a writer of each: moves wait, other writers do not.
     *
     * <p>With {@link #partial()}, servers that fail are left out and named in the report.
     *
     * @param sql UPDATE or DELETE over one sharded table, whose values and conditions depend on one row and the parameters alone. It must not
     *     change what a row's shard key is made of
     * @param parameters values of its {@code ?} parameters, in order
     * @return what was changed; all servers have done it, unless the answer may be partial
     * @throws PartialUpdateException when some servers have committed and others have not, or it is not known; its report says which
     * @throws SQLException when nothing was changed: as {@link #query(String, Object...)}
     */
    public UpdateReport update(String sql, @Nullable Object... parameters) throws SQLException {
        try {
            return fanOuts.update(resolver, settings, sql, Arrays.asList(parameters.clone()));
        } catch (ShardMapException refusal) {
            throw SqlErrors.of(refusal);
        }
    }

    /**
     * Returns what a query would do: the very plan that {@link #query(String, Object...)} runs, or a {@link FanOutPlan.Refusal}. No server
     * is asked, so a sort key whose type or collation cannot be merged is found out only by running it.
     *
     * @throws SQLException when the map is unknown or the shard-map database does not answer at its first use
     */
    public FanOutPlan explain(String sql) throws SQLException {
        try {
            ShardMap map = resolver.map();
            return fanOuts.plan(sql, fanOuts.view(map));
        } catch (ShardMapException refusal) {
            throw SqlErrors.of(refusal);
        }
    }
}
