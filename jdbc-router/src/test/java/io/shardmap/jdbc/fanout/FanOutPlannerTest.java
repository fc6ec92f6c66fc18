package io.shardmap.jdbc.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.Server;
import io.shardmap.ShardMap;
import io.shardmap.ShardedTable;
import io.shardmap.VirtualShard;
import io.shardmap.key.KeyType;
import io.shardmap.strategy.KeyFunction;
import io.shardmap.strategy.Strategy;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the planner makes of a query: nothing but data, so no database is needed. */
class FanOutPlannerTest {
    private static final ShardMap MAP = new ShardMap(
            "books",
            1,
            KeyType.INTEGER,
            new Strategy.Lookup(new KeyFunction.Identity(2)),
            7,
            List.of(
                    new VirtualShard(0, "one", 1, VirtualShard.State.ASSIGNED),
                    new VirtualShard(1, "two", 1, VirtualShard.State.ASSIGNED)),
            List.of(new Server("one", null, null), new Server("two", null, null)),
            List.of(
                    new ShardedTable(null, "book", "vs"),
                    new ShardedTable("shop", "sale", "vs"),
                    new ShardedTable("old", "sale", "vs")));

    private static FanOutPlan plan(String sql) {
        return FanOutPlanner.plan(sql, MAP, SqlProduct.POSTGRESQL);
    }

