package io.shardmap.migrate.move;

/**
 * The ownership row of a virtual shard on a server.
 *
 * @param epoch the highest epoch the server saw, 0 when it has no row
 * @param state what the server does with transactions that ask to enter
 * @param fenceLive whether the fence has not run out, by the server's clock
 * @param holdsCopies whether rows may be there although the server does not own it
 */
record Ownership(long epoch, State state, boolean fenceLive, boolean holdsCopies) {
    /** What a server without a row says. */
    static final Ownership NONE = new Ownership(0, State.CLOSED, false, false);

    enum State {
        OPEN,
        FENCED,
        CLOSED
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Returns whether nobody can change the rows: closed, or behind a fence that has not run out. */
    boolean isFrozen() {
        return switch (state) {
            case OPEN -> false;
            case FENCED -> fenceLive;
            case CLOSED -> true;
        };
    }
}
