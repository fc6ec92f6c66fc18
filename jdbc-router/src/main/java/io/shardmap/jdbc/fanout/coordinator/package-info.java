/** What a coordinated fan-out needs of PostgreSQL: table shapes, temporary tables, conditions with bound values, limits. */
@NullMarked
package io.shardmap.jdbc.fanout.coordinator;

import org.jspecify.annotations.NullMarked;