    private static FanOutPlan.Ready ready(String sql) {
        FanOutPlan plan = plan(sql);
        return assertInstanceOf(FanOutPlan.Ready.class, plan, plan::describe);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            select * from book                          | SELECT * FROM book
            select b.* from book b                      | SELECT b.* FROM book b
            select id, title from book where id = ?     | SELECT id, title FROM book WHERE id = ?
            select id from "book" as b where b.id in (1, 2) | SELECT id FROM "book" as b WHERE b.id in (1, 2)
            select id from BOOK                         | SELECT id FROM BOOK
            select id from shop.sale                    | SELECT id FROM shop.sale
            select id from public.book                  | SELECT id FROM public.book
            select id::text, -id, id + 1 n from book    | SELECT id::text, -id, id + 1 n FROM book
            select id from book where a is not distinct from b | SELECT id FROM book WHERE a is not distinct from b
            select a is distinct from b from book       | SELECT a is distinct from b FROM book
            select year, month from book where year > 1 | SELECT year, month FROM book WHERE year > 1
            select extract(year from d) y from book     | SELECT extract(year from d) y FROM book
            select substring(t from 1 for 2) from book  | SELECT substring(t from 1 for 2) FROM book
            select case when a > 1 then 'x' else 'y' end from book | SELECT case when a > 1 then 'x' else 'y' end FROM book
            select id /* who */ from book -- why        | SELECT id FROM book
            select 'a -- b' s from book;                | SELECT 'a -- b' s FROM book
            select id from book where t like 'now%'     | SELECT id FROM book WHERE t like 'now%'
            select id from book where t = any(?)        | SELECT id FROM book WHERE t = any(?)
            select id from book limit 5                 | SELECT id FROM book LIMIT 5
            select id from book limit 5 offset 2        | SELECT id FROM book LIMIT 7
            select id from book offset 2 rows fetch next 3 rows only | SELECT id FROM book LIMIT 5
            select id from book fetch first row only    | SELECT id FROM book LIMIT 1
            select id from book limit all               | SELECT id FROM book
            select id from book limit null offset 3     | SELECT id FROM book
            select id from book order by id             | SELECT id FROM book ORDER BY id ASC NULLS LAST
            select id from book order by 1 desc         | SELECT id FROM book ORDER BY 1 DESC NULLS FIRST
            select id from book order by id desc nulls last | SELECT id FROM book ORDER BY id DESC NULLS LAST
            select id from book order by t, id          | SELECT id, t AS "shardmap sort 1" FROM book ORDER BY t ASC NULLS LAST, id ASC NULLS LAST
            select id x from book b order by b.id, x    | SELECT id x, b.id AS "shardmap sort 1" FROM book b ORDER BY b.id ASC NULLS LAST, x ASC NULLS LAST
            select lower(t) as l from book order by l limit 3 | SELECT lower(t) as l FROM book ORDER BY l ASC NULLS LAST LIMIT 3
            select * from book order by id              | SELECT *, id AS "shardmap sort 1" FROM book ORDER BY id ASC NULLS LAST
            select *, lower(t) l from book order by l   | SELECT *, lower(t) l, lower(t) AS "shardmap sort 1" FROM book ORDER BY l ASC NULLS LAST
            select id from book order by t collate "C"  | SELECT id, t collate "C" AS "shardmap sort 1" FROM book ORDER BY t collate "C" ASC NULLS LAST
            select count(*) from book                   | SELECT count(*) FROM book
            select count(t) as n from book where a or b | SELECT count(t) as n FROM book WHERE a or b
            select COUNT(coalesce(a, b)) from book      | SELECT COUNT(coalesce(a, b)) FROM book
            """)
    void isAllowed(String sql, String serverSql) {
        FanOutPlan.Ready plan = ready(sql);
        long limit = plan.limit().limit() instanceof RowLimit.Literal literal ? literal.value() : Long.MAX_VALUE;
        long offset = plan.limit().offset() instanceof RowLimit.Literal literal ? literal.value() : 0;
        assertEquals(serverSql, plan.query().sql(new RowLimit.Bound(limit, offset).perServer(), Set.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            insert into book values (1)                 | INSERT
            update book set id = 1                      | UPDATE
            delete from book                            | DELETE
            merge into book using x on true when matched then delete | MERGE
            truncate book                               | TRUNCATE
            explain select 1                            | EXPLAIN
            values (1)                                  | VALUES
            with x as (select 1) select * from x        | WITH
            (select id from book)                       | query in parentheses
            select 1                                    | SELECT without FROM
            select id from other                        | table other
            select id from "BOOK"                       | table "BOOK"
            select id from sale                         | several schemas
            select id from book, shop.sale              | FROM with more than one table
            select id from book join shop.sale s on true | JOIN
            select id from generate_series(1, 2)        | FROM with more than one table
            select id from (select id from book) x      | subquery
            select (select max(id) from book) from book | subquery
            select id from book where id in (select 1)  | subquery
            select id from book where exists (select 1) | EXISTS
            select id from book union all select id from book | UNION
            select id from book except select id from book | EXCEPT
            select distinct id from book                | DISTINCT
            select count(distinct id) from book         | DISTINCT
            select id, count(*) from book group by id   | GROUP BY
            select count(*) from book having count(*) > 1 | HAVING
            select sum(id) from book                    | aggregate sum
            select avg(id) from book                    | aggregate avg
            select min(id) + max(id) from book          | aggregate min
            select count(*) + 1 from book               | aggregate count
            select count(*), count(id) from book        | aggregate count
            select count(*) from book limit 1           | count with ORDER BY, LIMIT
            select count(*) from book order by 1        | count with ORDER BY
            select count(b.*) from book b               | count of a whole row
            select coalesce(sum(a), 0) from book        | aggregate sum
            select sum(a) filter (where b) from book    | aggregate sum with FILTER
            select row_number() over (order by id) from book | function row_number
            select count(*) over () from book           | window function count
            select id from book where id = sum(id)      | aggregate sum
            select random() from book                   | function random
            select id from book where random() < 0.5    | function random
            select nextval('s') from book               | function nextval
            select my_function(id) from book            | function my_function
            select now() from book                      | function now
            select id from book where d < current_date  | current_date
            select id from book where d < 'yesterday'   | literal
            select id from book where d < 'now'::date   | literal
            select current_user from book               | current_user
            select ctid from book                       | ctid
            select 'book'::regclass from book           | cast to regclass
            select id from book for update              | FOR UPDATE
            select id from book for share skip locked   | FOR UPDATE or another
            select id into x from book                  | INTO
            select id from book tablesample system (1)  | TABLESAMPLE
            select id from book limit 1 limit 2         | LIMIT, OFFSET or FETCH
            select id from book limit -1                | LIMIT, OFFSET or FETCH
            select id from book limit 1 + 1             | LIMIT, OFFSET or FETCH
            select id from book limit 2, 3              | LIMIT, OFFSET or FETCH
            select id from book fetch first 2 rows with ties | WITH
            select id from book order by id + 1         | ORDER BY id + 1
            select id from book order by lower(t)       | ORDER BY lower(t)
            select id from book order by id using >     | parser
            select id from book order by 3              | ORDER BY 3
            select *, id from book order by 2           | ORDER BY 2 with *
            select a x, b x from book order by x        | two columns of that name
            select id::text from book order by id       | unnamed item
            select case when a then b else id end from book order by id | unnamed item
            select lower(t) from book order by lower    | unnamed item
            select "id" from book order by id           | ORDER BY id for "id"
            select ? as p from book order by p          | expression with a parameter
            select id from book order by xmin           | xmin
            select id from book; delete from book       | several statements
            select $$x$$ from book                      | dollar sign
            select id from book where id = $1           | dollar sign
            select id from book where id = :id          | named parameter
            select id from book where a ?? 'b'          | ??
            select id from book where id = ?1           | ?1
            select 'a from book                         | quote without an end
            select id from book /* x                    | comment without an end
            select id frm book                          | SELECT without FROM
            select id from book where                   | parser
            select id, from book                        | empty list
            select U&'x' from book                      | U& literal
            select (b).title from book b                | expression
            """)
    void isRefused(String sql, String construct) {
        FanOutPlan plan = plan(sql);
        FanOutPlan.Refusal refusal = assertInstanceOf(FanOutPlan.Refusal.class, plan, plan::describe);
        assertTrue(refusal.construct().contains(construct), refusal.describe());
        assertTrue(!refusal.advice().isBlank());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            select id from book                         | SELECT id FROM book WHERE book."vs" NOT IN (1, 4)
            select id from book b where a = 1 or c = ?  | SELECT id FROM book b WHERE (a = 1 or c = ?) AND b."vs" NOT IN (1, 4)
            select id from book as "B" order by id      | SELECT id FROM book as "B" WHERE "B"."vs" NOT IN (1, 4) ORDER BY id ASC NULLS LAST
            select count(*) from shop.sale              | SELECT count(*) FROM shop.sale WHERE sale."vs" NOT IN (1, 4)
            """)
    void copiesAreFilteredByTheShardColumn(String sql, String serverSql) {
        assertEquals(serverSql, ready(sql).query().sql(Long.MAX_VALUE, Set.of(4, 1)));
    }

    @Test
    void nullsSortLowOnH2() {
        FanOutPlan plan = FanOutPlanner.plan("select id from book order by id, t desc", MAP, SqlProduct.H2);
        assertEquals(
                " ORDER BY id ASC NULLS FIRST, t DESC NULLS LAST",
                ((FanOutPlan.Ready) plan).query().tail());
    }

    @Test
    void parametersOfLimitFollowThoseOfTheServersQuery() {
        FanOutPlan.Ready plan = ready("select id from book where id > ? offset ? limit ?");
        assertEquals(1, plan.query().parameters());
        assertEquals(new RowLimit(new RowLimit.Parameter(3), new RowLimit.Parameter(2)), plan.limit());
        assertEquals(3, plan.parameters());
    }

    @Test
    void describesServersFilterAndMerge() {
        assertEquals(
                """
                fan-out over map books, generation 7
                  tier: streaming: the rows of the servers can be merged as they come
                  server one: SELECT id, t AS "shardmap sort 1" FROM book ORDER BY t DESC NULLS FIRST LIMIT (5 + offset 2)
                  server two: SELECT id, t AS "shardmap sort 1" FROM book ORDER BY t DESC NULLS FIRST LIMIT (5 + offset 2)
                  filter: AND book."vs" NOT IN (...) on a server that holds copies of virtual shards it does not own
                  merge: merge the sorted rows of all servers by t desc nulls first (hidden column); then drop the hidden columns; limit 5, offset 2""",
                plan("select id from book order by t desc limit 5 offset 2").describe());
        assertEquals(
                "fan-out must give the answer of one database: refused=aggregate sum; only a single count(*) or"
                        + " count(expression) is merged: run it on one shard, or compute it in the application",
                plan("select sum(id) from book").toString());
    }
}
