package io.shardmap.jdbc.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The SQL scripts that create the `shardmap` schema of a server. */
final class InstallScript {
    private InstallScript() {}

    static String read(String name) {
        try (InputStream in = InstallScript.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("install script must be on the class path: name=" + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
