package io.shardmap.migrate.move;

import io.shardmap.testkit.PostgresServer;
import io.shardmap.testkit.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Who is struck at a crash point, and how: the mover's process, a server by kill -9, or every connection at once. */
enum CrashVictim {
    MOVER("mover"),
    SOURCE("source"),
    TARGET("target"),
    MAP("map database"),
    CONNECTIONS("all connections");

    private final String title;

    CrashVictim(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Strikes; a mover that dies does so by what this throws. */
    void strike(PostgresServers servers, CrashPoint point) {
        switch (this) {
            case MOVER -> throw new Death(point);
            case SOURCE -> servers.get("a").kill();
            case TARGET -> servers.get("b").kill();
            case MAP -> servers.get("map").kill();
            case CONNECTIONS ->
                servers.all().forEach(server -> {
                    try (Connection connection = server.openConnection();
                            Statement statement = connection.createStatement()) {
                        statement.execute("""
                            select pg_terminate_backend(pid) from pg_stat_activity
                             where pid <> pg_backend_pid() and backend_type in ('client backend', 'walsender')
                            """);
                    } catch (SQLException failure) {
                        throw new IllegalStateException(failure);
                    }
                });
        }
    }

    /** Starts again what was killed, and waits until pools have noticed: their broken connections are given up. */
    static void recover(PostgresServers servers, MoveWorld world) {
        servers.all().forEach(PostgresServer::start);
        for (String name : List.of("a", "b")) {
            world.pools.pool(world.server(name)).getHikariPoolMXBean().softEvictConnections();
            ReversibleStory.await("answer of " + name + " and of the time before", () -> {
                try (Connection connection = world.pools.open(world.server(name))) {
                    return connection.isValid(10);
                } catch (SQLException notYet) {
                    return false;
                }
            });
        }
    }
}
