package io.shardmap.examples.books;

import java.util.List;

/**
 * What a demo found.
 *
 * @param books imported books that were found at the end, each exactly as it must be
 * @param rejected rows of the file that could not be placed
 * @param servers servers that hold books at the end
 * @param moved the virtual shard that changed server
 * @param lost acknowledged writes that are missing
 * @param checks how many checks were made
 * @param failures what did not hold; empty when all did
 */
record DemoResult(int books, int rejected, int servers, int moved, long lost, int checks, List<String> failures) {
    DemoResult {
        failures = List.copyOf(failures);
    }

    boolean isOk() {
        return failures.isEmpty();
    }

    /** Returns the last line of a demo that checks itself. */
    String summary() {
        return isOk()
                ? "demo: ok books=" + books + " rejected=" + rejected + " servers=" + servers + " moved=" + moved
                        + " lost=" + lost
                : "demo: failed "
                        + String.join("; ", failures).lines().findFirst().orElse("");
    }
}
