package io.shardmap.examples.books;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** What the demo prints: the story on one stream, progress on another. Colours only where they are wanted. */
final class Screen {
    private static final String BOLD = "1";
    private static final String DIM = "2";
    private static final String GREEN = "32";
    private static final String RED = "31";
    private static final String CYAN = "36";
    private static final long SECOND_NANOS = 1_000_000_000;

    private final PrintStream out;
    private final PrintStream err;
    private final boolean terminal;
    private volatile boolean silent;
    private int steps;
    private boolean progressShown;
    private long progressNanos = System.nanoTime();

    /** @param terminal whether a person looks on: colours, and progress that overwrites itself */
    Screen(PrintStream out, PrintStream err, boolean terminal) {
        this.out = out;
        this.err = err;
        this.terminal = terminal;
    }

    /** Prints a last line and nothing after it: the process is being stopped. */
    void interrupted(String text) {
        clearProgress();
        silent = true;
        err.println();
        err.println(text);
    }

    void title(String text) {
        print(styled(BOLD, text));
    }

    void step(String text) {
        steps++;
        print("");
        print(styled(CYAN, steps + "  ") + styled(BOLD, text));
    }

    void line(String text) {
        print(text.isEmpty() ? "" : "   " + text);
    }

    void note(String text) {
        print("   " + styled(DIM, text));
    }

    /** Prints whether something that must be so is so. */
    void check(boolean holds, String text) {
        print("   " + (holds ? styled(GREEN, "ok") + "      " : styled(RED, "FAILED") + "  ") + text);
    }

    /** Prints a line as it is. */
    void plain(String text) {
        print(text);
    }

    /** Shows how far something is: on a terminal in a line that is overwritten, elsewhere in a line per second. */
    synchronized void progress(String text) {
        if (silent) {
            return;
        }
        if (terminal) {
            err.print("\r\u001b[K   " + styled(DIM, text));
            err.flush();
            progressShown = true;
        } else if (System.nanoTime() - progressNanos > SECOND_NANOS) {
            progressNanos = System.nanoTime();
            err.println("   " + text);
        }
    }

    void error(String text) {
        clearProgress();
        if (!silent) {
            err.println(styled(RED, "demo: ") + text);
        }
    }

    private synchronized void print(String text) {
        clearProgress();
        if (!silent) {
            out.println(text);
            out.flush();
        }
    }

    private synchronized void clearProgress() {
        if (progressShown) {
            err.print("\r\u001b[K");
            err.flush();
            progressShown = false;
        }
    }

    private String styled(String style, String text) {
        return terminal ? "\u001b[" + style + "m" + text + "\u001b[0m" : text;
    }

    /** Writes a number with separators. */
    static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Writes a duration in milliseconds below a second, in seconds above. */
    static String time(Duration duration) {
        long millis = duration.toMillis();
        return millis < 1_000 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
    }

    /** Writes a path as a person in the current directory would. */
    static Path path(Path path) {
        Path here = Path.of("").toAbsolutePath();
        return path.startsWith(here) ? here.relativize(path) : path;
    }
}
