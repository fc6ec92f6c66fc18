/** How the command reaches the shard-map database and the servers, and where their credentials come from. */
@NullMarked
package io.shardmap.cli.connect;

import org.jspecify.annotations.NullMarked;
