package io.shardmap.examples.books;

import java.io.Serial;

/** The demo cannot start, for a reason its user can remove. The message says how. */
final class DemoException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    DemoException(String message) {
        super(message);
    }

    DemoException(String message, Throwable cause) {
        super(message, cause);
    }
}
