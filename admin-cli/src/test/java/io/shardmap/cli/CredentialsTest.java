package io.shardmap.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases in memory that ask for a password. */
class CredentialsTest {
    private static final String SECRET = "open-sesame-0815";

    private final CommandLineUser user = new CommandLineUser();
    private final String shardMap = CommandLineUser.inMemory();
    private final String server = CommandLineUser.inMemory();

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void protectDatabases() throws SQLException, IOException {
        for (String url : new String[] {shardMap, server}) {
            DriverManager.getConnection(url, "keeper", SECRET).close();
        }
        file = Files.writeString(directory.resolve("password"), SECRET + "\n");
        user.with("SHARDMAP_MAP_URL", shardMap).with("SHARDMAP_MAP_USER", "keeper");
    }

    @AfterEach
    void nothingSecretWasPrinted() {
        assertFalse(user.everythingPrinted().contains(SECRET), user.everythingPrinted());
    }

    @Test
    void thePasswordOfTheShardMapComesFromTheEnvironment() {
        user.with("SHARDMAP_MAP_PASSWORD", SECRET).done("init");
    }

    @Test
    void aPasswordFileHasPrecedence() {
        user.with("SHARDMAP_MAP_PASSWORD", "wrong");
        CommandLineUser.Result refused = user.run("init", "--stacktrace").ended(1);
        assertTrue(refused.err().contains("[STORE_UNAVAILABLE]"), refused.err());
        user.done("init --map-password-file " + file);
        assertTrue(user.run("init", "--map-password-file", file + ".not")
                .ended(2)
                .err()
                .contains("must name a readable file"));
    }

    @Test
    void credentialsOfOneServerHavePrecedenceOverThoseOfAll() {
        user.with("SHARDMAP_MAP_PASSWORD", SECRET)
                .with("SHARDMAP_SERVER_USER", "nobody")
                .with("SHARDMAP_SERVER_PASSWORD", "wrong")
                .done("init");
        String add = "server add my-server --url " + server;
        CommandLineUser.Result refused = user.run(add.split(" ")).ended(1);
        assertTrue(refused.err().contains("reason: Wrong user name or password"), refused.err());

        user.with("SHARDMAP_SERVER_MY_SERVER_USER", "keeper").done(add + " --server-password-file " + file);

        user.with("SHARDMAP_SERVER_MY_SERVER_PASSWORD", SECRET).done(add);
    }

    @Test
    void anotherUrlForAKnownServerIsAskedFor() throws SQLException {
        String other = CommandLineUser.inMemory();
        DriverManager.getConnection(other, "keeper", SECRET).close();
        user.with("SHARDMAP_MAP_PASSWORD", SECRET)
                .with("SHARDMAP_SERVER_USER", "keeper")
                .with("SHARDMAP_SERVER_PASSWORD", SECRET)
                .done("init");
        user.done("server add one --url " + server);
        String[] redirect = ("server add one --url " + other).split(" ");
        user.run(redirect).ended(2);
        user.answering("no").run(redirect).ended(1);
        assertEquals(
                server,
                user.done("server list -o json").json().at("/servers/0/url").asString());

        CommandLineUser.Result agreed = user.answering("y").run(redirect).ended(0);

        assertTrue(agreed.err().startsWith("Server one has the URL " + server), agreed.err());
        assertTrue(agreed.out().startsWith("changed server one"), agreed.out());
        user.done("server add one --yes --url " + server);
    }
}
