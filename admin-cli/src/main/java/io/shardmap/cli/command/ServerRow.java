package io.shardmap.cli.command;

import io.shardmap.Server;
import io.shardmap.cli.output.Detail;
import org.jspecify.annotations.Nullable;

/** A server as it is printed. */
record ServerRow(
        String name,
        @Nullable String url,
        @Nullable String region,
        @Detail @Nullable String replicationUrl) {
    static ServerRow of(Server server) {
        return new ServerRow(server.name(), server.url(), server.region(), server.replicationUrl());
    }
}
