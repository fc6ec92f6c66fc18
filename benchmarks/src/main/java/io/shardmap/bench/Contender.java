package io.shardmap.bench;

import java.util.function.Supplier;

/**
 * One way to do the work of a bench.
 *
 * @param name name for messages
 * @param work makes the work at its beginning: the same keys in the same order as the other contenders
 */
record Contender(String name, Supplier<Work> work) {}
