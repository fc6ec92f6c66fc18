package io.shardmap.cli.command;

import picocli.CommandLine.Option;

/** The option of every command that changes something. */
public final class DryRun {
    @Option(names = "--dry-run", order = 800, description = "Says what would be done, and changes nothing.")
    private boolean dryRun;

    /** Returns whether nothing may be changed. */
    public boolean isOn() {
        return dryRun;
    }

    /** Returns the sentence as it fits: as it is, or as what would happen. */
    public String sentence(String done, String planned) {
        return dryRun ? "dry run: " + planned : done;
    }
}
