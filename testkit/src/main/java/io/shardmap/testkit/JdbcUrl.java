package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a PostgreSQL JDBC URL that the testkit exchanges.
 *
 * @param host the host name or address, without port
 * @param port the TCP port
 * @param database the database name
 * @param query the connection parameters with their leading {@code ?}, or empty
 */
record JdbcUrl(String host, int port, String database, String query) {
    private static final Pattern FORM = Pattern.compile("jdbc:postgresql://([^/:,?]+)(?::(\\d+))?/([^/?]+)(\\?.*)?");
    private static final int DEFAULT_PORT = 5432;

    static JdbcUrl loopback(int port, String database) {
        return new JdbcUrl("127.0.0.1", port, database, "");
    }

    static JdbcUrl parse(String url) {
        Matcher parts = FORM.matcher(url);
        if (!parts.matches()) {
            throw new TestkitException(
                    Reason.BAD_SETTING,
                    "a server URL must look like jdbc:postgresql://host:port/database: url="
                            + url.replaceFirst("\\?.*", "?...")
                            + "; name one host and a database");
        }
        String port = parts.group(2);
        String query = parts.group(4);
        return new JdbcUrl(
                parts.group(1),
                port == null ? DEFAULT_PORT : Integer.parseInt(port),
                parts.group(3),
                query == null ? "" : query);
    }

    JdbcUrl withDatabase(String name) {
        return new JdbcUrl(host, port, name, query);
    }

    JdbcUrl withAddress(String otherHost, int otherPort) {
        return new JdbcUrl(otherHost, otherPort, database, query);
    }

    @Override
    public String toString() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database + query;
    }
}
