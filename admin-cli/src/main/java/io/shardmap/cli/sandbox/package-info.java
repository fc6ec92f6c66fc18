/** Real servers on this machine, to try Shardmap with. */
@NullMarked
package io.shardmap.cli.sandbox;

import org.jspecify.annotations.NullMarked;
