package io.shardmap.migrate.move;

import io.shardmap.migrate.table.TableShape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hands out pieces to copiers: those of a table when all tables that it references are copied. Safe for use by many threads. */
final class CopyPieces {
    private final Deque<List<CopyPiece>> later;
    private final Deque<CopyPiece> ready = new ArrayDeque<>();
    private int underway;
    private boolean stopped;

    private CopyPieces(Deque<List<CopyPiece>> levels) {
        this.later = levels;
    }

    /** Takes the pieces of each table, tables that others reference first. */
    static CopyPieces of(List<List<CopyPiece>> parentsFirst) {
        Map<String, Integer> depths = new HashMap<>();
        List<List<CopyPiece>> levels = new ArrayList<>();
        for (List<CopyPiece> pieces : parentsFirst) {
            TableShape table = pieces.get(0).table();
            int depth = table.references().stream()
                    .mapToInt(parent -> depths.getOrDefault(parent, -1) + 1)
                    .max()
                    .orElse(0);
            depths.put(table.fullName(), depth);
            while (levels.size() <= depth) {
                levels.add(new ArrayList<>());
            }
            levels.get(depth).addAll(pieces);
        }
        return new CopyPieces(new ArrayDeque<>(levels));
    }

    /** Waits for a piece; null when there is none left, or the copy was stopped. */
    synchronized @Nullable CopyPiece take() throws InterruptedException {
        while (!stopped && ready.isEmpty()) {
            if (underway > 0) {
                wait();
            } else if (later.isEmpty()) {
                return null;
            } else {
                ready.addAll(later.remove());
            }
        }
        if (stopped) {
            return null;
        }
        underway++;
        return ready.remove();
    }

    /** One of the pieces that were taken is copied. */
    synchronized void done() {
        underway--;
        notifyAll();
    }

    synchronized void stop() {
        stopped = true;
        notifyAll();
    }

    synchronized boolean isStopped() {
        return stopped;
    }
}
