package io.shardmap.jdbc.routed;

import io.shardmap.Route;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A prepared statement that is prepared in the form its transaction needs, on the server its connection is attached to. */
class RoutedPreparedStatement extends BindingPreparedStatement {
    private static final int MAXIMUM_PARAMETERS = 65_535;

    final StatementTexts.Text text;
    private final KeyRequest keys;
    private final Map<Form, PreparedStatement> prepared = new EnumMap<>(Form.class);
    private final List<@Nullable Binding[]> batch = new ArrayList<>(0);
    private @Nullable Connection preparedOn;
    private @Nullable Binding[] bindings = new Binding[4];
    private int bound;
    private boolean readOnce;

    RoutedPreparedStatement(RoutedConnection connection, ResultShape shape, String sql, KeyRequest keys) {
        super(connection, shape);
        this.text = connection.text(sql);
        this.keys = keys;
    }

    // Parameters

    @Override
    void bind(int index, Binding binding) throws SQLException {
        requireOpen();
        if (index < 1 || index > MAXIMUM_PARAMETERS) {
            throw new SQLException("parameter index must be 1 to " + MAXIMUM_PARAMETERS + ": index=" + index, "22023");
        }
        if (index > bindings.length) {
            bindings = Arrays.copyOf(bindings, Math.max(index, 2 * bindings.length));
        }
        bindings[index - 1] = binding;
        bound = Math.max(bound, index);
    }

    @Override
    void bindOnce(int index, Binding binding) throws SQLException {
        bind(index, binding);
        readOnce = true;
    }

    @Override
    public void setArray(int index, Array value) throws SQLException {
        bind(
                index,
                value instanceof DetachedArray detached
                        ? (statement, at) -> statement.setArray(at, detached.on(statement.getConnection()))
                        : (statement, at) -> statement.setArray(at, value));
    }

    @Override
    public void clearParameters() {
        Arrays.fill(bindings, null);
        bound = 0;
        readOnce = false;
    }

    private static void apply(@Nullable Binding[] bindings, int bound, PreparedStatement target, int offset)
            throws SQLException {
        for (int i = 0; i < bound; i++) {
            Binding binding = bindings[i];
            if (binding != null) {
                binding.apply(target, i + 1 + offset);
            }
        }
    }

    // Running

    private boolean run() throws SQLException {
        requireOpen();
        refuseUpdatableInAutocommit();
        return connection.runner().execute(text, singleTrip(), this::send);
    }

    boolean singleTrip() {
        return !keys.asked() && !readOnce && !shape.updatable();
    }

    private boolean send(Form form, Connection on, Route route) throws SQLException {
        PreparedStatement target = prepared(form, on);
        form.bind(target, route);
        apply(bindings, bound, target, form.parameters());
        return ran(target, form, Results.skipOurs(target, form, route, target.execute()));
    }

    private PreparedStatement prepared(Form form, Connection on) throws SQLException {
        if (preparedOn != on) {
            prepared.clear();
            preparedOn = on;
        }
        PreparedStatement target = prepared.get(form);
        if (target == null) {
            target = prepare(text.prepared(form), on);
            dress(target);
            prepared.put(form, target);
        }
        return target;
    }

    PreparedStatement prepare(String sql, Connection on) throws SQLException {
        return keys.asked()
                ? keys.prepare(on, sql)
                : on.prepareStatement(sql, shape.type(), shape.concurrency(), shape.holdability());
    }

    @Override
    protected Statement delegate() throws SQLException {
        requireOpen();
        for (Statement ran : targets()) {
            if (isLast(ran)) {
                return ran;
            }
        }
        return bare();
    }

    /** Returns the user's text prepared as it is, for descriptions. */
    private PreparedStatement bare() throws SQLException {
        return prepared(Form.BARE, connection.delegate());
    }

    @Override
    List<Statement> targets() {
        return connection.isAttached(preparedOn) ? List.copyOf(prepared.values()) : List.of();
    }

    @Override
    public boolean execute() throws SQLException {
        return run();
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        return rows(run());
    }

    @Override
    public int executeUpdate() throws SQLException {
        requireNoRows(run());
        return getUpdateCount();
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        requireNoRows(run());
        return getLargeUpdateCount();
    }

    // Batches

    @Override
    public void addBatch() throws SQLException {
        requireOpen();
        batch.add(Arrays.copyOf(bindings, bound));
    }

    @Override
    public void addBatch(String sql) throws SQLException {
        throw new SQLException("a prepared statement has its text already: call addBatch()", "42601");
    }

    @Override
    public void clearBatch() {
        batch.clear();
    }

    @Override
    public int[] executeBatch() throws SQLException {
        return runBatch(Statement::executeBatch, new int[0]);
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        return runBatch(Statement::executeLargeBatch, new long[0]);
    }

    private <R> R runBatch(BatchCall<R> call, R nothing) throws SQLException {
        requireOpen();
        if (batch.isEmpty()) {
            return nothing;
        }
        List<@Nullable Binding[]> rows = List.copyOf(batch);
        batch.clear();
        return connection.runner().execute(text, false, (form, on, route) -> {
            PreparedStatement target = prepared(form, on);
            target.clearBatch();
            for (@Nullable Binding[] row : rows) {
                apply(row, row.length, target, form.parameters());
                target.addBatch();
            }
            R counts = call.run(target);
            ran(target, form, false);
            return counts;
        });
    }

    // Descriptions

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        return bare().getMetaData();
    }

    @Override
    public ParameterMetaData getParameterMetaData() throws SQLException {
        return bare().getParameterMetaData();
    }

    @Override
    public String toString() {
        return text.sql();
    }
}
