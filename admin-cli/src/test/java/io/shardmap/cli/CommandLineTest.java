package io.shardmap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardmap.cli.process.Surroundings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What every command has in common. */
class CommandLineTest {
    private final CommandLineUser user = CommandLineUser.ofNewDatabase();

    private static CommandLine root() {
        return Shardmap.commandLine(new Surroundings(
                Map.of(),
                new BufferedReader(new StringReader("")),
                new PrintWriter(new StringWriter()),
                new PrintWriter(new StringWriter()),
                false));
    }

    static Stream<String> commands() {
        return below(root()).map(command -> command.getCommandSpec().qualifiedName());
    }

    private static Stream<CommandLine> below(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(CommandLineTest::below));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpHasExamplesOfTheCommandAndExitCodes(String command) {
        String[] words = (command + " --help").split(" ");
        String[] arguments = Stream.of(words).skip(1).toArray(String[]::new);

        CommandLineUser.Result help = user.run(arguments).ended(0);

        assertEquals("", help.err());
        String examples = help.out().substring(help.out().indexOf("Examples:"));
        assertTrue(examples.contains(command), help.out());
        assertTrue(help.out().contains("130   interrupted"), help.out());
        assertTrue(help.out().lines().allMatch(line -> line.length() <= 100), help.out());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void unknownOptionsFail(String command) {
        String[] words = (command + " --no-such-option").split(" ");
        CommandLineUser.Result refused =
                user.run(Stream.of(words).skip(1).toArray(String[]::new)).ended(2);
        assertEquals("", refused.out());
        assertTrue(refused.err().startsWith("error: "), refused.err());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "init",
                "server add",
                "map create",
                "table add",
                "shard assign",
                "schema migrate",
                "move start",
                "server drain",
                "server upgrade",
                "shard repair",
                "move resume",
                "move cancel",
                "move reverse",
                "move complete",
                "move guard"
            })
    void everyChangeHasADryRunThatTakesNoValue(String verb) {
        CommandLine command = root();
        for (String word : verb.split(" ")) {
            command = command.getSubcommands().get(word);
        }
        assertEquals(0, command.getCommandSpec().findOption("--dry-run").arity().max());
    }

    @Test
    void noOptionTakesAPassword() {
        below(root())
                .forEach(command -> command.getCommandSpec().options().forEach(option -> {
                    boolean secret = option.longestName().contains("password");
                    assertEquals(secret, option.longestName().endsWith("password-file"), option.longestName());
                }));
    }

    @Test
    void aNounAloneShowsItsVerbs() {
        CommandLineUser.Result refused = user.run("map").ended(2);
        assertTrue(refused.err().contains("Missing required subcommand"), refused.err());
        assertTrue(refused.err().contains("create"), refused.err());
    }

    @Test
    void aMisspeltCommandIsCorrected() {
        assertTrue(user.run("sevrer", "list").ended(2).err().contains("server"));
    }

    @Test
    void aThrottleIsANumberWithAUnit() {
        for (String wrong : List.of("20", "20M", "-1MiB", "fast")) {
            CommandLineUser.Result refused = user.run("move", "start", "6", "--to", "a", "--throttle=" + wrong)
                    .ended(2);
            assertTrue(refused.err().contains("such as 20MiB: size=" + wrong), refused.err());
        }
    }

    @Test
    void theVersionIsTheOneThatWasBuilt() {
        String version = user.done("--version").out();
        assertTrue(version.matches("(?s)shardmap \\d+\\.\\d+.*"), version);
    }

    @Test
    void theShardMapDatabaseMustBeNamed() {
        CommandLineUser.Result refused =
                new CommandLineUser().run("map", "list").ended(2);
        assertTrue(refused.err().contains("SHARDMAP_MAP_URL"), refused.err());
    }

    @Test
    void aStackTraceIsOnlyShownWhenAskedFor() {
        assertFalse(user.run("map", "list").ended(1).err().contains("\tat "));
        assertTrue(user.run("map", "list", "--stacktrace").ended(1).err().contains("\tat "));
    }

    @Test
    void passwordsAreNeverRepeated() {
        String secret = "hunter2secret";
        user.with("SHARDMAP_MAP_PASSWORD", secret).with("SHARDMAP_SERVER_PASSWORD", secret);
        user.run("map", "list", "--stacktrace");
        user.run("map", "list", "--map-url", "jdbc:postgresql://u:" + secret + "@localhost/x", "--stacktrace");
        user.run("map", "list", "--map-url", "jdbc:postgresql://localhost/x?password=" + secret, "--stacktrace");
        user.run("map", "list", "--map-ulr", "jdbc:postgresql://localhost/x?user=a&password=" + secret);
        user.run("map", "list", "jdbc:postgresql://u:" + secret + "@localhost/x");
        user.run("map", "list", "--map-url", "jdbc:oracle:thin:scott/" + secret + "@localhost:1521/x", "--stacktrace");
        user.run("map", "list", "--map-url", "jdbc:postgresql://localhost:1/x", "--stacktrace");
        user.run("map", "list", "--map-url", "jdbc:h2:mem:x;PASSWORD=" + secret, "--stacktrace");
        assertFalse(user.everythingPrinted().contains(secret), user.everythingPrinted());
    }

    @Test
    void theCompletionScriptIsOneThatBashReads() throws IOException, InterruptedException {
        String script = user.done("completion").out();
        assertTrue(script.contains("locate"), script);
        Process bash =
                new ProcessBuilder("bash", "-n").redirectErrorStream(true).start();
        try (var input = bash.outputWriter()) {
            input.write(script);
        }
        String complaints = new String(bash.getInputStream().readAllBytes());
        assertEquals(0, bash.waitFor(), complaints);
    }
}
