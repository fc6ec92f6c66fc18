package io.shardmap.jdbc.routed;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the open transaction, if there is one, has done so far. */
final class TransactionState {
    private final Set<Integer> entered = new HashSet<>();
    private final List<String> preamble = new ArrayList<>();
    private boolean started;

    boolean hasEntered(int virtualShard) {
        return entered.contains(virtualShard);
    }

    void enter(int virtualShard) {
        entered.add(virtualShard);
    }

    /** Returns whether a statement of the user has run, so that the transaction cannot start over elsewhere. */
    boolean isStarted() {
        return started;
    }

    void start() {
        started = true;
    }

    /** Remembers a statement that opened or tuned the transaction, to be sent again if it starts over. */
    void addPreamble(String sql) {
        if (!started) {
            preamble.add(sql);
        }
    }

    List<String> preamble() {
        return preamble;
    }

    /** Nothing is entered any more, but the preamble still holds: the transaction starts over. */
    void startOver() {
        entered.clear();
    }

    /** The transaction has ended. */
    void end() {
        entered.clear();
        preamble.clear();
        started = false;
    }
}
