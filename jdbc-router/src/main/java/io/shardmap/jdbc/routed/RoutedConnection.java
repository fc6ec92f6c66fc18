package io.shardmap.jdbc.routed;

import io.shardmap.Route;
import io.shardmap.ShardMapException;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.forwarding.ForwardingConnection;
import io.shardmap.jdbc.server.Refusal;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.jdbc.server.TransactionStatus;
import io.shardmap.resolve.ShardResolver;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.sql.Savepoint;
import java.sql.ShardingKey;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A connection to whatever server holds one virtual shard, in STRICT mode. The physical connection is chosen at the first statement.
 * Every transaction first enters the virtual shard on the server, in the round trip of its first statement ({@link Form}). When the
 * server refuses, the user's statement has not run: the router refreshes the map, goes to the owner and repeats it, unless the
 * session carries state that would be lost ({@code pinned}).
 *
 * <p>Used by one thread at a time, like every connection.
 */
final class RoutedConnection extends ForwardingConnection {
    /**
     * A lock-free read that took no longer than this was over before a mover may remove rows: movers keep them at least twice as long
     * after they closed a server. A longer one is checked again at its end.
     */
    static final Duration LOCK_FREE_READ_LIMIT = Duration.ofMillis(500);

    /** One way to run a statement, given the form and the place. */
    @FunctionalInterface
    interface Execution<R extends @Nullable Object> {
        R run(Form form, Connection on, Route route) throws SQLException;
    }

    private interface Setting {
        void apply(Connection physical) throws SQLException;
    }

    private final RoutedConnections factory;
    private final ShardResolver resolver;
    private final Map<String, Setting> settings = new LinkedHashMap<>();
    private final List<String> preamble = new ArrayList<>();
    private final Set<Integer> entered = new HashSet<>();
    private Route route;
    private ServerDialect dialect;
    private @Nullable Connection physical;
    private boolean autoCommit = true;
    private boolean readOnly;
    /** A statement of the user has run in the open transaction, so it cannot start over elsewhere. */
    private boolean started;
    /** The session carries state that another server would not have. */
    private boolean pinned;

    private boolean closed;

    RoutedConnection(RoutedConnections factory, ShardResolver resolver, Route route) {
        this.factory = factory;
        this.resolver = resolver;
        this.route = route;
        this.dialect = factory.pools().dialect(route.server());
    }

    // ---- running statements
    // -------------------------------------------------------------------------------------------------

    StatementTexts.Text text(String sql) {
        return factory.texts().of(sql);
    }

    /**
     * Runs a statement on the server that owns the virtual shard.
     *
     * @param text the user's text
     * @param singleTrip whether the ownership check may travel with it; otherwise the check goes ahead on its own
     * @param execution sends the statement in the form it is given
     */
    <R extends @Nullable Object> R execute(StatementTexts.Text text, boolean singleTrip, Execution<R> execution)
            throws SQLException {
        return execute(text.kind(), text, singleTrip, execution);
    }

    private <R extends @Nullable Object> R execute(
            StatementKind kind, StatementTexts.@Nullable Text text, boolean singleTrip, Execution<R> execution)
            throws SQLException {
        Patience patience = null;
        while (true) {
            Connection on = attach();
            try {
                return attempt(kind, text, singleTrip, execution, on);
            } catch (SQLException error) {
                Refusal refusal = dialect.refusalOf(error);
                if (refusal == Refusal.NONE) {
                    throw error;
                }
                patience = patience == null ? new Patience(factory.config()) : patience;
                startOver(on, refusal, error, patience);
            }
        }
    }

