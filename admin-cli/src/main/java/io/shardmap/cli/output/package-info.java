/** Results as tables for people, and as JSON or CSV for programs. */
@NullMarked
package io.shardmap.cli.output;

import org.jspecify.annotations.NullMarked;
