package io.shardmap.jdbc.routed;

import io.shardmap.Route;
import io.shardmap.jdbc.error.SqlErrors;
import io.shardmap.jdbc.server.Refusal;
import io.shardmap.jdbc.server.TransactionStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs the statements of a routed connection: has every transaction enter its virtual shard in the form that fits ({@link Form}), and
 * when the server refuses goes to the owner and repeats, or waits for it. A refused statement has not run.
 */
final class StatementRunner {
    /**
     * A lock-free read that took no longer than this was over before a mover may remove rows: movers keep them at
     * least twice as long after they closed a server. A longer one is checked again at its end.
     */
    static final Duration LOCK_FREE_READ_LIMIT = Duration.ofMillis(500);

    /** One way to run a statement, given the form and the place. */
    @FunctionalInterface
    interface Execution<R extends @Nullable Object> {
        R run(Form form, Connection on, Route route) throws SQLException;
    }

    private final RoutingConfig config;
    private final Attachment place;
    private final TransactionState transaction = new TransactionState();
    private boolean readOnly;
    /** The session carries state that another server would not have. */
    private boolean pinned;

    StatementRunner(RoutingConfig config, Attachment place) {
        this.config = config;
        this.place = place;
    }

    boolean isReadOnly() {
        return readOnly;
    }

    void setReadOnly(boolean flag) {
        readOnly = flag;
    }

    boolean isPinned() {
        return pinned;
    }

    /** Says that the transaction has ended by a call on the connection. */
    void transactionEnded() {
        transaction.end();
    }

    boolean hasEntered(int virtualShard) {
        return transaction.hasEntered(virtualShard);
    }

