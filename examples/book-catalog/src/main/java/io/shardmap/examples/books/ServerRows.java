package io.shardmap.examples.books;

import io.shardmap.Server;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/**
 * What really lies on the servers: books per virtual shard, counted on each server by itself, behind the router's back. It is how the
 * demo checks the library instead of believing it.
 */
final class ServerRows {
    private final Map<String, Map<Integer, Long>> booksByServer = new TreeMap<>();

    private ServerRows() {}

    static ServerRows count(CatalogueDatabases databases) throws SQLException {
        ServerRows rows = new ServerRows();
        for (Server server : databases.servers()) {
            Map<Integer, Long> books = new TreeMap<>();
            try (Connection connection = databases.open(server);
                    Statement statement = connection.createStatement();
                    ResultSet row =
                            statement.executeQuery("select check_digit, count(*) from book group by check_digit")) {
                while (row.next()) {
                    books.put(row.getInt(1), row.getLong(2));
                }
            }
            rows.booksByServer.put(server.name(), books);
        }
        return rows;
    }

    /** Returns the books on a server. */
    long onServer(String server) {
        return booksByServer.getOrDefault(server, Map.of()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Returns the books of a virtual shard on a server. */
    long of(String server, int virtualShard) {
        return booksByServer.getOrDefault(server, Map.of()).getOrDefault(virtualShard, 0L);
    }

    /** Returns the books on all servers, copies included. */
    long total() {
        return booksByServer.keySet().stream().mapToLong(this::onServer).sum();
    }
}
