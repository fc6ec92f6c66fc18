package io.shardmap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardmap.cli.process.Surroundings;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs commands in this process, with an environment of its own. */
final class CommandLineUser {
    private final Map<String, String> environment = new HashMap<>();
    private final StringBuilder everything = new StringBuilder();
    private String answer = "";
    private boolean terminal;

    /** What one command did. */
    record Result(int exit, String out, String err) {
        JsonNode json() {
            JsonNode document = JsonMapper.shared().readTree(out);
            assertEquals(1, document.get("schemaVersion").asInt(), out);
            return document;
        }

        Result ended(int expected) {
            assertEquals(expected, exit, () -> "out:\n" + out + "\nerr:\n" + err);
            return this;
        }
    }

    /** A user of a new, empty shard-map database in memory. */
    static CommandLineUser ofNewDatabase() {
        return new CommandLineUser().with("SHARDMAP_MAP_URL", inMemory());
    }

    /** The URL of a new, empty database in memory. */
    static String inMemory() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    CommandLineUser with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Map<String, String> environment() {
        return environment;
    }

    /** Sits at a terminal from now on, and answers the next question so. */
    CommandLineUser answering(String line) {
        terminal = true;
        answer = line + "\n";
        return this;
    }

    Result run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Surroundings surroundings = new Surroundings(
                environment,
                new BufferedReader(new StringReader(answer)),
                new PrintWriter(out),
                new PrintWriter(err),
                terminal);
        int exit = Shardmap.run(surroundings, arguments);
        synchronized (everything) {
            everything.append(out).append(err);
        }
        return new Result(exit, out.toString(), err.toString());
    }

    /** Runs a command that must succeed, given as one line without quotes. */
    Result done(String line) {
        return run(line.split(" ")).ended(0);
    }

    /** Returns all that was ever printed to this user. */
    String everythingPrinted() {
        return everything.toString();
    }
}
