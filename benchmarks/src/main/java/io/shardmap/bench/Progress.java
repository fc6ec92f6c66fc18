package io.shardmap.bench;

/** What is being done, for people: standard output belongs to the lines. */
final class Progress {
    private Progress() {}

    static void say(String message) {
        System.err.println("bench: " + message);
    }
}
