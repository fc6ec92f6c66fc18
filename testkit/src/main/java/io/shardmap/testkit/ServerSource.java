package io.shardmap.testkit;

import java.util.List;

/** What a {@link PostgresServers} opens its servers from, each time it starts. */
@FunctionalInterface
interface ServerSource {
    /** Opens all servers, in the order of their names; the caller closes them. */
    List<PostgresServer> open();
}
