package io.shardmap.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardmap.jdbc.ShardRouter;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.SQLException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.PartitionKey;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hibernate routes by tenant: the tenant identifier is the shard key. */
class HibernateTest extends FrameworkContract {
    /** A book. */
    @Entity(name = "Book")
    @Table(name = "book")
    static class Book {
        @Id
        Integer id;

        /** Every statement about a book carries the shard column. */
        @PartitionKey
        Integer check_digit;

        String title;

        Book() {}

        Book(int id, int digit, String title) {
            this.id = id;
            this.check_digit = digit;
            this.title = title;
        }
    }

    /** What an application writes: twenty lines. */
    static final class ShardedConnections implements MultiTenantConnectionProvider<Integer> {
        private static final long serialVersionUID = 1;
        private final transient ShardRouter router;

        ShardedConnections(ShardRouter router) {
            this.router = router;
        }

        @Override
        public Connection getConnection(Integer key) throws SQLException {
            return router.openConnection(ShardedBooks.MAP, key);
        }

        @Override
        public void releaseConnection(Integer key, Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public Connection getAnyConnection() throws SQLException {
            throw new SQLException("a session needs a tenant identifier, the shard key");
        }

        @Override
        public void releaseAnyConnection(Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public boolean supportsAggressiveRelease() {
            return false;
        }

        @Override
        public boolean isUnwrappableAs(Class<?> type) {
            return type.isInstance(this);
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            return type.cast(this);
        }
    }

    private SessionFactory sessions;

    @BeforeEach
    void boot() {
        Configuration configuration = new Configuration().addAnnotatedClass(Book.class);
        configuration.getProperties().put("hibernate.multi_tenant_connection_provider", new ShardedConnections(router));
        configuration
                .setProperty("hibernate.dialect", "org.hibernate.dialect.PostgreSQLDialect")
                .setProperty("hibernate.boot.allow_jdbc_metadata_access", "false")
                .setProperty("hibernate.hbm2ddl.auto", "none");
        sessions = configuration.buildSessionFactory();
    }

    @AfterEach
    void shutDown() {
        sessions.close();
    }

    private Session session(int key) {
        return sessions.withOptions().tenantIdentifier((Object) key).openSession();
    }

    @Test
    void sessionsWorkOnTheServerOfTheirTenant() throws SQLException {
        for (int digit : new int[] {6, 7}) {
            try (Session session = session(digit)) {
                session.beginTransaction();
                session.persist(new Book(digit, digit, "first"));
                session.getTransaction().commit();
            }
        }
        assertEquals(1, books.count("left"));
        assertEquals(1, books.count("right"));
        try (Session session = session(7)) {
            session.beginTransaction();
            Book book = session.find(Book.class, 7);
            assertNotNull(book);
            assertNull(session.find(Book.class, 6), "it is on another server");
            book.title = "second";
            session.getTransaction().commit();
        }
        try (Session session = session(7)) {
            assertEquals(
                    "second",
                    session.createSelectionQuery("select title from Book where check_digit = 7", String.class)
                            .getSingleResult());
            session.beginTransaction();
            session.remove(session.find(Book.class, 7));
            session.getTransaction().commit();
        }
        assertEquals(0, books.count("right"));
    }

    @Test
    void aRolledBackSessionLeavesNothing() throws SQLException {
        try (Session session = session(6)) {
            session.beginTransaction();
            session.persist(new Book(1, 6, "lost"));
            session.flush();
            session.getTransaction().rollback();
        }
        assertEquals(0, books.count("left"));
    }

    @Test
    void aSessionWithoutTenantIsRefused() {
        assertThrows(RuntimeException.class, () -> {
            try (Session session = sessions.openSession()) {
                session.find(Book.class, 1);
            }
        });
    }
}
