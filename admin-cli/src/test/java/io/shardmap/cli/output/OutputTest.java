package io.shardmap.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OutputTest {
    record Placement(String server, List<Integer> virtualShards) {}

    record Thing(String name, Integer rowCount, Duration pause, List<Placement> placements) {}

    private static final List<Placement> PLACEMENTS =
            List.of(new Placement("a", List.of(0, 1, 2, 9)), new Placement("server, \"b\"", List.of()));

    private static String printed(OutputFormat format, Consumer<Output> print) {
        StringWriter text = new StringWriter();
        print.accept(format.to(new PrintWriter(text), false));
        return text.toString();
    }

    @Test
    void aTableAlignsNumbersToTheRightAndShortensRuns() {
        assertEquals("""
                SERVER       VIRTUAL SHARDS
                a            0-2,9
                server, "b"  -
                """, printed(OutputFormat.TABLE, out -> out.list("placements", Placement.class, PLACEMENTS)));
        assertEquals(
                """
                name       x
                row count  -
                pause      1.5 s

                placements:
                SERVER       VIRTUAL SHARDS
                a            0-2,9
                server, "b"  -
                """,
                printed(
                        OutputFormat.TABLE,
                        out -> out.one("thing", new Thing("x", null, Duration.ofMillis(1500), PLACEMENTS))));
    }

    @Test
    void aTableOfNothingHasItsHeader() {
        assertEquals(
                "SERVER  VIRTUAL SHARDS\n",
                printed(OutputFormat.TABLE, out -> out.list("placements", Placement.class, List.of())));
    }

    @Test
    void csvQuotesAsTheRfcSaysAndTellsNullFromEmpty() {
        assertEquals("a,\"b,\"\"c\"\"\"\n,\"\"\n\"two\nlines\",1.50\n", printed(OutputFormat.CSV, out -> {
            Output.Rows rows = out.rows(List.of("a", "b,\"c\""));
            rows.row(Arrays.asList(null, ""));
            rows.row(List.of("two\nlines", new BigDecimal("1.50")));
            rows.end();
        }));
    }

    @Test
    void jsonKeepsNumbersAndMakesColumnNamesUnique() {
        String text = printed(OutputFormat.JSON, out -> {
            Output.Rows rows = out.rows(List.of("count", "count", "note"));
            rows.row(List.of(7L, new BigDecimal("1E+3"), new byte[] {1, (byte) 0xab}));
            rows.row(Arrays.asList(null, 2.5, true));
            rows.end();
        });
        JsonNode document = JsonMapper.shared().readTree(text);
        assertEquals(1, document.get("schemaVersion").asInt());
        assertEquals(7, document.at("/rows/0/count").asLong());
        assertEquals(1000, document.at("/rows/0/count_2").asInt());
        assertEquals("\\x01ab", document.at("/rows/0/note").asString());
        assertEquals(true, document.at("/rows/1/count").isNull());
        assertEquals(true, document.at("/rows/1/note").asBoolean());
    }

    @Test
    void jsonNestsWhatTablesPutBelow() {
        String text = printed(OutputFormat.JSON, out -> out.one("thing", new Thing("x", null, null, PLACEMENTS)));
        JsonNode document = JsonMapper.shared().readTree(text);
        assertEquals(9, document.at("/thing/placements/0/virtualShards/3").asInt());
    }

    @Test
    void manyRowsFlowWithTheWidthsOfTheFirst() {
        StringWriter text = new StringWriter();
        Output.Rows rows = OutputFormat.TABLE.to(new PrintWriter(text), false).rows(List.of("a", "b"));
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.row(List.of("x", "y"));
        }
        text.toString().lines().forEach(lines::add);
        assertEquals(201, lines.size());
        rows.row(List.of("wide", "y"));
        rows.end();
        assertEquals("wide  y", text.toString().lines().skip(201).findFirst().orElseThrow());
    }

    @Test
    void aCellCannotSteerTheTerminal() {
        assertEquals("a\\nb?[31m", TextTable.cell("a\nb\u001b[31m"));
    }
}
