package io.shardmap.migrate.doctor;

import io.shardmap.migrate.doctor.Finding.Rule;
import io.shardmap.migrate.doctor.ServerFacts.Session;
import io.shardmap.migrate.doctor.ServerFacts.Stream;
import io.shardmap.migrate.move.MoveStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Streams and sessions that belong to no move that could still remove them. */
final class LeftoverCheck implements Check {
    private static final Pattern STREAM = Pattern.compile("shardmap_[a-z]+_(\\d{1,18})_.*");

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> findings = new ArrayList<>();
        for (ServerFacts server : facts.servers()) {
            for (Stream stream : server.streams()) {
                if (!hasMove(facts, stream.name())) {
                    findings.add(new Finding(
                            Rule.LEFTOVER_STREAM,
                            "server " + server.name(),
                            stream.kind() + " " + stream.name() + " of a move that is over or unknown"
                                    + (stream.kind().equals("slot")
                                            ? "; the server keeps its write-ahead log for it"
                                            : ""),
                            "on the server run: " + stream.drop()));
                }
            }
            for (Session session : server.sessions()) {
                if (facts.map(session.map())
                        .flatMap(map -> facts.activeMove(map.name(), session.virtualShard()))
                        .isEmpty()) {
                    findings.add(new Finding(
                            Rule.LEFTOVER_SESSION,
                            "server " + server.name(),
                            List.of(session.virtualShard()),
                            "session " + session.pid() + " of a mover without a move",
                            "end that process, or on the server run: select pg_terminate_backend(" + session.pid()
                                    + ")"));
                }
            }
        }
        return findings;
    }

    private static boolean hasMove(Facts facts, String stream) {
        Matcher name = STREAM.matcher(stream);
        if (!name.matches()) {
            return false;
        }
        long id = Long.parseLong(name.group(1));
        return facts.moves().stream()
                .filter(move -> !move.state().isOver())
                .map(MoveStatus::id)
                .anyMatch(move -> move.value() == id);
    }
}
