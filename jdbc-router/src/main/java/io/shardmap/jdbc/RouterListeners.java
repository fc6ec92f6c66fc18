package io.shardmap.jdbc;

import io.shardmap.Route;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.jdbc.fanout.ServerOutcome;
import io.shardmap.jdbc.server.Refusal;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several listeners as one, told in order. */
record RouterListeners(List<RouterListener> all) implements RouterListener {
    @Override
    public void asked(long nanos, @Nullable RuntimeException failure) {
        all.forEach(each -> each.asked(nanos, failure));
    }

    @Override
    public void loaded(ShardMap map) {
        all.forEach(each -> each.loaded(map));
    }

    @Override
    public void refreshed() {
        all.forEach(RouterListener::refreshed);
    }

    @Override
    public void acquired(Server server, long nanos, @Nullable SQLException failure) {
        all.forEach(each -> each.acquired(server, nanos, failure));
    }

    @Override
    public void resolved(String map, Resolution resolution, long nanos) {
        all.forEach(each -> each.resolved(map, resolution, nanos));
    }

    @Override
    public void refused(Route route, Refusal refusal) {
        all.forEach(each -> each.refused(route, refusal));
    }

    @Override
    public void keyMissing(String map) {
        all.forEach(each -> each.keyMissing(map));
    }

    @Override
    public void started(String map) {
        all.forEach(each -> each.started(map));
    }

    @Override
    public void ended(String map, Outcome outcome, long nanos, long rows, List<ServerOutcome> servers) {
        all.forEach(each -> each.ended(map, outcome, nanos, rows, servers));
    }
}
