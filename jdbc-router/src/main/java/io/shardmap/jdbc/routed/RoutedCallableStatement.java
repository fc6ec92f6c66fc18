package io.shardmap.jdbc.routed;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A call. Its ownership check always goes ahead on its own, because a call cannot share its round trip. */
final class RoutedCallableStatement extends BindingCallableStatement {
    private final Map<String, NamedBinding> named = new LinkedHashMap<>();

    RoutedCallableStatement(RoutedConnection connection, ResultShape shape, String sql) {
        super(connection, shape, sql);
    }

    @Override
    boolean singleTrip() {
        return false;
    }

    @Override
    void bindNamed(String name, String setter, NamedBinding binding) {
        named.put((setter.startsWith("register") ? "register " : "set ") + name, binding);
    }

    @Override
    void bindNamedOnce(String name, String setter, NamedBinding binding) {
        bindNamed(name, setter, binding);
    }

    @Override
    PreparedStatement prepare(String sql, Connection on) throws SQLException {
        CallableStatement call = on.prepareCall(sql, shape.type(), shape.concurrency(), shape.holdability());
        for (NamedBinding binding : named.values()) {
            binding.apply(call);
        }
        return call;
    }

    @Override
    CallableStatement callable() throws SQLException {
        return (CallableStatement) delegate();
    }
}
