package io.shardmap.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDateTime;

/** The table that all benches read: books, split by the remainder of their number. */
final class Books {
    /** Books in all servers together, numbered from 0. */
    static final int COUNT = 30_000;

    static final String BY_ID = "select id, shard, title from book where id = ?";

    private static final int BATCH = 1_000;
    private static final LocalDateTime PRINTED = LocalDateTime.of(2026, 11, 30, 12, 0);

    private Books() {}

    /** Makes the table on a server and fills it with the books of that server. */
    static void fill(Connection connection, int server, int servers) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table book (id int primary key, shard int not null, title varchar(80), printed timestamp)");
        }
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("insert into book values (?, ?, ?, ?)")) {
            for (int id = server; id < COUNT; id += servers) {
                insert.setInt(1, id);
                insert.setInt(2, id % Cluster.VIRTUAL_SHARDS);
                insert.setString(3, "The book of number " + id);
                insert.setTimestamp(4, Timestamp.valueOf(PRINTED.plusMinutes(id)));
                insert.addBatch();
                if (id / servers % BATCH == 0) {
                    insert.executeBatch();
                }
            }
            insert.executeBatch();
        }
        connection.commit();
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            statement.execute("analyze");
        }
    }
}
