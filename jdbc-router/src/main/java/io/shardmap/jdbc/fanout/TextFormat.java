package io.shardmap.jdbc.fanout;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * How a server reads and writes values as text. Text and not binary, because binary arrays and rows carry numbers of types, which differ
 * between servers.
 *
 * @param dateStyle its DateStyle
 * @param intervalStyle its IntervalStyle
 * @param monetaryLocale its lc_monetary
 */
record TextFormat(String dateStyle, String intervalStyle, String monetaryLocale) {

    static TextFormat of(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_catalog.current_setting('DateStyle'),"
                        + " pg_catalog.current_setting('IntervalStyle'), pg_catalog.current_setting('lc_monetary')")) {
            row.next();
            return new TextFormat(row.getString(1), row.getString(2), row.getString(3));
        }
    }

    /** Makes a server write what this one reads, to the last digit, until its transaction ends. */
    void apply(Connection connection, boolean money) throws SQLException {
        try (PreparedStatement set = connection.prepareStatement("select pg_catalog.set_config('DateStyle', ?, true),"
                + " pg_catalog.set_config('IntervalStyle', ?, true),"
                + " pg_catalog.set_config('extra_float_digits', '3', true)"
                + (money ? ", pg_catalog.set_config('lc_monetary', ?, true)" : ""))) {
            set.setString(1, dateStyle);
            set.setString(2, intervalStyle);
            if (money) {
                set.setString(3, monetaryLocale);
            }
            set.execute();
        }
    }
}
