/** Plain forwarding of the large JDBC interfaces, so that the classes which change something show only what they change. */
@NullUnmarked
package io.shardmap.jdbc.forwarding;

import org.jspecify.annotations.NullUnmarked;
