package io.shardmap.jdbc.fanout;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What became of an update on all servers.
 *
 * @param servers each server, by name
 */
public record UpdateReport(List<ServerUpdate> servers) {
    /** Copies the list. */
    public UpdateReport {
        servers = List.copyOf(servers);
    }

    /** Returns how many rows are known to be changed, on all servers together. */
    public long rows() {
        return servers.stream().mapToLong(ServerUpdate::rows).sum();
    }

    /** Returns whether all servers have done it. */
    public boolean isComplete() {
        return servers.stream().allMatch(server -> server.state() == ServerUpdate.State.DONE);
    }

    /** Returns the same for people. */
    @Override
    public String toString() {
        return servers.stream().map(ServerUpdate::toString).collect(Collectors.joining("; "));
    }
}
