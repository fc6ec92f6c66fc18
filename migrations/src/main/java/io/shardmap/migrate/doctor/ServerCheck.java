package io.shardmap.migrate.doctor;

import io.shardmap.jdbc.server.ServerDialect;
import io.shardmap.migrate.doctor.Finding.Rule;
import io.shardmap.migrate.place.ServerIdentity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Servers that do not answer, were replaced, or lack what they need. */
final class ServerCheck implements Check {
    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> findings = new ArrayList<>();
        Map<String, String> databases = new HashMap<>();
        for (ServerFacts server : facts.servers()) {
            String where = "server " + server.name();
            if (server.error() != null) {
                findings.add(new Finding(
                        Rule.SERVER_UNREACHABLE,
                        where,
                        server.error(),
                        "start it, or correct its address: " + add(server) + "; what it holds was not examined"));
                continue;
            }
            objects(server, where, findings);
            ServerIdentity identity = server.identity();
            if (identity == null) {
                continue;
            }
            ServerIdentity before = facts.identities().get(server.name());
            if (before != null && !before.equals(identity)) {
                findings.add(new Finding(
                        Rule.SERVER_REPLACED,
                        where,
                        "was " + before + ", is " + identity,
                        "it may have forgotten what it acknowledged: mend what else is found, compare its rows with a"
                                + " backup, then accept it: " + add(server)));
            }
            String other = databases.putIfAbsent(identity.systemIdentifier() + " " + server.database(), server.name());
            if (other != null) {
                findings.add(new Finding(
                        Rule.SAME_DATABASE,
                        where,
                        "is the database of server " + other + ": "
                                + server.server().url(),
                        "correct the address of one of them: shardmap server add NAME --url URL"));
            }
        }
        return findings;
    }

    private static void objects(ServerFacts server, String where, List<Finding> findings) {
        int needed = ServerDialect.VERSION;
        String found = "version " + server.objects() + ", needed " + needed;
        if (server.objects() == 0) {
            findings.add(new Finding(Rule.OBJECTS_MISSING, where, found, upgrade(server)));
        } else if (server.objects() < needed) {
            findings.add(new Finding(Rule.OBJECTS_OUTDATED, where, found, upgrade(server)));
        } else if (server.objects() > needed) {
            findings.add(new Finding(Rule.OBJECTS_NEWER, where, found, "upgrade Shardmap here"));
        }
    }

    private static String upgrade(ServerFacts server) {
        return "shardmap server upgrade " + server.name();
    }

    private static String add(ServerFacts server) {
        return "shardmap server add " + server.name() + " --url '"
                + server.server().url() + "'";
    }
}
