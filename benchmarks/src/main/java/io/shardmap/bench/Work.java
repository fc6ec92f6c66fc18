package io.shardmap.bench;

/** One operation that is timed by repeating it. Used by one thread. */
@FunctionalInterface
interface Work {

    /**
     * Does the operation once.
     *
     * @return a number made from what was read; contenders that do the same work return the same numbers
     */
    long once() throws Exception;
}
