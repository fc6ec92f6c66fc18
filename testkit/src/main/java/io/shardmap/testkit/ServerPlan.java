package io.shardmap.testkit;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one server is to be.
 *
 * @param name the server's name, unique in its set
 * @param index its place in the set, from 0
 * @param dataDirectory where its data is kept after it is closed; null: nowhere, the data is deleted
 * @param port the TCP port; 0: any free port
 * @param settings PostgreSQL server settings, by name
 */
record ServerPlan(String name, int index, @Nullable Path dataDirectory, int port, Map<String, String> settings) {
    ServerPlan {
        settings = Map.copyOf(settings);
    }
}
