package io.shardmap.bench;

import io.shardmap.jdbc.ShardRouter;
import io.shardmap.jdbc.routed.RoutingMode;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Borrowing and returning a connection, and the first connection of a process. */
record CheckoutBench(Rounds rounds, ColdStart coldStart) implements Bench {
    private static final double TARGET_CHECKOUT = 1.3;

    @Override
    public void run(Consumer<BenchLine> lines) throws Exception {
        checkout(lines);
        coldStart.run(lines);
    }

    /** The peer borrows a connection of a server only at the first statement, so here it does less than the others. */
    private void checkout(Consumer<BenchLine> lines) throws Exception {
        Cluster cluster = Cluster.h2(3);
        try (ShardRouter router = cluster.router(RoutingMode.TRUST);
                Cluster.Pools raw = cluster.pools();
                Cluster.Pools peerPools = cluster.pools();
                Peer peer = Peer.load()) {
            new Comparison(rounds, lines)
                    .run(
                            "checkout-trust",
                            TARGET_CHECKOUT,
                            () -> Statements.checkout(id -> router.openConnection(Cluster.MAP, id)),
                            () -> Statements.checkout(raw::open),
                            peerCheckout(peer, peerPools));
        }
    }

    private static @Nullable Supplier<Work> peerCheckout(@Nullable Peer peer, Cluster.Pools pools) throws Exception {
        if (peer == null) {
            return null;
        }
        DataSource source = peer.over(pools);
        return () -> Statements.checkout(id -> source.getConnection());
    }
}
