package io.shardmap.spring;

import io.shardmap.jdbc.ShardRouter;

/** Changes the router before it is built: beans of this type are called in order, after the properties. */
@FunctionalInterface
public interface ShardRouterCustomizer {
    /** Changes settings. */
    void customize(ShardRouter.Builder builder);
}
