/** A sharded map on real servers, for tests of what stands on a router. */
@NullMarked
package io.shardmap.frameworks;

import org.jspecify.annotations.NullMarked;
