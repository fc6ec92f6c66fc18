package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A data directory as {@code initdb} leaves it, made once per version of the binaries and copied for each server:
 * a copy costs a small part of what {@code initdb} does. Each copy gets a system identifier of its own.
 */
final class DataTemplate {
    /** The file with the settings of a server, read after {@code postgresql.conf} and before {@code ALTER SYSTEM}. */
    static final String SETTINGS_FILE = "testkit.conf";

    static final String SUPERUSER = "postgres";

    private final Path template;

    private DataTemplate(Path template) {
        this.template = template;
    }

    static DataTemplate of(PostgresBinaries binaries) throws IOException {
        Path template = binaries.home().resolve("data-template");
        if (!Files.isDirectory(template)) {
            TemporaryTree.fill(template, directory -> initialise(binaries, directory));
        }
        return new DataTemplate(template);
    }

    /** The major version of the binaries, as {@code initdb} wrote it down. */
    int majorVersion() throws IOException {
        return majorVersion(template);
    }

    static int majorVersion(Path dataDirectory) throws IOException {
        return Integer.parseInt(
                Files.readString(dataDirectory.resolve("PG_VERSION")).strip());
    }

    void copyTo(Path dataDirectory) throws IOException {
        TemporaryTree.copy(template, dataDirectory);
        SystemIdentifier.assignNew(dataDirectory);
    }

    private static void initialise(PostgresBinaries binaries, Path directory) throws IOException {
        List<String> options = new ArrayList<>(List.of("-D", directory.toString(), "-U", SUPERUSER));
        Collections.addAll(options, "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions");
        // macOS and Windows know no C.UTF-8 in every supported version.
        options.add(System.getProperty("os.name", "").startsWith("Linux") ? "--locale=C.UTF-8" : "--locale=C");
        Path log = Files.createTempFile("initdb", ".log");
        Process initdb = new ProcessBuilder(binaries.command("initdb", options.toArray(String[]::new)))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (initdb.waitFor() != 0) {
                throw new TestkitException(
                        Reason.SERVER_FAILED,
                        "initdb must succeed: exit=" + initdb.exitValue() + ", output=" + Files.readString(log));
            }
        } catch (InterruptedException e) {
            initdb.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new TestkitException(Reason.INTERRUPTED, "interrupted while initdb ran", e);
        } finally {
            Files.deleteIfExists(log);
        }
        Files.writeString(
                directory.resolve("postgresql.conf"),
                "\ninclude_if_exists '" + SETTINGS_FILE + "'\n",
                StandardOpenOption.APPEND);
    }
}
