package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;

/**
 * The stream of a reversible move from the target back to the source. Its slot is made while the source still serves, because that waits
 * for every transaction that writes on the target. What the target got from the source, by copy or by stream, must not come back, and what
 * is written on it later must not be missed: so the stream begins where the target's log ends between the last drain and the opening of
 * the target. That position is in the journal before the target opens. Afterwards, when nobody waits, the slot is advanced to it and
 * copied: a crash may take an advanced slot back, a copied one is on disk. Only when the stream there is gone does the source subscribe,
 * so that no change goes round.
 */
final class ReverseStream {
    private static final String POSITION = "STREAM_BACK_FROM";

    private final Run run;
    private final ChangeStream stream;

    private ReverseStream(Run run) {
        ChangeStream latest = ChangeStream.latest(run, ChangeStream.Way.BACK);
        if (latest == null) {
            throw new StreamLostException("stream back must be recorded: " + run.status());
        }
        this.run = run;
        this.stream = latest;
    }

    /** Makes what must be there before the switch; the source serves meanwhile. */
    static void prepare(Run run) {
        ChangeStream stream = ChangeStream.record(run, ChangeStream.Way.BACK);
        run.reached(CrashPoint.AFTER_BACK_RECORDED);
        stream.publish();
        run.reached(CrashPoint.AFTER_BACK_PUBLICATION);
        ChangeStream.closeQuietly(stream.createSlot(stream.earlySlot()).connection());
        run.reached(CrashPoint.AFTER_BACK_SLOT);
    }

    /** Records where the stream begins: the target has everything from the closed source, and is not open yet. */
    static void mark(Run run) {
        String position = run.target().read("read the position", (on, dialect) -> {
            try (PreparedStatement query = on.prepareStatement("select pg_current_wal_insert_lsn()::text");
                    ResultSet row = query.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        });
        run.context().moves().record(run.move(), POSITION, position);
        run.reached(CrashPoint.AFTER_BACK_POSITION);
    }

    /**
     * Ends the stream there, starts the one back, and leaves the move waiting. Repeating it completes what a crash left.
     *
     * @throws StreamLostException when the slot does not have what is needed any more
     */
    static void start(Run run) {
        ChangeStream.drop(run, EnumSet.of(ChangeStream.Way.THERE));
        new ReverseStream(run).start();
        run.enter(MoveState.REVERSIBLE);
        run.reached(CrashPoint.AFTER_REVERSIBLE);
    }

    private void start() {
        if (!stream.isSubscribed()) {
            begin();
            run.reached(CrashPoint.AFTER_BACK_BEGUN);
            stream.dropSlot(stream.earlySlot());
            stream.subscribe();
        }
        run.reached(CrashPoint.AFTER_BACK_SUBSCRIPTION);
        stream.check();
    }

    /** A slot cannot be copied in a transaction that holds the token, which counts as a write: a successor ends this session first. */
    private void begin() {
        String position = position();
        stream.publisher().read("begin the stream back", (on, dialect) -> {
            if (!SlotHealth.read(on, stream.name()).usable()) {
                if (!SlotHealth.read(on, stream.earlySlot()).usable()) {
                    throw new StreamLostException("slot of the stream back must be there: server="
                            + run.status().target() + ", slot=" + stream.earlySlot());
                }
                execute(on, "select pg_replication_slot_advance(?, ?::pg_lsn)", stream.earlySlot(), position);
                execute(on, "select pg_copy_logical_replication_slot(?, ?)", stream.earlySlot(), stream.name());
            }
            return true;
        });
    }

    private String position() {
        List<String> marks = run.context().moves().journal(run.status().id()).stream()
                .filter(entry -> entry.step().equals(POSITION))
                .map(entry -> String.valueOf(entry.detail()))
                .toList();
        if (marks.isEmpty()) {
            throw new StreamLostException("beginning of the stream back must be recorded: " + run.status());
        }
        return marks.get(marks.size() - 1);
    }

    private static void execute(Connection on, String sql, String first, String second) throws SQLException {
        try (PreparedStatement statement = on.prepareStatement(sql)) {
            statement.setString(1, first);
            statement.setString(2, second);
            statement.execute();
        }
    }

    /**
     * Gives the way back up: the target keeps no log any longer, the move can only be completed. A mover without a session on the source
     * leaves the subscription there until the move is completed.
     */
    static void giveUp(Run run, String why) {
        ChangeStream stream = ChangeStream.latest(run, ChangeStream.Way.BACK);
        if (stream != null) {
            if (run.hasSource()) {
                stream.dropSubscription();
            }
            run.reached(CrashPoint.AFTER_SUBSCRIPTION_DROPPED);
            stream.dropSlots();
            run.reached(CrashPoint.AFTER_SLOT_DROPPED);
            stream.dropPublication();
            run.reached(CrashPoint.AFTER_PUBLICATION_DROPPED);
        }
        run.enter(MoveState.IRREVERSIBLE, 0, why);
        run.reached(CrashPoint.AFTER_IRREVERSIBLE);
    }

    /** Looks at slot and publication without being a mover. */
    static WayBack look(MoverContext context, MoveStatus move) {
        String name = context.moves().journal(move.id()).stream()
                .filter(entry -> entry.step().equals(ChangeStream.Way.BACK.step()))
                .map(entry -> String.valueOf(entry.detail()))
                .reduce((earlier, later) -> later)
                .orElse("");
        String server = move.target();
        try (Connection connection =
                context.pools().open(context.maps().load(move.map()).server(server))) {
            SlotHealth slot = SlotHealth.read(connection, name);
            long limit = move.options().online().walLimit();
            String fault = isPublished(connection, name) ? slot.fault(limit) : "publication must be there";
            return new WayBack(slot.kept(), slot.lag(), limit, fault);
        } catch (SQLException failure) {
            throw ServerFailures.of(server, "look at the slot", failure);
        }
    }

    private static boolean isPublished(Connection connection, String name) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select from pg_publication where pubname = ?")) {
            query.setString(1, name);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Refuses to decide about a move that does not wait. */
    static ShardMapException notWaiting(MoveStatus move, String what) {
        return new ShardMapException(
                ErrorCode.NOT_SUPPORTED,
                "move must wait for a decision to be " + what + ": move=" + move.id() + ", state=" + move.state()
                        + wayOut(move));
    }

    private static String wayOut(MoveStatus move) {
        return switch (move.state()) {
            case IRREVERSIBLE -> "; the way back was given up: complete it, then move the virtual shard back";
            case DONE, CLEANING -> "; move the virtual shard back";
            case ABORTED, REVERSED -> "; it serves from its source";
            case REVERSIBLE, REVERSING, SWITCHED_BACK -> "; resume or reverse it";
            case PLANNED, PREFLIGHTED, COPYING, CATCHING_UP, VERIFIED, FENCED, SWITCHED, ABORTING ->
                "; resume it first, and start it as reversible to have a way back";
        };
    }
}
