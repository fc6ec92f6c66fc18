/** Everything that changes shape or place: the schema of the shard-map database, schema roll-out over all servers, and moves. */
@NullMarked
package io.shardmap.migrate;

import org.jspecify.annotations.NullMarked;