    private <R extends @Nullable Object> R attempt(
            StatementKind kind,
            StatementTexts.@Nullable Text text,
            boolean singleTrip,
            Execution<R> execution,
            Connection on)
            throws SQLException {
        TransactionStatus status = observe(on);
        switch (kind) {
            case READ, OTHER -> {
                return data(status, text, singleTrip, execution, on);
            }
            case SEVERAL -> {
                return data(status, text, false, execution, on);
            }
            case SESSION_OBJECT -> {
                R result = data(status, text, singleTrip, execution, on);
                pinned = true;
                return result;
            }
            case SAVEPOINT -> {
                enterAlone(status, on);
                started = true;
                return execution.run(Form.BARE, on, route);
            }
            case TRANSACTION_CONTROL -> {
                R result = execution.run(Form.BARE, on, route);
                if (!dialect.oneRoundTrip()) {
                    transactionEnded();
                }
                if (text != null && text.beginsTransaction()) {
                    preamble.add(text.sql());
                }
                return result;
            }
            case PREAMBLE -> {
                R result = execution.run(Form.BARE, on, route);
                if (text != null && !started && !(autoCommit && status == TransactionStatus.IDLE)) {
                    preamble.add(text.sql());
                }
                return result;
            }
            case SESSION -> {
                R result = execution.run(Form.BARE, on, route);
                pinned = true;
                return result;
            }
            case OUTSIDE_TRANSACTION ->
                throw SqlErrors.notSupported(
                        "statement must be able to run in a transaction, in which ownership is proven: sql=" + sql(text)
                                + "; run it on a connection to a server by name (ShardRouter.openServer)");
            case SEVERAL_WITH_CONTROL ->
                throw SqlErrors.notSupported("a text of several statements must not begin or end a transaction: sql="
                        + sql(text) + "; send its statements one by one");
        }
        throw new IllegalStateException("unknown kind of statement: " + kind);
    }

    private static String sql(StatementTexts.@Nullable Text text) {
        return text == null ? "" : text.sql();
    }

    private <R extends @Nullable Object> R data(
            TransactionStatus status,
            StatementTexts.@Nullable Text text,
            boolean singleTrip,
            Execution<R> execution,
            Connection on)
            throws SQLException {
        if (status == TransactionStatus.FAILED || entered.contains(route.virtualShard())) {
            return execution.run(Form.BARE, on, route);
        }
        boolean begins = autoCommit && status != TransactionStatus.OPEN;
        if (!singleTrip || !dialect.oneRoundTrip() || (!begins && dialect.automaticSavepoints(on))) {
            return enteredFirst(status, begins, execution, on);
        }
        if (!begins) {
            R result = execution.run(readOnly ? Form.ENTER_READ_ONLY : Form.ENTER, on, route);
            entered.add(route.virtualShard());
            started = true;
            return result;
        }
        if (text != null && text.readsPlainTables(on)) {
            try {
                return checkedRead(execution, on);
            } catch (SQLException error) {
                if (dialect.refusalOf(error) != Refusal.NONE || !mayComeFromTheWrongServer(error)) {
                    throw error;
                }
                // Under the lock the error is the owner's own.
            }
        }
        return locked(execution, on);
    }

    private <R extends @Nullable Object> R checkedRead(Execution<R> execution, Connection on) throws SQLException {
        long start = System.nanoTime();
        R result = execution.run(Form.CHECKED_READ, on, route);
        if (System.nanoTime() - start > LOCK_FREE_READ_LIMIT.toNanos()) {
            try (PreparedStatement again = on.prepareStatement(Form.CHECKED_READ.prepared("select 1"))) {
                Form.CHECKED_READ.bind(again, route);
                Results.skipOurs(again, Form.CHECKED_READ, route, again.execute());
            }
        }
        return result;
    }

    private static boolean mayComeFromTheWrongServer(SQLException error) {
        String state = error.getSQLState();
        return state != null && !state.startsWith("08") && !state.startsWith("57") && !state.startsWith("53");
    }

    private <R extends @Nullable Object> R locked(Execution<R> execution, Connection on) throws SQLException {
        try {
            return execution.run(readOnly ? Form.LOCKED_READ_ONLY : Form.LOCKED, on, route);
        } catch (SQLException error) {
            endFailed(on, error);
            throw error;
        }
    }

    /** The composite begins a transaction of its own; an error leaves it open on a connection whose driver is in autocommit. */
    private void endFailed(Connection on, SQLException error) {
        try {
            if (dialect.transactionStatus(on) != TransactionStatus.IDLE) {
                try (Statement statement = on.createStatement()) {
                    statement.execute("rollback");
                }
            }
        } catch (SQLException broken) {
            error.addSuppressed(broken);
        }
    }

    private <R extends @Nullable Object> R enteredFirst(
            TransactionStatus status, boolean begins, Execution<R> execution, Connection on) throws SQLException {
        if (!begins) {
            enterAlone(status, on);
            started = true;
            return execution.run(Form.BARE, on, route);
        }
        on.setAutoCommit(false);
        try {
            dialect.enter(on, route);
            becomeReadOnly(on);
            R result = execution.run(Form.BARE, on, route);
            on.commit();
            return result;
        } catch (SQLException | RuntimeException error) {
            on.rollback();
            throw error;
        } finally {
            on.setAutoCommit(true);
        }
    }

