package io.shardmap.migrate.doctor;

import io.shardmap.ShardMap;
import io.shardmap.VirtualShard;
import io.shardmap.migrate.doctor.Finding.Rule;
import io.shardmap.migrate.doctor.ServerFacts.Owned;
import io.shardmap.migrate.move.MoveStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Ownership that differs between the map and the servers. What an active move explains is the affair of {@link MoveCheck}. */
final class OwnershipCheck implements Check {
    /** Same fault, same place: one finding for all its virtual shards. */
    private record Fault(Rule rule, String map, String server, String remedy) {}

    private record Seen(TreeSet<Integer> virtualShards, String first) {}

    /** The ownership row of a virtual shard on a server. */
    private record Claim(ServerFacts server, Owned row) {}

    @Override
    public List<Finding> findings(Facts facts) {
        Map<Fault, Seen> faults = new LinkedHashMap<>();
        for (ShardMap map : facts.maps()) {
            Map<Integer, List<Claim>> claims = claims(facts, map.number());
            for (VirtualShard shard : map.virtualShards()) {
                Optional<MoveStatus> move = facts.activeMove(map.name(), shard.id());
                if (move.isEmpty()) {
                    examine(facts, map, shard, claims.getOrDefault(shard.id(), List.of()), faults);
                }
            }
        }
        List<Finding> findings = new ArrayList<>();
        faults.forEach((fault, seen) -> {
            List<Integer> shards = List.copyOf(seen.virtualShards());
            String remedy = fault.remedy().replace("IDS", Facts.ranges(shards));
            findings.add(new Finding(
                    fault.rule(),
                    "map " + fault.map() + ", virtual shards " + Facts.ranges(shards) + ", server " + fault.server(),
                    shards,
                    "virtual shard " + shards.get(0) + ": " + seen.first(),
                    remedy));
        });
        facts.unreadable()
                .forEach((map, why) ->
                        findings.add(new Finding(Rule.NOT_EXAMINED, "map " + map, why, "upgrade Shardmap here")));
        if (facts.unreadable().isEmpty()) {
            unknownMaps(facts, findings);
        }
        return findings;
    }

    private static Map<Integer, List<Claim>> claims(Facts facts, int map) {
        Map<Integer, List<Claim>> claims = new LinkedHashMap<>();
        for (ServerFacts server : facts.servers()) {
            for (Owned row : server.ownership()) {
                if (row.map() == map) {
                    claims.computeIfAbsent(row.virtualShard(), any -> new ArrayList<>())
                            .add(new Claim(server, row));
                }
            }
        }
        return claims;
    }

    private static void examine(
            Facts facts, ShardMap map, VirtualShard shard, List<Claim> claims, Map<Fault, Seen> faults) {
        List<Claim> owners =
                claims.stream().filter(claim -> claim.row().isOwner()).toList();
        List<Claim> elsewhere = owners.stream()
                .filter(claim -> !claim.server().name().equals(shard.server()))
                .toList();
        if (owners.size() > 1) {
            add(
                    faults,
                    map,
                    Rule.TWO_OWNERS,
                    shard,
                    names(owners),
                    "the map says " + place(shard) + ", found " + text(owners));
        } else if (!elsewhere.isEmpty()) {
            add(
                    faults,
                    map,
                    Rule.WRONG_OWNER,
                    shard,
                    names(elsewhere),
                    "the map says " + place(shard) + ", found " + text(elsewhere));
        } else if (shard.state() == VirtualShard.State.ASSIGNING) {
            String found = "the map says " + place(shard) + ", found " + text(claims);
            // What was never on a server is assigned; what was needs an epoch above all it had.
            Rule rule = claims.isEmpty() ? Rule.HALF_ASSIGNED : Rule.HALF_REPAIRED;
            add(faults, map, rule, shard, String.valueOf(shard.server()), found);
        } else if (owners.isEmpty()) {
            if (shard.server() != null && answers(facts, shard.server())) {
                add(
                        faults,
                        map,
                        Rule.SHARD_CLOSED,
                        shard,
                        shard.server(),
                        "the map says " + place(shard) + ", found " + text(claims));
            }
        } else {
            owner(map, shard, owners.get(0), claims, faults);
        }
    }

    private static void owner(
            ShardMap map, VirtualShard shard, Claim owner, List<Claim> claims, Map<Fault, Seen> faults) {
        long highest =
                claims.stream().mapToLong(claim -> claim.row().epoch()).max().orElse(0);
        String found = "the map says " + place(shard) + ", found " + text(claims);
        if (owner.row().epoch() < shard.epoch()) {
            add(faults, map, Rule.EPOCH_BEHIND, shard, owner.server().name(), found);
        } else if (highest > shard.epoch()) {
            add(faults, map, Rule.EPOCH_AHEAD, shard, owner.server().name(), found);
        } else if (owner.row().isFenced()) {
            String time = owner.row().fenceLive() ? "a fence that has not run out" : "a fence that has run out";
            add(faults, map, Rule.LEFTOVER_FENCE, shard, owner.server().name(), time + ", and no move");
        }
    }

    private static boolean answers(Facts facts, String server) {
        return facts.servers().stream()
                .anyMatch(one -> one.name().equals(server) && one.error() == null && one.objects() > 0);
    }

    private static void add(
            Map<Fault, Seen> faults, ShardMap map, Rule rule, VirtualShard shard, String server, String found) {
        String remedy = rule == Rule.HALF_ASSIGNED
                ? "shardmap shard assign --map " + map.name() + " IDS --server " + server
                : "shardmap shard repair --map " + map.name() + " IDS";
        faults.computeIfAbsent(new Fault(rule, map.name(), server, remedy), any -> new Seen(new TreeSet<>(), found))
                .virtualShards()
                .add(shard.id());
    }

    private static String names(List<Claim> claims) {
        return String.join(
                " and ", claims.stream().map(claim -> claim.server().name()).toList());
    }

    private static String place(VirtualShard shard) {
        return shard.state() + (shard.server() == null ? "" : " to " + shard.server()) + " at epoch " + shard.epoch();
    }

    private static String text(List<Claim> claims) {
        return claims.isEmpty()
                ? "nothing"
                : String.join(
                        ", ",
                        claims.stream()
                                .map(claim -> claim.server().name() + " " + claim.row())
                                .toList());
    }

    private static void unknownMaps(Facts facts, List<Finding> findings) {
        for (ServerFacts server : facts.servers()) {
            List<Integer> unknown = server.ownership().stream()
                    .map(Owned::map)
                    .distinct()
                    .filter(number -> facts.map(number).isEmpty())
                    .toList();
            if (!unknown.isEmpty()) {
                findings.add(new Finding(
                        Rule.UNKNOWN_MAP,
                        "server " + server.name(),
                        "virtual shards of maps with the numbers " + unknown,
                        "use the shard-map database that has these maps (--map-url), or restore it"));
            }
        }
    }
}
