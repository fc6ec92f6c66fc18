package io.shardmap.migrate.move;

import io.shardmap.ErrorCode;
import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardMapException;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
import io.shardmap.jdbc.pool.ServerPools;
import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.migrate.move.PreflightProblem.Kind;
import io.shardmap.migrate.table.TableInspector;
import io.shardmap.migrate.table.TableOrder;
import io.shardmap.migrate.table.TableShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks for everything that is in the way of one move. Changes nothing. */
final class Preflight {
    private final ServerPools pools;
    private final ShardMap map;
    private final Place place;
    private final MoveOptions options;
    private final List<PreflightProblem> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private List<TableShape> tables = List.of();

    private Preflight(ServerPools pools, ShardMap map, int virtualShard, MoveOptions options) {
        this.pools = pools;
        this.map = map;
        this.options = options;
        this.place = new Place(map.name(), map.number(), virtualShard);
    }

    /**
     * Plans a move.
     *
     * @param active another active move of the virtual shard, or null
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when the map has no such virtual shard
     */
    static MovePlan plan(
            ServerPools pools,
            ShardMap map,
            int virtualShard,
            String target,
            MoveOptions options,
            @Nullable MoveStatus active) {
        if (virtualShard < 0 || virtualShard >= map.virtualShards().size()) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "virtual shard must be one of the map's: map=" + map.name() + ", virtualShard=" + virtualShard
                            + ", virtualShards=" + map.virtualShards().size());
        }
        return new Preflight(pools, map, virtualShard, options).plan(target, active);
    }

    private MovePlan plan(String target, @Nullable MoveStatus active) {
        VirtualShard shard = map.virtualShards().get(place.virtualShard());
        String source = shard.server() == null ? "" : shard.server();
        if (shard.state() != VirtualShard.State.ASSIGNED) {
            add(Kind.NOT_ASSIGNED, "virtual shard must be assigned: state=" + shard.state() + "; assign it first");
        }
        if (active != null) {
            add(
                    Kind.ACTIVE_MOVE,
                    "virtual shard must have no other active move: move=" + active.id() + ", state=" + active.state()
                            + wayOut(active));
        }
        if (map.tables().isEmpty()) {
            add(Kind.NO_TABLES, "map must register its sharded tables: map=" + map.name() + "; add them first");
        }
        Server to = known(target);
        if (source.equals(target)) {
            add(Kind.SAME_SERVER, "target must differ from the source: server=" + target);
        } else if (to != null && shard.server() != null) {
            compare(map.server(source), to, shard.epoch());
        }
        return new MovePlan(map.name(), place.virtualShard(), source, target, shard.epoch(), tables, problems, notes);
    }

    private static String wayOut(MoveStatus active) {
        return switch (active.state()) {
            case REVERSIBLE ->
                "; it waits: run `shardmap move complete " + active.id() + "`, or `shardmap move reverse " + active.id()
                        + "`";
            case IRREVERSIBLE -> "; it waits: run `shardmap move complete " + active.id() + "`";
            default -> "; wait for it, resume or cancel it";
        };
    }

    private @Nullable Server known(String target) {
        try {
            return map.server(target);
        } catch (ShardMapException unknown) {
            add(Kind.UNKNOWN_TARGET, "target must be a known server: server=" + target + "; add it first");
            return null;
        }
    }

    private void compare(Server source, Server target, long epoch) {
        try (Connection from = open(source);
                Connection to = open(target)) {
            if (from == null || to == null) {
                return;
            }
            String product = from.getMetaData().getDatabaseProductName();
            String other = to.getMetaData().getDatabaseProductName();
            if (!product.equals(other)) {
                add(
                        Kind.PRODUCTS_DIFFER,
                        "source and target must be the same product: source=" + product + ", target=" + other);
                return;
            }
            ownership(source, from, target, to, epoch);
            tables(source, from, target, to);
            if (options.isOnline()) {
                problems.addAll(OnlinePreflight.there(source, from, target, to)
                        .problems(
                                map.tables(),
                                SourceAddress.of(pools, source, options.online().sourceUrl()),
                                options.lockWait()));
            }
            if (options.isReversible()) {
                problems.addAll(OnlinePreflight.back(target, to, source, from)
                        .problems(map.tables(), SourceAddress.of(pools, target, null), options.lockWait()));
            }
        } catch (SQLException failure) {
            add(
                    Kind.UNREACHABLE,
                    "servers must answer: source=" + source.name() + ", target=" + target.name() + ", error="
                            + failure.getMessage());
        }
    }

    private @Nullable Connection open(Server server) {
        try {
            Connection connection = pools.open(server);
            if (pools.dialect(server).installedVersion(connection) == ServerDialect.VERSION) {
                return connection;
            }
            connection.close();
            add(
                    Kind.UNREACHABLE,
                    "server must have Shardmap's objects of version " + ServerDialect.VERSION + ": server="
                            + server.name() + "; run `shardmap server add` or `server upgrade`");
        } catch (SQLException | ShardMapException failure) {
            add(Kind.UNREACHABLE, "server must answer: server=" + server.name() + ", error=" + failure.getMessage());
        }
        return null;
    }

    private void ownership(Server source, Connection from, Server target, Connection to, long epoch)
            throws SQLException {
        Ownership here = MoverDialect.of(from).ownership(from, place);
        if (here.isClosed() || here.epoch() != epoch) {
            add(
                    Kind.SOURCE_NOT_OWNER,
                    "source must own the virtual shard at the epoch of the map: server=" + source.name() + ", epoch="
                            + epoch + ", found=" + here
                            + "; run `shardmap doctor`");
        }
        Ownership there = MoverDialect.of(to).ownership(to, place);
        if (!there.isClosed()) {
            add(
                    Kind.TARGET_OWNS,
                    "target must not own the virtual shard: server=" + target.name() + ", found=" + there
                            + "; run `shardmap doctor`");
        }
    }

    private void tables(Server source, Connection from, Server target, Connection to) throws SQLException {
        List<TableShape> shapes = new ArrayList<>();
        List<TableShape> onTarget = new ArrayList<>();
        TablesPreflight looks = new TablesPreflight();
        boolean postgres = from.getMetaData().getDatabaseProductName().equals("PostgreSQL");
        for (ShardedTable table : map.tables()) {
            Optional<TableShape> here = inspect(source, from, table);
            Optional<TableShape> there = inspect(target, to, table);
            here.ifPresent(shapes::add);
            there.ifPresent(onTarget::add);
            if (here.isPresent() && there.isPresent()) {
                looks.compare(here.get(), there.get(), source, target);
                if (postgres && here.get().column(table.shardColumn()).isPresent()) {
                    looks.look(here.get(), source, from, target, to, place.virtualShard());
                }
            }
            if (there.isPresent()
                    && there.get().column(table.shardColumn()).isPresent()
                    && RowStore.of(to).any(to, there.get(), place.virtualShard())) {
                add(
                        Kind.ROWS_ON_TARGET,
                        "target must have no rows of the virtual shard: server=" + target.name() + ", table="
                                + table.qualifiedName() + "; look where they come from, then delete them");
            }
        }
        looks.across(source, shapes);
        looks.across(target, onTarget);
        problems.addAll(looks.problems());
        notes.addAll(looks.notes());
        order(shapes);
    }

    private Optional<TableShape> inspect(Server server, Connection connection, ShardedTable table) throws SQLException {
        Optional<TableShape> shape = TableInspector.of(connection).inspect(connection, table);
        if (shape.isEmpty() || shape.get().column(table.shardColumn()).isEmpty()) {
            add(
                    Kind.TABLE_MISSING,
                    "table and its shard column must exist: server=" + server.name() + ", table="
                            + table.qualifiedName() + ", column=" + table.shardColumn()
                            + "; run `shardmap schema migrate`");
        }
        return shape;
    }

    private void order(List<TableShape> shapes) {
        TableOrder order = TableOrder.of(shapes);
        tables = order.parentsFirst();
        if (!order.cyclic().isEmpty()) {
            add(
                    Kind.FOREIGN_KEY_CYCLE,
                    "foreign keys must not form a circle: tables=" + order.cyclic()
                            + "; drop one of them for the time of the move");
        }
        Set<String> registered = shapes.stream().map(TableShape::fullName).collect(Collectors.toSet());
        for (TableShape shape : shapes) {
            for (String child : new TreeSet<>(shape.referencedBy())) {
                if (!registered.contains(child)) {
                    add(
                            Kind.UNREGISTERED_REFERENCE,
                            "table that references a sharded table must be registered too: table=" + child
                                    + ", references=" + shape.fullName() + "; its rows would not move");
                }
            }
        }
    }

    private void add(Kind kind, String message) {
        problems.add(new PreflightProblem(kind, message));
    }
}
