package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import java.util.List;

/** Servers that run already, at addresses given by a setting; each set of servers gets fresh databases there. */
final class ExternalBackend implements ServerBackend {
    private static final String REFUSAL = "an external server is not the testkit's to stop, kill or start:"
            + " set shardmap.testkit.backend to embedded or testcontainers";

    private final List<ServerAccess> servers;

    ExternalBackend(TestkitSettings settings) {
        this.servers = settings.urls().stream()
                .map(url -> new ServerAccess(url, settings.user(), settings.password()))
                .toList();
    }

    @Override
    public ServerHandle create(ServerPlan plan) {
        if (plan.index() >= servers.size()) {
            throw new TestkitException(
                    Reason.BAD_SETTING,
                    "the external backend needs one URL per server: server=" + plan.name() + ", number="
                            + (plan.index() + 1) + ", urls=" + servers.size()
                            + "; add URLs to shardmap.testkit.urls, separated by commas");
        }
        if (plan.dataDirectory() != null || plan.port() != 0) {
            throw new UnsupportedOperationException("an external server has its own port and data directory: server="
                    + plan.name() + "; set shardmap.testkit.backend to embedded");
        }
        return LoanedServer.of(servers.get(plan.index()), REFUSAL);
    }

    @Override
    public String versionAdvice() {
        return "name servers of that version in shardmap.testkit.urls";
    }
}
