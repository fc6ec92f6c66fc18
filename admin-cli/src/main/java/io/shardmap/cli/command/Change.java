package io.shardmap.cli.command;

import picocli.CommandLine.Option;

/** A command that changes something. */
abstract class Change extends Verb {
    @Option(names = "--dry-run", order = 800, description = "Says what would be done, and changes nothing.")
    boolean dryRun;

    /** Prints what was done, or what would be, and then what to do next. */
    void done(String done, String planned, String name, Record result, String next) {
        output.data().done(dryRun ? "dry run: " + planned : done, name, result);
        if (!dryRun) {
            output.hint(next);
        }
    }
}