    /** Runs something that must see its virtual shard entered before, such as a savepoint. */
    <R extends @Nullable Object> R afterEntering(Execution<R> execution) throws SQLException {
        return execute(StatementKind.SAVEPOINT, null, false, execution);
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
            Connection on = place.attach();
            try {
                return attempt(kind, text, singleTrip, execution, on);
            } catch (SQLException error) {
                Refusal refusal = place.dialect().refusalOf(error);
                if (refusal == Refusal.NONE) {
                    throw error;
                }
                place.refused(refusal);
                patience = patience == null ? new Patience(config) : patience;
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
        return switch (kind) {
            case READ, OTHER -> data(status, text, singleTrip, execution, on);
            case SEVERAL -> data(status, text, false, execution, on);
            case SESSION_OBJECT -> {
                R result = data(status, text, singleTrip, execution, on);
                pinned = true;
                yield result;
            }
            case SESSION -> {
                R result = execution.run(Form.BARE, on, place.route());
                pinned = true;
                yield result;
            }
            case SAVEPOINT -> {
                enterAlone(status, on);
                transaction.start();
                yield execution.run(Form.BARE, on, place.route());
            }
            case TRANSACTION_CONTROL -> {
                R result = execution.run(Form.BARE, on, place.route());
                if (!place.dialect().oneRoundTrip()) {
                    transaction.end();
                }
                if (text != null && text.beginsTransaction()) {
                    transaction.addPreamble(text.sql());
                }
                yield result;
            }
            case PREAMBLE -> {
                R result = execution.run(Form.BARE, on, place.route());
                if (text != null && !begins(status)) {
                    transaction.addPreamble(text.sql());
                }
                yield result;
            }
            case OUTSIDE_TRANSACTION ->
                throw SqlErrors.notSupported(
                        "statement must be able to run in a transaction, in which ownership is proven: sql=" + sql(text)
                                + "; run it on a connection to a server by name (ShardRouter.openServer)");
            case SEVERAL_WITH_CONTROL ->
                throw SqlErrors.notSupported("a text of several statements must not begin or end a transaction: sql="
                        + sql(text) + "; send its statements one by one");
        };
    }

    private static String sql(StatementTexts.@Nullable Text text) {
        return text == null ? "" : text.sql();
    }

    /** Returns whether a statement that is sent now is a transaction of its own. */
    private boolean begins(TransactionStatus status) {
        return place.autoCommit() && (status == TransactionStatus.IDLE || status == TransactionStatus.UNKNOWN);
    }

    private <R extends @Nullable Object> R data(
            TransactionStatus status,
            StatementTexts.@Nullable Text text,
            boolean singleTrip,
            Execution<R> execution,
            Connection on)
            throws SQLException {
        Route route = place.route();
        if (status == TransactionStatus.FAILED || transaction.hasEntered(route.virtualShard())) {
            return execution.run(Form.BARE, on, route);
        }
        boolean begins = begins(status);
        if (!singleTrip
                || !place.dialect().oneRoundTrip()
                || (!begins && place.dialect().automaticSavepoints(on))) {
            return enteredFirst(status, begins, execution, on);
        }
        if (!begins) {
            R result = execution.run(readOnly ? Form.ENTER_READ_ONLY : Form.ENTER, on, route);
            transaction.enter(route.virtualShard());
            transaction.start();
            return result;
        }
        if (text != null && text.readsPlainTables(on)) {
            try {
                return checkedRead(execution, on);
            } catch (SQLException error) {
                if (place.dialect().refusalOf(error) != Refusal.NONE || !mayComeFromTheWrongServer(error)) {
                    throw error;
                }
                // Under the lock the error is the owner's own.
            }
        }
        return locked(execution, on);
    }

    private <R extends @Nullable Object> R checkedRead(Execution<R> execution, Connection on) throws SQLException {
        Route route = place.route();
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

    /** Connection failures, cancellations and shortages say nothing of the server's data. */
    private static boolean mayComeFromTheWrongServer(SQLException error) {
        String state = error.getSQLState();
        return state != null && !state.startsWith("08") && !state.startsWith("57") && !state.startsWith("53");
    }

    private <R extends @Nullable Object> R locked(Execution<R> execution, Connection on) throws SQLException {
        try {
            return execution.run(readOnly ? Form.LOCKED_READ_ONLY : Form.LOCKED, on, place.route());
        } catch (SQLException error) {
            endFailed(on, error);
            throw error;
        }
    }

    /** The composite begins a transaction of its own; an error leaves it open on a connection whose driver is in autocommit. */
    private void endFailed(Connection on, SQLException error) {
        try {
            if (place.dialect().transactionStatus(on) != TransactionStatus.IDLE) {
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
            transaction.start();
            return execution.run(Form.BARE, on, place.route());
        }
        on.setAutoCommit(false);
        try {
            place.dialect().enter(on, place.route());
            becomeReadOnly(on);
            R result = execution.run(Form.BARE, on, place.route());
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
        Route route = place.route();
        if (status != TransactionStatus.FAILED && !transaction.hasEntered(route.virtualShard())) {
            place.dialect().enter(on, route);
            becomeReadOnly(on);
            transaction.enter(route.virtualShard());
        }
    }

    private void becomeReadOnly(Connection on) throws SQLException {
        if (readOnly && place.dialect().oneRoundTrip()) {
            try (Statement statement = on.createStatement()) {
                statement.execute("set transaction read only");
            }
        }
    }

    /** Looks at the driver's transaction state; when no transaction is open, nothing is entered (also after a raw COMMIT). */
    TransactionStatus observe(Connection on) throws SQLException {
        TransactionStatus status = place.dialect().transactionStatus(on);
        if (status == TransactionStatus.IDLE) {
            transaction.end();
        }
        return status;
    }

    /** Returns whether a transaction of the user is open. */
    boolean inTransaction() throws SQLException {
        Connection on = place.current();
        if (on == null) {
            return false;
        }
        TransactionStatus status = observe(on);
        return status == TransactionStatus.UNKNOWN ? transaction.isStarted() : status != TransactionStatus.IDLE;
    }

    /** Enters one more virtual shard of the same server in the open transaction; false when the server refuses. */
    boolean enterAlso(Route route) throws SQLException {
        Connection on = place.attach();
        if (observe(on) == TransactionStatus.FAILED || place.dialect().tryEnter(on, route) != Refusal.NONE) {
            return false;
        }
        transaction.start();
        transaction.enter(route.virtualShard());
        return true;
    }

    /** After a refusal: goes to the new owner, or waits for it; throws when neither is possible. */
    private void startOver(Connection on, Refusal refusal, SQLException error, Patience patience) throws SQLException {
        Route route = place.route();
        if (transaction.isStarted()) {
            throw SqlErrors.moving(route, patience.waited(), error);
        }
        if (place.autoCommit()) {
            endFailed(on, error);
        } else {
            on.rollback();
        }
        transaction.startOver();
        Route next = place.look(refusal == Refusal.STALE || patience.hasPaused());
        boolean sameServer = next.server().equals(route.server());
        if (!sameServer) {
            requireUnpinned("when its virtual shard changes server from "
                    + route.server().name() + " to " + next.server().name());
        }
        if (!pinned) {
            place.detach();
        }
        if (sameServer && next.epoch() == route.epoch() && !patience.pause()) {
            throw SqlErrors.moving(route, patience.waited(), error);
        }
        place.become(next);
        replayPreamble();
    }

    private void replayPreamble() throws SQLException {
        if (!transaction.preamble().isEmpty()) {
            Connection on = place.attach();
            for (String sql : transaction.preamble()) {
                try (Statement statement = on.createStatement()) {
                    statement.execute(sql);
                }
            }
        }
    }

    /** Refuses to leave a server whose session carries state. */
    void requireUnpinned(String when) throws SQLException {
        if (pinned) {
            Route route = place.route();
            throw SqlErrors.notSupported("session must carry no state of its own " + when + ": map=" + route.map()
                    + ", virtualShard=" + route.virtualShard() + "; open a new connection for the key");
        }
    }
}