    private void enterAlone(TransactionStatus status, Connection on) throws SQLException {
        if (status != TransactionStatus.FAILED && entered.add(route.virtualShard())) {
            try {
                dialect.enter(on, route);
                becomeReadOnly(on);
            } catch (SQLException error) {
                entered.remove(route.virtualShard());
                throw error;
            }
        }
    }

    private void becomeReadOnly(Connection on) throws SQLException {
        if (readOnly && dialect.oneRoundTrip()) {
            try (Statement statement = on.createStatement()) {
                statement.execute("set transaction read only");
            }
        }
    }

    /** Looks at the driver's transaction state; when no transaction is open, nothing is entered (also after a raw COMMIT). */
    private TransactionStatus observe(Connection on) throws SQLException {
        TransactionStatus status = dialect.transactionStatus(on);
        if (status == TransactionStatus.IDLE) {
            transactionEnded();
        }
        return status;
    }

    private void transactionEnded() {
        entered.clear();
        preamble.clear();
        started = false;
    }

    /** After a refusal: goes to the new owner, or waits for it; throws when neither is possible. */
    private void startOver(Connection on, Refusal refusal, SQLException error, Patience patience) throws SQLException {
        if (started) {
            throw SqlErrors.moving(route, patience.waited(), error);
        }
        if (!autoCommit) {
            on.rollback();
        } else {
            endFailed(on, error);
        }
        entered.clear();
        Route next = reroute(refusal == Refusal.STALE || patience.waited().toMillis() > 0);
        boolean sameServer = next.server().equals(route.server());
        if (pinned && !sameServer) {
            throw SqlErrors.notSupported(
                    "session must carry no state of its own when its virtual shard changes server: map="
                            + route.map() + ", virtualShard=" + route.virtualShard() + ", from="
                            + route.server().name() + ", to="
                            + next.server().name() + "; open a new connection for the key");
        }
        boolean nothingNew = sameServer && next.epoch() == route.epoch();
        if (!pinned) {
            detach();
        }
        if (nothingNew && !patience.pause()) {
            throw SqlErrors.moving(route, patience.waited(), error);
        }
        become(next);
        replayPreamble();
    }

    private Route reroute(boolean refresh) throws SQLException {
        try {
            return (refresh ? resolver.refresh(route.generation()) : resolver.map()).routeOf(route.virtualShard());
        } catch (ShardMapException refusal) {
            throw SqlErrors.of(refusal);
        }
    }

    private void become(Route next) {
        route = next;
        dialect = factory.pools().dialect(next.server());
    }

    private void replayPreamble() throws SQLException {
        if (!preamble.isEmpty()) {
            Connection on = attach();
            for (String sql : preamble) {
                try (Statement statement = on.createStatement()) {
                    statement.execute(sql);
                }
            }
        }
    }

    // ---- the physical connection
    // --------------------------------------------------------------------------------------------

    @Override
    protected Connection delegate() throws SQLException {
        return attach();
    }

    private Connection attach() throws SQLException {
        if (closed) {
            throw new SQLNonTransientConnectionException("connection must be open: it has been closed", "08003");
        }
        Connection on = physical;
        if (on == null) {
            on = borrow();
            try {
                for (Setting setting : settings.values()) {
                    setting.apply(on);
                }
                if (!autoCommit) {
                    on.setAutoCommit(false);
                }
            } catch (SQLException e) {
                on.close();
                throw e;
            }
            physical = on;
        }
        return on;
    }

    private Connection borrow() throws SQLException {
        try {
            return factory.pools().open(route.server());
        } catch (SQLTransientConnectionException unreachable) {
            Route next = reroute(true);
            if (!next.server().equals(route.server())) {
                become(next);
                return factory.pools().open(route.server());
            }
            throw SqlErrors.unavailable(route, unreachable);
        }
    }

    /** Returns the physical connection to its pool, or null when there is none. */
    private void detach() throws SQLException {
        Connection on = physical;
        physical = null;
        if (on != null) {
            on.close();
        }
    }

    /** Returns whether a physical statement belongs to the connection that is attached now. */
    boolean isAttached(@Nullable Connection on) {
        return on != null && on == physical;
    }

    @Override
    public void close() throws SQLException {
        if (closed) {
            return;
        }
        closed = true;
        Connection on = physical;
        if (on != null && !on.isClosed()) {
            if (autoCommit && dialect.transactionStatus(on) == TransactionStatus.OPEN) {
                try (Statement statement = on.createStatement()) {
                    statement.execute("rollback");
                }
            }
            if (pinned && factory.config().discardOnClose() && dialect.oneRoundTrip()) {
                if (!autoCommit) {
                    on.rollback();
                    on.setAutoCommit(true);
                }
                try (Statement statement = on.createStatement()) {
                    statement.execute("discard all");
                }
            }
        }
        detach();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        closed = true;
        Connection on = physical;
        physical = null;
        if (on != null) {
            on.abort(executor);
        }
    }

