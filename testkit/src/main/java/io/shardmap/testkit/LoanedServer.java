package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that others use too, seen through a database of one's own: made here, dropped on close. */
final class LoanedServer implements ServerHandle {
    private static final Logger log = LoggerFactory.getLogger(LoanedServer.class);
    private static final int VALIDATION_SECONDS = 5;

    private final ServerAccess lender;
    private final ServerAccess loan;
    private final String refusal;

    private LoanedServer(ServerAccess lender, ServerAccess loan, String refusal) {
        this.lender = lender;
        this.loan = loan;
        this.refusal = refusal;
    }

    /**
     * Creates the database.
     *
     * @param refusal why this server cannot be stopped, and how to get one that can
     */
    static LoanedServer of(ServerAccess lender, String refusal) {
        String database =
                "testkit_" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        try {
            lender.execute("CREATE DATABASE " + ServerAccess.quoted(database));
        } catch (SQLException e) {
            throw new TestkitException(
                    Reason.SERVER_FAILED,
                    "a fresh database must be creatable: server=" + lender.url() + ", user=" + lender.user()
                            + "; check the address and that the user may create databases",
                    e);
        }
        return new LoanedServer(lender, lender.withDatabase(database), refusal);
    }

    @Override
    public ServerAccess access() {
        return loan;
    }

    @Override
    public void start() {
        if (!isRunning()) {
            throw new UnsupportedOperationException(refusal);
        }
    }

    @Override
    public void stop() {
        throw new UnsupportedOperationException(refusal);
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException(refusal);
    }

    @Override
    public boolean isRunning() {
        try (Connection connection = loan.openConnection()) {
            return connection.isValid(VALIDATION_SECONDS);
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void close() {
        String database = ServerAccess.quoted(loan.url().database());
        try {
            lender.execute("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
        } catch (SQLException e) {
            log.warn("a database was left behind: server={}, database={}", lender.url(), database, e);
        }
    }
}
