package io.shardmap.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's JDBC support works unchanged. */
class SpringJdbcTest extends FrameworkContract {
    private static final String INSERT = "insert into book (id, check_digit, title) values (?, ?, ?)";

    private LazyConnectionDataSourceProxy lazy() {
        LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy();
        lazy.setDefaultAutoCommit(true);
        lazy.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        lazy.setTargetDataSource(keyed);
        lazy.afterPropertiesSet();
        return lazy;
    }

    @Test
    void jdbcTemplateAndClientWorkOnTheServerOfTheKey() throws SQLException {
        JdbcTemplate template = new JdbcTemplate(keyed);
        use(6);
        assertEquals(1, template.update(INSERT, 1, 6, "left"));
        template.batchUpdate(INSERT, List.of(new Object[] {2, 6, "b"}, new Object[] {3, 6, "c"}));
        use(7);
        assertEquals(1, template.update(INSERT, 4, 7, "right"));
        assertEquals(
                "right",
                JdbcClient.create(keyed)
                        .sql("select title from book where id = :id")
                        .param("id", 4)
                        .query(String.class)
                        .single());
        assertEquals(3, books.count("left"));
        assertEquals(1, books.count("right"));
        assertThrows(DataIntegrityViolationException.class, () -> template.update(INSERT, 4, 7, "again"));
    }

    @Test
    void aMissingKeySurfacesWithTheCauseThatSaysWhatToDo() {
        useNone();
        CannotGetJdbcConnectionException missing = assertThrows(
                CannotGetJdbcConnectionException.class,
                () -> new JdbcTemplate(keyed).queryForObject("select count(*) from book", Long.class));
        assertInstanceOf(SQLFeatureNotSupportedException.class, missing.getCause());
        assertTrue(missing.getCause().getMessage().contains("sharding key"), missing.getMessage());
    }

    @Test
    void transactionsCommitAndRollBack() throws SQLException {
        JdbcTemplate template = new JdbcTemplate(keyed);
        TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(keyed));
        use(6);
        transactions.executeWithoutResult(status -> template.update(INSERT, 1, 6, "kept"));
        transactions.executeWithoutResult(status -> {
            template.update(INSERT, 2, 6, "lost");
            status.setRollbackOnly();
        });
        assertEquals(1, books.count("left"));
        transactions.setReadOnly(true);
        transactions.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        Long seen = transactions.execute(status -> template.queryForObject("select count(*) from book", Long.class));
        assertEquals(Long.valueOf(1), seen);
    }

    @Test
    void nestedTransactionsAreSavepoints() throws SQLException {
        JdbcTemplate template = new JdbcTemplate(keyed);
        DataSourceTransactionManager manager = new DataSourceTransactionManager(keyed);
        TransactionTemplate outer = new TransactionTemplate(manager);
        TransactionTemplate nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        use(6);
        outer.executeWithoutResult(status -> {
            template.update(INSERT, 1, 6, "kept");
            nested.executeWithoutResult(inner -> {
                template.update(INSERT, 2, 6, "lost");
                inner.setRollbackOnly();
            });
        });
        assertEquals(1, books.count("left"));
    }

    @Test
    void aTransactionOfItsOwnMayHaveAnotherKey() throws SQLException {
        JdbcTemplate template = new JdbcTemplate(keyed);
        DataSourceTransactionManager manager = new DataSourceTransactionManager(keyed);
        TransactionTemplate own = new TransactionTemplate(manager);
        own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        use(6);
        new TransactionTemplate(manager).executeWithoutResult(status -> {
            template.update(INSERT, 1, 6, "left");
            unchecked(() -> use(7));
            own.executeWithoutResult(inner -> template.update(INSERT, 2, 7, "right"));
            unchecked(() -> use(6));
        });
        assertEquals(1, books.count("left"));
        assertEquals(1, books.count("right"));
    }

    @Test
    void withTheLazyProxyAKeySetBeforeTheFirstStatementCounts() throws SQLException {
        LazyConnectionDataSourceProxy lazy = lazy();
        JdbcTemplate template = new JdbcTemplate(lazy);
        TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(lazy));
        useNone();
        transactions.executeWithoutResult(status -> {
            unchecked(() -> use(7));
            template.update(INSERT, 1, 7, "right");
        });
        assertEquals(1, books.count("right"));
        useNone();
        transactions.executeWithoutResult(status -> assertFalse(status.isCompleted()));
    }

    @Test
    void aWrongServerIsNeverWrittenSilentlyWhenTheKeyChangesInATransaction() throws SQLException {
        JdbcTemplate template = new JdbcTemplate(keyed);
        use(6);
        assertThrows(
                RuntimeException.class,
                () -> new TransactionTemplate(new DataSourceTransactionManager(keyed)).executeWithoutResult(status -> {
                    template.update(INSERT, 1, 6, "left");
                    unchecked(() -> use(7));
                    template.update(INSERT, 2, 7, "wrong server: its guard refuses");
                }));
        assertEquals(0, books.count("left"));
        assertEquals(0, books.count("right"));
    }

    @Test
    void routesFollowAMoveBetweenTransactionsOfATemplate() throws SQLException {
        JdbcTemplate template = new JdbcTemplate(lazy());
        use(6);
        template.update(INSERT, 1, 6, "x");
        assertEquals(
                "left", router.resolver(ShardedBooks.MAP).resolve(6).server().name());
        books.moveToRight(6);
        assertEquals("x", template.queryForObject("select title from book where id = 1", String.class));
        Server now = router.resolver(ShardedBooks.MAP).resolve(6).server();
        assertEquals("right", now.name());
    }

    private interface Step {
        void run() throws SQLException;
    }

    private static void unchecked(Step step) {
        try {
            step.run();
        } catch (SQLException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
