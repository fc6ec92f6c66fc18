package io.shardmap.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.ReferenceTable;
import io.shardmap.Server;
import io.shardmap.ShardedTable;
import io.shardmap.jdbc.fanout.FanOutPlan;
import io.shardmap.jdbc.fanout.QueryPlanner;
import io.shardmap.jdbc.fanout.SqlProduct;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the planner makes of a query: nothing but data, so no database is needed. */
class SqlQueryPlannerTest {
    private static final FixedMap MAP = FixedMap.of(
                    List.of(new Server("one", null, null), new Server("two", null, null)),
                    2,
                    new ShardedTable(null, "book", "vs"),
                    new ShardedTable("shop", "sale", "vs"),
                    new ShardedTable("old", "sale", "vs"))
            .withReferences(
                    new ReferenceTable(null, "genre"),
                    new ReferenceTable("shop", "buyer"),
                    new ReferenceTable("ref", "book"));

    private static FanOutPlan plan(String sql) {
        QueryPlanner planner =
                ServiceLoader.load(QueryPlanner.class).findFirst().orElseThrow();
        return planner.plan(new QueryPlanner.Request(sql, MAP.map(), SqlProduct.POSTGRESQL, "it is not flat", true));
    }

    private static FanOutPlan.Coordinated coordinated(String sql) {
        FanOutPlan plan = plan(sql);
        return assertInstanceOf(FanOutPlan.Coordinated.class, plan, plan::describe);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            select a, count(*) from book group by a                  | 1 ASC NULLS LAST
            select count(*), a from book group by 2 order by a desc  | 2 DESC NULLS FIRST
            select count(*) from book b group by b.a, c order by c   | 3 ASC NULLS LAST, 2 ASC NULLS LAST
            select b.a, sum(x) from book b group by a order by b.a limit 3 | 1 ASC NULLS LAST
            select distinct a, b from book order by 2                | 2 ASC NULLS LAST, 1 ASC NULLS LAST
            select lower(a) l, max(x) from book group by lower(a) order by l | 1 ASC NULLS LAST
            """)
    void mergesGroupsThatServersSendInOneOrder(String sql, String order) {
        FanOutPlan plan = plan(sql);
        FanOutPlan.GroupedMerge merge = assertInstanceOf(FanOutPlan.GroupedMerge.class, plan, plan::describe);
        assertTrue(merge.query().tail().endsWith(" ORDER BY " + order), merge.query()::tail);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select a, avg(x) from book group by a",
                "select a, count(*) from book group by a having count(*) > 1",
                "select a, count(*) from book group by a order by count(*)",
                "select a, sum(x) + 1 from book group by a",
                "select a, count(distinct x) from book group by a",
                "select sum(x) filter (where a > 1) from book",
                "select sum(x * ?) from book",
                "select distinct on (a) a, b from book order by a, b",
                "select distinct count(*) from book group by a",
                "select a, rank() over (order by a) from book",
                "select a, count(*) from book group by rollup (a)",
                "select b.id from book b join shop.sale s on s.book = b.id",
                "select id from book where x = (select max(x) from book)",
                "with w as (select * from book) select * from w",
                "select id from book union select n from shop.sale",
                "select count(*) from book where seen > now()"
            })
    void givesToACoordinatorWhatCannotBeMergedAsItComes(String sql) {
        coordinated(sql);
    }

    @Test
    void groupsByANameThatMayBeAColumnOrAnAliasAreNotMerged() {
        FanOutPlan.Coordinated plan = coordinated("select lower(a) as t, count(*) from book group by t");
        assertTrue(plan.reason().contains("GROUP BY t"), plan::reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            insert into book values (1)                               | INSERT
            with d as (delete from book returning *) select * from d  | DELETE
            select * from book for update                             | locking clause
            select avg(x) into t from book                            | INTO
            select avg(x) from book tablesample system (1)            | TABLESAMPLE
            select avg(random()) from book                            | random
            select avg(x), nextval('s') from book                     | nextval
            select avg(x), my.f(1) from book                          | my.f
            select avg(x) from book where current_user = 'a'          | current_user
            select avg(x) from book where t = 'book'::regclass        | regclass
            select avg(b.x) from book b, other o                      | other
            select avg(x) from book where a in (select a from pg_catalog.pg_class) | pg_catalog.pg_class
            select avg(x) from shop.sale, old.sale                    | two schemas
            select avg(x) from sale                                   | several schemas
            select avg(x) from (select 1 as x) y                      | without a sharded table
            select avg(x) from book, buyer                            | table buyer
            select avg(x) from book, public.genre                     | public.genre
            select avg(b.x) from book b, ref.book r                   | name of a sharded table
            select count(*) from genre                                | without a sharded table
            select avg(x from book                                    | parser
            """)
    void refusesByNameWhatNoServerMayRun(String sql, String named) {
        FanOutPlan plan = plan(sql);
        FanOutPlan.Refusal refusal = assertInstanceOf(FanOutPlan.Refusal.class, plan, plan::describe);
        assertTrue(refusal.describe().contains(named), refusal::describe);
    }

