/** Queries over several servers: a pure planner, an executor that reads each server once, and a merge that gives the answer one database would give, or a refusal. */
@NullMarked
package io.shardmap.jdbc.fanout;

import org.jspecify.annotations.NullMarked;
