package io.shardmap.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A waiting shell per server that outlives this JVM by a moment. It reads from a pipe that only the JVM holds; when
 * the JVM ends without having stopped its servers, even by {@code kill -9}, the pipe closes and the shell ends the
 * server and deletes its temporary data. There is none on Windows.
 */
final class OrphanGuard {
    private static final String SCRIPT = "trap '' INT TERM HUP; read -r _; kill -QUIT \"$1\" 2>/dev/null;"
            + " if [ -n \"$2\" ]; then"
            + " while kill -0 \"$1\" 2>/dev/null; do sleep 0.1; done;"
            + " rm -rf -- \"$2\"; fi";

    private final @Nullable Process shell;

    private OrphanGuard(@Nullable Process shell) {
        this.shell = shell;
    }

    static OrphanGuard over(Process server, @Nullable Path temporaryData) throws IOException {
        if (!TemporaryTree.POSIX) {
            return new OrphanGuard(null);
        }
        String data = temporaryData == null ? "" : temporaryData.toString();
        List<String> command = List.of("sh", "-c", SCRIPT, "shardmap-testkit-guard", Long.toString(server.pid()), data);
        Process shell = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        // A process id may be given to another process once its owner is gone.
        var unused = server.onExit().thenRun(shell::destroyForcibly);
        return new OrphanGuard(shell);
    }

    void dismiss() {
        if (shell != null) {
            shell.destroyForcibly();
        }
    }
}
