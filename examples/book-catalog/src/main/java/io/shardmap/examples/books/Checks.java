package io.shardmap.examples.books;

import java.util.ArrayList;
import java.util.List;

/** What the demo demands of itself: shown as it is checked, and remembered when it does not hold. */
final class Checks {
    private final Screen screen;
    private final List<String> failures = new ArrayList<>();
    private int count;

    Checks(Screen screen) {
        this.screen = screen;
    }

    void require(boolean holds, String text) {
        count++;
        screen.check(holds, text);
        if (!holds) {
            failures.add(text);
        }
    }

    int count() {
        return count;
    }

    List<String> failures() {
        return List.copyOf(failures);
    }
}
