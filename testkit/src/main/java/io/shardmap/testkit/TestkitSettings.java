package io.shardmap.testkit;

import io.shardmap.testkit.TestkitException.Reason;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the testkit, each read from a system property or else from an environment variable: the property's
 * name in capitals with underscores ({@code shardmap.testkit.backend}, {@code SHARDMAP_TESTKIT_BACKEND}).
 *
 * @param backend where servers come from; default embedded
 * @param urls the servers of the external backend; default none
 * @param user the user of the external backend; default {@code postgres}
 * @param password the password of the external backend; null: none
 * @param image the container image; null: {@code postgres:} and the major version
 * @param majorVersion the PostgreSQL major version that must run, 15 to 18; 0: any
 * @param cacheDirectory where unpacked binaries are kept between runs
 */
record TestkitSettings(
        Backend backend,
        List<JdbcUrl> urls,
        String user,
        @Nullable String password,
        @Nullable String image,
        int majorVersion,
        Path cacheDirectory) {
    enum Backend {
        EMBEDDED,
        TESTCONTAINERS,
        EXTERNAL
    }

    static final int OLDEST_MAJOR = 15;
    static final int NEWEST_MAJOR = 18;
    private static final String PREFIX = "shardmap.testkit.";

    TestkitSettings {
        urls = List.copyOf(urls);
    }

    static TestkitSettings ofThisProcess() {
        return read(System::getProperty, System::getenv);
    }

    static TestkitSettings read(NullableLookup properties, NullableLookup environment) {
        NullableLookup settings = name -> {
            String value = properties.get(PREFIX + name);
            if (value == null) {
                value = environment.get((PREFIX + name).replace('.', '_').toUpperCase(Locale.ROOT));
            }
            return value == null || value.isBlank() ? null : value.strip();
        };
        String urls = settings.get("urls");
        String user = settings.get("user");
        String cache = settings.get("cache");
        return new TestkitSettings(
                backend(settings.get("backend")),
                urls == null
                        ? List.of()
                        : Arrays.stream(urls.split(","))
                                .map(String::strip)
                                .map(JdbcUrl::parse)
                                .toList(),
                user == null ? "postgres" : user,
                settings.get("password"),
                settings.get("image"),
                major(settings.get("postgres")),
                cache == null
                        ? Path.of(System.getProperty("user.home", "."), ".cache", "shardmap-testkit")
                        : Path.of(cache));
    }

    TestkitSettings withMajorVersion(int major) {
        return new TestkitSettings(backend, urls, user, password, image, checkMajor(major), cacheDirectory);
    }

    String containerImage() {
        return image != null ? image : "postgres:" + (majorVersion == 0 ? NEWEST_MAJOR : majorVersion);
    }

    private static Backend backend(@Nullable String value) {
        if (value == null) {
            return Backend.EMBEDDED;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "embedded" -> Backend.EMBEDDED;
            case "testcontainers" -> Backend.TESTCONTAINERS;
            case "external" -> Backend.EXTERNAL;
            default ->
                throw new TestkitException(
                        Reason.BAD_SETTING,
                        "the backend must be embedded, testcontainers or external: shardmap.testkit.backend=" + value);
        };
    }

    private static int major(@Nullable String value) {
        if (value == null) {
            return 0;
        }
        try {
            return checkMajor(Integer.parseInt(value));
        } catch (NumberFormatException e) {
            throw new TestkitException(
                    Reason.BAD_SETTING,
                    "the PostgreSQL version must be a major version: shardmap.testkit.postgres=" + value
                            + "; give 15, 16, 17 or 18",
                    e);
        }
    }

    private static int checkMajor(int major) {
        if (major < OLDEST_MAJOR || major > NEWEST_MAJOR) {
            throw new TestkitException(
                    Reason.BAD_SETTING,
                    "the PostgreSQL major version must be between " + OLDEST_MAJOR + " and " + NEWEST_MAJOR
                            + ": shardmap.testkit.postgres=" + major);
        }
        return major;
    }

    /** A lookup that may find nothing. */
    @FunctionalInterface
    interface NullableLookup {
        @Nullable
        String get(String name);
    }
}