    // ---- transactions
    // -------------------------------------------------------------------------------------------------------

    @Override
    public boolean getAutoCommit() {
        return autoCommit;
    }

    @Override
    public void setAutoCommit(boolean flag) throws SQLException {
        requireOpen();
        if (autoCommit != flag) {
            if (physical != null) {
                physical.setAutoCommit(flag);
            }
            autoCommit = flag;
            transactionEnded();
        }
    }

    @Override
    public void commit() throws SQLException {
        requireManual("commit");
        if (physical != null) {
            physical.commit();
        }
        transactionEnded();
    }

    @Override
    public void rollback() throws SQLException {
        requireManual("rollback");
        if (physical != null) {
            physical.rollback();
        }
        transactionEnded();
    }

    private void requireManual(String call) throws SQLException {
        requireOpen();
        if (autoCommit) {
            throw new SQLException(call + " needs autocommit to be off: call setAutoCommit(false) first", "25P01");
        }
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        return execute(StatementKind.SAVEPOINT, null, false, (form, on, at) -> on.setSavepoint());
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        return execute(StatementKind.SAVEPOINT, null, false, (form, on, at) -> on.setSavepoint(name));
    }

    @Override
    public void setReadOnly(boolean flag) throws SQLException {
        requireOpen();
        if (physical != null && dialect.transactionStatus(physical) == TransactionStatus.OPEN) {
            throw new SQLException("read-only must be set before the transaction begins", "25001");
        }
        readOnly = flag;
    }

    @Override
    public boolean isReadOnly() {
        return readOnly;
    }

    private void requireOpen() throws SQLException {
        if (closed) {
            throw new SQLNonTransientConnectionException("connection must be open: it has been closed", "08003");
        }
    }

    // ---- settings that follow the connection to another server
    // --------------------------------------------------------------

    private void set(String name, Setting setting) throws SQLException {
        requireOpen();
        if (physical != null) {
            setting.apply(physical);
        }
        settings.put(name, setting);
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        set("isolation", on -> on.setTransactionIsolation(level));
    }

    @Override
    public void setSchema(String schema) throws SQLException {
        set("schema", on -> on.setSchema(schema));
    }

    @Override
    public void setCatalog(String catalog) throws SQLException {
        set("catalog", on -> on.setCatalog(catalog));
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        set("holdability", on -> on.setHoldability(holdability));
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
        set("typeMap", on -> on.setTypeMap(map));
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        set("networkTimeout", on -> on.setNetworkTimeout(executor, milliseconds));
    }

    @Override
    public void setClientInfo(String name, String value) throws SQLClientInfoException {
        clientInfo("clientInfo " + name, on -> on.setClientInfo(name, value));
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        clientInfo("clientInfo", on -> on.setClientInfo(properties));
    }

    private void clientInfo(String name, Setting setting) throws SQLClientInfoException {
        try {
            set(name, setting);
        } catch (SQLClientInfoException e) {
            throw e;
        } catch (SQLException e) {
            throw new SQLClientInfoException(e.getMessage(), e.getSQLState(), e.getErrorCode(), Map.of(), e);
        }
    }

    // ---- statements
    // ---------------------------------------------------------------------------------------------------------

    @Override
    public Statement createStatement() throws SQLException {
        return statement(ResultShape.DEFAULT);
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        return statement(ResultShape.of(type, concurrency));
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        return statement(new ResultShape(type, concurrency, holdability));
    }

    private Statement statement(ResultShape shape) throws SQLException {
        requireOpen();
        return new RoutedStatement(this, shape);
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return prepared(ResultShape.DEFAULT, sql, KeyRequest.NONE);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        return prepared(ResultShape.of(type, concurrency), sql, KeyRequest.NONE);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return prepared(new ResultShape(type, concurrency, holdability), sql, KeyRequest.NONE);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
        return prepared(ResultShape.DEFAULT, sql, KeyRequest.of(autoGeneratedKeys));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
        return prepared(ResultShape.DEFAULT, sql, KeyRequest.of(columnIndexes));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
        return prepared(ResultShape.DEFAULT, sql, KeyRequest.of(columnNames));
    }

