package io.shardmap.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.SQLException;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.jdbi.v3.core.Jdbi;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** jOOQ, Jdbi and MyBatis work on a data source with the key in scope, and on connections that are opened by key. */
class QueryLibrariesTest extends FrameworkContract {
    @Test
    void jooqWorksWithTheKeyInScope() throws SQLException {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
        DSLContext jooq = DSL.using(keyed, SQLDialect.POSTGRES);
        use(6);
        jooq.execute("insert into book values (?, ?, ?)", 1, 6, "left");
        jooq.transaction(inside -> inside.dsl().execute("insert into book values (?, ?, ?)", 2, 6, "kept"));
        assertThrows(
                DataAccessException.class,
                () -> jooq.transaction(inside -> {
                    inside.dsl().execute("insert into book values (?, ?, ?)", 3, 6, "lost");
                    inside.dsl().execute("insert into book values (?, ?, ?)", 1, 6, "again");
                }));
        use(7);
        jooq.batch("insert into book values (?, ?, ?)")
                .bind(4, 7, "right")
                .bind(5, 7, "right")
                .execute();
        assertEquals(
                2,
                jooq.fetchCount(DSL.selectFrom(DSL.table("book"))
                        .where(DSL.field("title").eq("right"))));
        assertEquals(2, books.count("left"));
        assertEquals(2, books.count("right"));
    }

    @Test
    void jdbiWorksWithTheKeyInScopeAndByConnection() throws SQLException {
        Jdbi jdbi = Jdbi.create(keyed);
        use(6);
        jdbi.useTransaction(handle -> handle.execute("insert into book values (?, ?, ?)", 1, 6, "left"));
        use(7);
        jdbi.useHandle(handle -> handle.createUpdate("insert into book values (:id, :digit, :title)")
                .bind("id", 2)
                .bind("digit", 7)
                .bind("title", "right")
                .execute());
        assertThrows(
                IllegalStateException.class,
                () -> jdbi.useTransaction(handle -> {
                    handle.execute("insert into book values (?, ?, ?)", 3, 7, "lost");
                    throw new IllegalStateException("rolls back");
                }));
        Jdbi byKey = Jdbi.create(() -> router.openConnection(ShardedBooks.MAP, 6));
        assertEquals(
                "left",
                byKey.withHandle(handle -> handle.createQuery("select title from book")
                        .mapTo(String.class)
                        .one()));
        assertEquals(1, books.count("left"));
        assertEquals(1, books.count("right"));
    }

    /** A mapper. */
    interface BookMapper {
        @Insert("insert into book values (#{id}, #{digit}, #{title})")
        int insert(@Param("id") int id, @Param("digit") int digit, @Param("title") String title);

        @Select("select title from book where id = #{id}")
        String title(int id);
    }

    @Test
    void myBatisWorksWithTheKeyInScopeAndByConnection() throws SQLException {
        Configuration configuration = new Configuration(new Environment("test", new JdbcTransactionFactory(), keyed));
        configuration.addMapper(BookMapper.class);
        SqlSessionFactory sessions = new SqlSessionFactoryBuilder().build(configuration);
        use(6);
        try (SqlSession session = sessions.openSession()) {
            assertEquals(1, session.getMapper(BookMapper.class).insert(1, 6, "left"));
            session.commit();
        }
        try (SqlSession session = sessions.openSession()) {
            session.getMapper(BookMapper.class).insert(2, 6, "lost");
            session.rollback();
        }
        try (SqlSession session = sessions.openSession(router.openConnection(ShardedBooks.MAP, 7))) {
            session.getMapper(BookMapper.class).insert(3, 7, "right");
            assertEquals("right", session.getMapper(BookMapper.class).title(3));
            session.commit();
        }
        assertEquals(1, books.count("left"));
        assertEquals(1, books.count("right"));
    }
}
