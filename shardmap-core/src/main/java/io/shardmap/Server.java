package io.shardmap;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One physical database that holds virtual shards.
 *
 * @param name unique name: 1 to 63 characters, lower-case letters, digits, {@code _} and {@code -}, starting with a letter
 * @param url JDBC URL without credentials, or null when applications build it from a template
 * @param region label that geographic placement compares, or null
 * @param replicationUrl JDBC URL by which other servers reach this one for replication, without credentials, no blank, at most 250
 *     characters; null when they use {@code url} too
 */
public record Server(
        String name,
        @Nullable String url,
        @Nullable String region,
        @Nullable String replicationUrl) {
    private static final int LONGEST_REPLICATION_URL = 250;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
    private static final Pattern SECRET =
            Pattern.compile("(?i)([?&;](password|passwd|pwd|sslpassword)=)|(//[^/@]*:[^/@]*@)");

    /**
     * Validates the parts.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when the name breaks its rule, or a URL breaks its own or
     *     holds a secret
     */
    public Server {
        if (!NAME.matcher(name).matches()) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "server name must be 1 to 63 lower-case letters, digits, _ or -, starting with a letter: name="
                            + name);
        }
        if (replicationUrl != null
                && (!replicationUrl.startsWith("jdbc:postgresql:")
                        || replicationUrl.indexOf(' ') >= 0
                        || replicationUrl.length() > LONGEST_REPLICATION_URL)) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "replication URL must start with jdbc:postgresql:, have no blank and at most "
                            + LONGEST_REPLICATION_URL + " characters: server=" + name + "; correct it");
        }
        if (url != null && !url.startsWith("jdbc:")) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "server URL must be a JDBC URL: server=" + name + "; it must start with jdbc:");
        }
        if (holdsSecret(url) || holdsSecret(replicationUrl)) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "server URL must not hold a password: server=" + name
                            + "; give credentials by environment, file or .pgpass");
        }
    }

    private static boolean holdsSecret(@Nullable String url) {
        return url != null && SECRET.matcher(url).find();
    }

    /** Creates a server without a region. */
    public Server(String name, @Nullable String url) {
        this(name, url, null);
    }

    /** Creates a server that others reach by its URL. */
    public Server(String name, @Nullable String url, @Nullable String region) {
        this(name, url, region, null);
    }
}
