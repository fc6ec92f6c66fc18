package io.shardmap.bench;

import java.util.function.Consumer;

/** A group of measurements that is run by its name. */
interface Bench {

    /**
     * Measures, and hands over each line as soon as it is known.
     *
     * @throws Exception when a database or a process fails, or the contenders do not do the same work
     */
    void run(Consumer<BenchLine> lines) throws Exception;
}
