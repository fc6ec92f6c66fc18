package io.shardmap.examples.books;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a demo keeps its servers' data. Held by one demo at a time. */
final class DemoDirectory implements AutoCloseable {
    private static final String SERVERS = "servers";

    private final Path directory;
    private final FileLock lock;
    private final boolean reused;

    private DemoDirectory(Path directory, FileLock lock, boolean reused) {
        this.directory = directory;
        this.lock = lock;
        this.reused = reused;
    }

    /**
     * Takes a directory, created if missing.
     *
     * @param fresh whether what an earlier demo kept is deleted first
     * @throws DemoException when another demo holds it
     */
    static DemoDirectory take(Path directory, boolean fresh) throws IOException {
        Files.createDirectories(directory);
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = tryLock(channel);
        if (lock == null) {
            channel.close();
            throw new DemoException("another demo is using " + directory
                    + "; stop it (Ctrl-C there), or use another directory: ./demo --directory DIR");
        }
        Path servers = directory.resolve(SERVERS);
        if (fresh) {
            delete(servers);
        }
        return new DemoDirectory(directory, lock, Files.isDirectory(servers));
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        List<Path> leavesFirst;
        try (Stream<Path> paths = Files.walk(tree)) {
            leavesFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : leavesFirst) {
            Files.delete(path);
        }
    }

    Path path() {
        return directory;
    }

    Path servers() {
        return directory.resolve(SERVERS);
    }

    /** Returns whether an earlier demo has left data here. */
    boolean isReused() {
        return reused;
    }

    @Override
    public void close() throws IOException {
        lock.acquiredBy().close();
    }
}
