package io.shardmap.examples.books;

/** Whether a person looks on. Java cannot tell whether one stream is a terminal, so the script that starts it says so. */
final class Terminal {
    private Terminal() {}

    /** Returns whether colours are wanted: on a terminal, and unless {@code NO_COLOR} is set (no-color.org). */
    static boolean isWanted() {
        String noColor = System.getenv("NO_COLOR");
        return Boolean.getBoolean("shardmap.demo.terminal") && (noColor == null || noColor.isEmpty());
    }
}
