/** Routed connections: standard JDBC objects that choose their server at the first statement, prove ownership in the same round trip, and move on unseen when the owner has changed. */
@NullMarked
package io.shardmap.jdbc.routed;

import org.jspecify.annotations.NullMarked;
