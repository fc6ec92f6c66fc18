@NullMarked
package io.shardmap.testkit;

import org.jspecify.annotations.NullMarked;