    @Test
    void aReferenceTableIsReadWhereTheCoordinatorHasIt() {
        FanOutPlan.Coordinated plan = coordinated(
                "select shop.sale.n, shop.buyer.town, g.label from shop.sale"
                        + " right join shop.buyer on shop.buyer.name = shop.sale.buyer join genre g on g.code = shop.sale.book");
        assertEquals(1, plan.pulls().size());
        assertEquals(
                "select sale.n, shop.buyer.town, g.label from sale"
                        + " right join shop.buyer on shop.buyer.name = sale.buyer join genre g on g.code = sale.book",
                plan.finalSql());
    }

    @Test
    void findsTablesWhereverTheyAreNamed() {
        FanOutPlan.Coordinated plan = coordinated(
                "select (select max(n) from shop.sale) from (book b cross join generate_series(1, 2) g) where shop.sale.n is null");
        assertEquals(2, plan.pulls().size());
        assertEquals(
                "select (select max(n) from sale) from (book b cross join generate_series(1, 2) g) where sale.n is null",
                plan.finalSql());
    }

    @Test
    void collectsOnlyColumnsThatTheQueryNames() {
        assertEquals(List.of("a", "avg", "b", "book", "x"), names("select avg(b.x) as avg from book b where a > 1"));
        assertEquals(List.of(), names("select *, avg(x) over () from book"));
        assertEquals(List.of(), names("select b.*, avg(x) over () from book b"));
        assertEquals(List.of(), names("select avg(x), count(b) from book b"));
        assertEquals(List.of(), names("select avg(q) from book b(p, q)"));
        assertEquals(List.of("Odd", "a", "book", "by", "x"), names("select avg(x * \"Odd\") from book group by a"));
    }

    private static List<String> names(String sql) {
        return coordinated(sql).pulls().get(0).columns();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            select avg(x) from book where a = ? and y > 1                | (a = ?) AND (y > 1)
            select avg(x) from book b where b.a = 1 or y > 1             | (a = 1 or y > 1)
            select avg(x) from book where a between 1 and 2 and y is null | (a between 1 and 2) AND (y is null)
            select avg(b.x) from book b, shop.sale s where b.a = 1 and b.id = s.book and y = 2 | (a = 1)
            select avg(x) from book where a = 1 and y in (select n from shop.sale) | (a = 1)
            select avg(x) from book where seen > now() and a = 1         | (a = 1)
            """)
    void letsServersApplyWhatDependsOnOneRowOfTheTable(String sql, String predicate) {
        assertEquals(predicate, coordinated(sql).pulls().get(0).predicate());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select avg(b.x) from book b left join shop.sale s on b.id = s.book where s.n = 1 and b.a = 1",
                "select avg(b.x) from book b natural join shop.sale s where b.a = 1",
                "select avg(b.x) from book b, book c where b.a = 1",
                "with book as (select * from book) select avg(x) from book where a = 1",
                "select avg(x) from book where case when a = 1 then true else false end and b = 2",
                "select a from book where a = 1 union select a from book"
            })
    void collectsAllRowsWhenInDoubt(String sql) {
        assertNull(coordinated(sql).pulls().get(0).predicate());
    }

    @Test
    void countsParametersOfPushedConditionsAsTheCallerDoes() {
        FanOutPlan.Coordinated plan =
                coordinated("select avg(x) + ? from book where x in (select ?::int) and a = ? and c = ? limit ?");
        assertEquals(List.of(3, 4), plan.pulls().get(0).parameters());
        assertEquals(List.of(1, 2, 3, 4, 5), plan.finalParameters());
        assertEquals(5, plan.origin().parameters());
    }
}
