package io.shardmap.migrate.doctor;

import io.shardmap.migrate.doctor.Finding.Rule;
import io.shardmap.migrate.doctor.ServerFacts.Stream;
import io.shardmap.migrate.move.MoveState;
import io.shardmap.migrate.move.MoveStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Moves that wait: whether they can still be taken back, and what that costs the server that keeps write-ahead log for it. */
final class WayBackCheck implements Check {
    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> findings = new ArrayList<>();
        for (MoveStatus move : facts.moves()) {
            if (move.state() == MoveState.IRREVERSIBLE) {
                findings.add(new Finding(
                        Rule.WAY_BACK,
                        "move " + move.id() + " of " + move.shard(),
                        List.of(move.virtualShard()),
                        "the way back was given up, and " + move.source() + " still has the rows: " + move.error(),
                        "shardmap move complete " + move.id()));
            } else if (move.state() == MoveState.REVERSIBLE) {
                publisher(facts, move, findings);
                subscriber(facts, move, findings);
            }
        }
        return findings;
    }

    private static void publisher(Facts facts, MoveStatus move, List<Finding> findings) {
        ServerFacts server = answering(facts, move.target());
        if (server == null) {
            return;
        }
        Optional<Stream> slot = part(server, "slot", move);
        boolean published = part(server, "publication", move).isPresent();
        String guard = "shardmap move guard " + move.id();
        if (slot.isEmpty() || !published || slot.get().fault() != null) {
            String found = slot.map(Stream::fault).orElse((published ? "slot" : "publication") + " is gone");
            findings.add(finding(server, move, found + "; it cannot be taken back any more", guard));
        } else if (slot.get().keptBytes() > move.options().online().walLimit()) {
            String found = "slot " + slot.get().name() + " keeps "
                    + slot.get().keptBytes() + " bytes of write-ahead log, more than the move allows: limit="
                    + move.options().online().walLimit();
            findings.add(finding(server, move, found, guard + ", or shardmap move reverse " + move.id()));
        }
    }

    private static void subscriber(Facts facts, MoveStatus move, List<Finding> findings) {
        ServerFacts server = answering(facts, move.source());
        if (server == null) {
            return;
        }
        Optional<Stream> subscription = part(server, "subscription", move);
        if (subscription.isEmpty()) {
            findings.add(finding(
                    server,
                    move,
                    "subscription is gone; it cannot be taken back any more",
                    "shardmap move complete " + move.id()));
            return;
        }
        Stream found = subscription.get();
        if (!found.active()) {
            findings.add(finding(
                    server,
                    move,
                    "subscription " + found.name() + " is disabled, so that log piles up on " + move.target(),
                    "to have it read again, on the server run: alter subscription " + found.name() + " enable"));
        } else if (found.fault() != null && isUnread(facts, move)) {
            findings.add(finding(
                    server,
                    move,
                    "subscription " + found.name() + ": " + found.fault() + "; the log of the server says why",
                    "mend what its log names, or give the way back up: shardmap move complete " + move.id()));
        }
    }

    /** A worker that fails again and again is seldom at work; errors of long ago are counted for ever. */
    private static boolean isUnread(Facts facts, MoveStatus move) {
        ServerFacts target = answering(facts, move.target());
        return target != null
                && part(target, "slot", move).filter(slot -> !slot.active()).isPresent();
    }

    private static @Nullable ServerFacts answering(Facts facts, String server) {
        return facts.servers().stream()
                .filter(one -> one.name().equals(server) && one.error() == null)
                .findFirst()
                .orElse(null);
    }

    private static Optional<Stream> part(ServerFacts server, String kind, MoveStatus move) {
        return server.streams().stream()
                .filter(stream ->
                        stream.kind().equals(kind) && stream.name().startsWith("shardmap_back_" + move.id() + "_"))
                .findFirst();
    }

    private static Finding finding(ServerFacts server, MoveStatus move, String found, String remedy) {
        return new Finding(
                Rule.WAY_BACK,
                "server " + server.name(),
                List.of(move.virtualShard()),
                "move " + move.id() + " of " + move.shard() + " waits: " + found,
                remedy);
    }
}
