package io.shardmap.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * How to connect to a server as its superuser.
 *
 * @param url its address and a database
 * @param user the user name
 * @param password the password; null: none is asked
 */
record ServerAccess(JdbcUrl url, String user, @Nullable String password) {
    ServerAccess withDatabase(String database) {
        return new ServerAccess(url.withDatabase(database), user, password);
    }

    DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url.toString());
        source.setUser(user);
        if (password != null) {
            source.setPassword(password);
        }
        return source;
    }

    Connection openConnection() throws SQLException {
        return dataSource().getConnection();
    }

    /** Executes one statement outside of a transaction. */
    void execute(String sql) throws SQLException {
        try (Connection connection = openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    @Override
    public String toString() {
        return "ServerAccess[url=" + url + ", user=" + user + "]";
    }
}