    private PreparedStatement prepared(ResultShape shape, String sql, KeyRequest keys) throws SQLException {
        requireOpen();
        return new RoutedPreparedStatement(this, shape, sql, keys);
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        return call(ResultShape.DEFAULT, sql);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
        return call(ResultShape.of(type, concurrency), sql);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability) throws SQLException {
        return call(new ResultShape(type, concurrency, holdability), sql);
    }

    private CallableStatement call(ResultShape shape, String sql) throws SQLException {
        requireOpen();
        return new RoutedCallableStatement(this, shape, sql);
    }

    @Override
    public Array createArrayOf(String typeName, Object[] elements) throws SQLException {
        requireOpen();
        return new DetachedArray(typeName, elements);
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        return RoutedMetaData.of(attach().getMetaData(), this);
    }

    // ---- JDBC 4.3 sharding
    // --------------------------------------------------------------------------------------------------

    @Override
    public void setShardingKey(ShardingKey key) throws SQLException {
        Route next = routeOf(key);
        if (next.virtualShard() == route.virtualShard()) {
            return;
        }
        if (inTransaction()) {
            throw SqlErrors.notSupported(
                    "sharding key must not change inside a transaction: map=" + route.map() + ", from="
                            + route.virtualShard() + ", to=" + next.virtualShard()
                            + "; end the transaction first, or ask setShardingKeyIfValid");
        }
        if (!next.server().equals(route.server())) {
            if (pinned) {
                throw SqlErrors.notSupported(
                        "session must carry no state of its own when its key changes: open a new connection for the key");
            }
            detach();
        }
        become(next);
    }

    @Override
    public void setShardingKey(ShardingKey key, ShardingKey superKey) throws SQLException {
        refuseSuperKey(superKey);
        setShardingKey(key);
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey key, int timeoutSeconds) throws SQLException {
        if (timeoutSeconds < 0) {
            throw new SQLException("timeout must be >= 0: seconds=" + timeoutSeconds, "22023");
        }
        Route next = routeOf(key);
        if (entered.contains(next.virtualShard())) {
            return true;
        }
        if (!next.server().equals(route.server())) {
            return false;
        }
        if (!inTransaction()) {
            become(next);
            return true;
        }
        Connection on = attach();
        if (observe(on) == TransactionStatus.FAILED || dialect.tryEnter(on, next) != Refusal.NONE) {
            return false;
        }
        started = true;
        entered.add(next.virtualShard());
        return true;
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey key, ShardingKey superKey, int timeoutSeconds)
            throws SQLException {
        refuseSuperKey(superKey);
        return setShardingKeyIfValid(key, timeoutSeconds);
    }

    private static void refuseSuperKey(@Nullable ShardingKey superKey) throws SQLException {
        if (superKey != null) {
            throw SqlErrors.notSupported("a shard map has no super sharding key: pass null");
        }
    }

    private Route routeOf(ShardingKey key) throws SQLException {
        requireOpen();
        if (!(key instanceof RoutingKey routingKey) || !routingKey.map().equals(route.map())) {
            throw SqlErrors.notSupported("sharding key must come from this data source: map=" + route.map() + ", key="
                    + key + "; make it with createShardingKeyBuilder()");
        }
        try {
            return resolver.resolve(routingKey.key());
        } catch (ShardMapException refusal) {
            throw SqlErrors.of(refusal);
        }
    }

    private boolean inTransaction() throws SQLException {
        if (physical == null) {
            return false;
        }
        TransactionStatus status = observe(physical);
        return status == TransactionStatus.UNKNOWN ? started : status != TransactionStatus.IDLE;
    }

    // ---- the way to the driver
    // ----------------------------------------------------------------------------------------------

    /**
     * Gives the driver's own objects, whose statements nobody validates, only inside a transaction that has entered its virtual shard.
     */
    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        if (autoCommit) {
            throw SqlErrors.notSupported("the driver's connection must be used inside a validated transaction: type="
                    + type.getName() + "; call setAutoCommit(false) first, or use ShardRouter.openServer");
        }
        return execute(StatementKind.SAVEPOINT, null, false, (form, on, at) -> on.unwrap(type));
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || attach().isWrapperFor(type);
    }

    @Override
    public String toString() {
        return "RoutedConnection[" + route.map() + "/" + route.virtualShard() + " on "
                + route.server().name() + "]";
    }

    /** Runs a query whose answer says nothing of sharded rows, such as the description of a statement. */
    ResultSet wrap(ResultSet rows, Statement statement) {
        return new RoutedResultSet(rows, statement);
    }
}
