package io.shardmap.bench;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * ShardingSphere-JDBC, the peer that the results are compared with. Its jars live in a class loader of their own below the
 * application's, so that it uses the same drivers and the same HikariCP, and nobody else sees its jars.
 */
final class Peer implements AutoCloseable {
    /** System property with the name of a file that holds the class path of the benchmarks with the peer. */
    static final String CLASS_PATH_FILE = "shardmap.bench.peer";

    private static final String FACTORY =
            "org.apache.shardingsphere.driver.api.yaml.YamlShardingSphereDataSourceFactory";
    private static final String CONFIGURATION = """
            rules:
            - !SHARDING
              tables:
                book:
                  actualDataNodes: ds_${0..LAST}.book
                  databaseStrategy:
                    standard:
                      shardingColumn: id
                      shardingAlgorithmName: remainder_of_id
              shardingAlgorithms:
                remainder_of_id:
                  type: INLINE
                  props:
                    algorithm-expression: ds_${id % SERVERS}
            props:
              sql-show: false
            """;

    private final URLClassLoader loader;
    private final ClassLoader before;

    /** The peer looks for its parts in the thread's class loader, whenever it first needs one. */
    private Peer(URLClassLoader loader) {
        this.loader = loader;
        this.before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
    }

    /** Returns the peer's own jars, those that the benchmarks do not have anyway; empty when it could not be resolved. */
    static List<Path> jars() throws IOException {
        String file = System.getProperty(CLASS_PATH_FILE, "");
        if (file.isEmpty() || !Files.exists(Path.of(file))) {
            return List.of();
        }
        Set<Path> ours = new HashSet<>(ClassPath.parse(System.getProperty("java.class.path", "")));
        return ClassPath.parse(Files.readString(Path.of(file))).stream()
                .filter(path -> path.toString().endsWith(".jar") && !ours.contains(path))
                .toList();
    }

    /** Loads the peer for this thread, until it is closed; returns null when it could not be resolved. */
    static @Nullable Peer load() throws IOException {
        List<Path> jars = jars();
        if (jars.isEmpty()) {
            Progress.say("no peer: its jars could not be resolved");
            return null;
        }
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            urls.add(url(jar));
        }
        return new Peer(new URLClassLoader(urls.toArray(URL[]::new), Peer.class.getClassLoader()));
    }

    private static URL url(Path jar) throws MalformedURLException {
        return jar.toUri().toURL();
    }

    /** Returns the peer's data source over pools, whose server of a book is the remainder of its number, as for all the others. */
    DataSource over(Cluster.Pools pools) throws Exception {
        Map<String, DataSource> sources = pools.byName();
        String yaml = CONFIGURATION
                .replace("LAST", Integer.toString(sources.size() - 1))
                .replace("SERVERS", Integer.toString(sources.size()));
        try {
            return (DataSource) Class.forName(FACTORY, true, loader)
                    .getMethod("createDataSource", Map.class, byte[].class)
                    .invoke(null, sources, yaml.getBytes(StandardCharsets.UTF_8));
        } catch (InvocationTargetException failure) {
            throw new IllegalStateException("the peer must accept its configuration: " + yaml, failure.getCause());
        }
    }

    @Override
    public void close() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        loader.close();
    }
}
