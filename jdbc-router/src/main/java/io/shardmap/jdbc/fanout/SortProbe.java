package io.shardmap.jdbc.fanout;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server for the types and collations of what a merge compares or adds. Only the server knows them, and only with them is it known whether the rows
 * can be merged in the server's own order.
 */
final class SortProbe {
    private SortProbe() {}

    /**
     * Returns the type of each expression.
     *
     * @throws SQLException 0A000 when the order of one is not known to be the database's
     */
    static List<SortType> types(Connection connection, SqlProduct product, List<String> keys, String from)
            throws SQLException {
        return switch (product) {
            case POSTGRESQL -> postgresTypes(connection, keys, from);
            case H2 -> h2Types(connection, keys, from);
        };
    }

    private static List<SortType> postgresTypes(Connection connection, List<String> keys, String from)
            throws SQLException {
        String columns = IntStream.range(0, keys.size())
                .mapToObj(i -> "pg_catalog.pg_typeof(k" + i + ")::text, case when (select typcollation from"
                        + " pg_catalog.pg_type where oid = pg_catalog.pg_typeof(k" + i
                        + ")) <> 0 then pg_catalog.pg_collation_for(k" + i + ") end")
                .collect(Collectors.joining(", "));
        String sql =
                "select (select case when datlocprovider = 'b' or (datlocprovider = 'c' and datcollate in ('C', 'POSIX'))"
                        + " then 'C' else datcollate end from pg_catalog.pg_database where datname = current_database()), "
                        + columns + " from (values (1)) one left join (select " + selected(keys) + " from " + from
                        + " limit 0) probe on true";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            String databaseCollation = row.getString(1);
            List<SortType> types = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                types.add(postgresType(
                        keys.get(i), row.getString(2 + 2 * i), row.getString(3 + 2 * i), databaseCollation));
            }
            return List.copyOf(types);
        }
    }

    private static String selected(List<String> keys) {
        return IntStream.range(0, keys.size())
                .mapToObj(i -> keys.get(i) + " as k" + i)
                .collect(Collectors.joining(", "));
    }

    private static SortType postgresType(
            String key, String type, @Nullable String collation, @Nullable String databaseCollation)
            throws SQLException {
        return switch (type) {
            case "smallint", "integer", "bigint" -> SortType.INTEGER;
            case "numeric" -> SortType.NUMERIC;
            case "real", "double precision" -> SortType.FLOAT;
            case "date" -> SortType.DATE;
            case "timestamp without time zone" -> SortType.TIMESTAMP;
            case "timestamp with time zone" -> SortType.INSTANT;
            case "time without time zone" -> SortType.TIME;
            case "boolean" -> SortType.BOOLEAN;
            case "uuid" -> SortType.UUID_BYTES;
            case "bytea" -> SortType.BYTES;
            case "text", "character varying" -> {
                requireBinary(key, collation, databaseCollation);
                yield SortType.TEXT;
            }
            case "character" -> {
                requireBinary(key, collation, databaseCollation);
                yield SortType.PADDED_TEXT;
            }
            default -> throw unknownOrder(key, type);
        };
    }

    private static void requireBinary(String key, @Nullable String collation, @Nullable String databaseCollation)
            throws SQLException {
        String effective = "\"default\"".equals(collation) ? databaseCollation : collation;
        String name = effective == null ? "none" : effective.replace("\"", "").replace("pg_catalog.", "");
        switch (name) {
            case "C", "POSIX", "ucs_basic", "pg_c_utf8" -> {}
            default ->
                throw new UnprovableOrder("fan-out must give the order of one database: refused=order of "
                        + key + " under collation " + name + "; write ORDER BY " + key
                        + " COLLATE \"C\", or sort in the application");
        }
    }

    private static List<SortType> h2Types(Connection connection, List<String> keys, String from) throws SQLException {
        List<SortType> types = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            boolean collated;
            try (ResultSet setting = statement.executeQuery(
                    "select 1 from INFORMATION_SCHEMA.SETTINGS where SETTING_NAME = 'COLLATION' and SETTING_VALUE <> 'OFF'")) {
                collated = setting.next();
            }
            try (ResultSet none =
                    statement.executeQuery("select " + selected(keys) + " from " + from + " where 1 = 0")) {
                ResultSetMetaData metaData = none.getMetaData();
                for (int i = 0; i < keys.size(); i++) {
                    types.add(h2Type(keys.get(i), metaData.getColumnTypeName(i + 1), collated));
                }
            }
        }
        return List.copyOf(types);
    }

    private static SortType h2Type(String key, String typeName, boolean collated) throws SQLException {
        return switch (typeName.toUpperCase(Locale.ROOT)) {
            case "TINYINT", "SMALLINT", "INTEGER", "BIGINT" -> SortType.INTEGER;
            case "NUMERIC", "DECIMAL" -> SortType.NUMERIC;
            case "REAL", "DOUBLE PRECISION", "FLOAT" -> SortType.FLOAT;
            case "DATE" -> SortType.DATE;
            case "TIMESTAMP" -> SortType.TIMESTAMP;
            case "TIMESTAMP WITH TIME ZONE" -> SortType.INSTANT;
            case "TIME" -> SortType.TIME;
            case "BOOLEAN" -> SortType.BOOLEAN;
            case "UUID" -> SortType.UUID_BYTES;
            case "BINARY VARYING", "BINARY" -> SortType.BYTES;
            case "CHARACTER VARYING" -> {
                if (collated) {
                    throw unknownOrder(key, "text of a database with a COLLATION");
                }
                yield SortType.JAVA_TEXT;
            }
            default -> throw unknownOrder(key, typeName);
        };
    }

    private static SQLException unknownOrder(String key, String type) {
        return new UnprovableOrder("fan-out must give the order of one database: refused=order of " + key + " of type "
                + type + "; cast it to a number, a date, a UUID or text COLLATE \"C\", or sort in the application");
    }
}
