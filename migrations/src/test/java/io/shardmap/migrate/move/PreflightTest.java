package io.shardmap.migrate.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ErrorCode;
import io.shardmap.ShardMapException;
import io.shardmap.migrate.move.PreflightProblem.Kind;
import io.shardmap.testkit.PostgresServers;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PreflightTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("map", "a", "b");

    private static Set<Kind> kinds(MovePlan plan) {
        return plan.problems().stream().map(PreflightProblem::kind).collect(Collectors.toSet());
    }

    @Test
    void everythingThatIsInTheWayIsToldAtOnceAndNothingIsRecorded() throws SQLException {
        try (MoveWorld world = MoveWorld.postgres(servers.get("map"), servers.get("a"), servers.get("b"))) {
            int shard = world.shard();
            Moves moves = world.moves();
            assertEquals(List.of(), moves.plan(MoveWorld.MAP, shard, "b").problems());
            assertEquals(
                    List.of("public.account", "public.ledger"),
                    moves.plan(MoveWorld.MAP, shard, "b").tables().stream()
                            .map(table -> table.fullName())
                            .toList(),
                    "parents first");
            assertEquals(Set.of(Kind.SAME_SERVER), kinds(moves.plan(MoveWorld.MAP, shard, "a")));
            assertEquals(Set.of(Kind.UNKNOWN_TARGET), kinds(moves.plan(MoveWorld.MAP, shard, "c")));

            world.execute(world.server("a"), """
                    alter table account add column favourite bigint;
                    alter table account add foreign key (vs, favourite) references ledger (vs, id);
                    create table note (vs int, account bigint, foreign key (vs, account) references account (vs, id));
                    """);
            world.execute(world.server("b"), """
                    set session_replication_role = replica;
                    insert into account (vs, id) values (%d, 1);
                    drop table ledger;
                    create function nothing() returns trigger language plpgsql as 'begin return new; end';
                    create trigger greets before insert on account for each row execute function nothing();
                    insert into shardmap.ownership (map_number, virtual_shard, epoch, state) values (%d, %d, 1, 'OPEN')
                    """.formatted(shard, world.map().number(), shard));

            PreflightException refusal = assertThrows(
                    PreflightException.class, () -> moves.start(MoveWorld.MAP, shard, "b", MoveOptions.DEFAULT));

            assertEquals(
                    Set.of(
                            Kind.COLUMNS_DIFFER,
                            Kind.FOREIGN_KEY_CYCLE,
                            Kind.UNREGISTERED_REFERENCE,
                            Kind.ROWS_ON_TARGET,
                            Kind.TABLE_MISSING,
                            Kind.USER_TRIGGER,
                            Kind.TARGET_OWNS),
                    kinds(refusal.plan()));
            assertEquals(ErrorCode.PREFLIGHT, refusal.code());
            assertTrue(refusal.getMessage().contains("differing=favourite"), refusal.getMessage());
            assertEquals(List.of(), moves.list());
            ShardMapException unknown =
                    assertThrows(ShardMapException.class, () -> moves.plan(MoveWorld.MAP, 9_999, "b"));
            assertEquals(ErrorCode.INVALID_DEFINITION, unknown.code());
        }
    }
}
