package io.shardmap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a source tree of nothing, with a java and a mvn that only tell what they were asked. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    private static final String[] MODULES = {
        "testkit", "shardmap-core", "jdbc-router", "query", "migrations", "admin-cli"
    };

    @TempDir
    private Path scratch;

    private Path root;
    private Path tools;

    @BeforeEach
    void makeTree() throws IOException {
        root = Files.createDirectories(scratch.resolve("a tree"));
        tools = Files.createDirectories(scratch.resolve("tools/bin"));
        Files.createDirectories(root.resolve("bin"));
        Files.copy(Path.of("../bin/shardmap"), root.resolve("bin/shardmap"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createFile(root.resolve("pom.xml"));
        for (String module : MODULES) {
            Files.createDirectories(root.resolve(module).resolve("src/main"));
            Files.createFile(root.resolve(module).resolve("pom.xml"));
        }
        tool("java", """
                case "$1" in -XshowSettings*) echo "    java.specification.version = 17" >&2; exit ;; esac
                while [ "$1" != io.shardmap.cli.Shardmap ]; do shift; done
                printf '<%s>' "$@" && pwd
                """);
        tool("mvn", """
                echo "$@" >>builds
                mkdir -p {testkit,shardmap-core,jdbc-router,query,migrations,admin-cli}/target/classes
                echo nothing.jar >admin-cli/target/shardmap.classpath
                """);
    }

    private void tool(String name, String script) throws IOException {
        Path file = tools.resolve(name);
        Files.writeString(file, "#!/bin/bash\n" + script);
        assertTrue(file.toFile().setExecutable(true));
    }

    private record Ended(int exit, String out, String err) {}

    private Ended run(Path launcher, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(scratch.toFile());
        builder.environment().put("PATH", tools + ":/usr/bin:/bin");
        builder.environment().remove("JAVA_HOME");
        Path out = scratch.resolve("out");
        Path err = scratch.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        return new Ended(process.waitFor(), Files.readString(out), Files.readString(err));
    }

    private long builds() throws IOException {
        Path builds = root.resolve("builds");
        return Files.exists(builds) ? Files.readAllLines(builds).size() : 0;
    }

    @Test
    void argumentsArriveAsTheyAreThroughASymbolicLinkInTheCallersDirectory() throws IOException, InterruptedException {
        Path link = Files.createSymbolicLink(scratch.resolve("link"), Path.of("a tree/bin/shardmap"));
        Ended ended = run(link, "query", "select 'a  b' || \"c\" from *", "", "$HOME");
        assertEquals(0, ended.exit, ended.err);
        assertEquals(
                "<io.shardmap.cli.Shardmap><query><select 'a  b' || \"c\" from *><><$HOME>" + scratch.toRealPath()
                        + "\n",
                ended.out);
        assertEquals("shardmap: building the command\n", ended.err);
    }

    @Test
    void itBuildsAgainOnlyWhenSourcesChanged() throws IOException, InterruptedException {
        Path launcher = root.resolve("bin/shardmap");
        run(launcher, "x");
        Ended second = run(launcher, "x");
        assertEquals("", second.err);
        assertEquals(1, builds());
        Path source = Files.createFile(root.resolve("migrations/src/main/New.java"));
        Files.setLastModifiedTime(
                source,
                FileTime.from(Files.getLastModifiedTime(root.resolve("admin-cli/target/shardmap.stamp"))
                        .toInstant()
                        .plusSeconds(2)));
        run(launcher, "x");
        assertEquals(2, builds());
    }

    @Test
    void aFailedBuildIsShownAndNothingRuns() throws IOException, InterruptedException {
        tool("mvn", "echo cannot compile this; exit 1\n");
        Ended ended = run(root.resolve("bin/shardmap"), "x");
        assertEquals(1, ended.exit);
        assertEquals("", ended.out);
        assertTrue(ended.err.contains("cannot compile this"), ended.err);
    }

    @Test
    void anOldJavaIsNamed() throws IOException, InterruptedException {
        tool("java", "echo '    java.specification.version = 11' >&2\n");
        Ended ended = run(root.resolve("bin/shardmap"), "x");
        assertEquals(1, ended.exit);
        assertTrue(ended.err.contains("Java 17 or newer is needed"), ended.err);
        assertTrue(ended.err.contains("is 11"), ended.err);
    }
}
