package io.shardmap;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One physical database that holds virtual shards.
 *
 * @param name unique name: 1 to 63 characters, lower-case letters, digits, {@code _} and {@code -}, starting with a letter
 * @param url JDBC URL without credentials, or null when applications build it from a template
 * @param region label that geographic placement compares, or null
 */
public record Server(
        String name, @Nullable String url, @Nullable String region) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
    private static final Pattern SECRET =
            Pattern.compile("(?i)([?&;](password|passwd|pwd|sslpassword)=)|(//[^/@]*:[^/@]*@)");

    /**
     * Validates the parts.
     *
     * @throws ShardMapException with {@link ErrorCode#INVALID_DEFINITION} when the name breaks its rule or the URL holds a secret
     */
    public Server {
        if (!NAME.matcher(name).matches()) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "server name must be 1 to 63 lower-case letters, digits, _ or -, starting with a letter: name="
                            + name);
        }
        if (url != null && !url.startsWith("jdbc:")) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "server URL must be a JDBC URL: server=" + name + "; it must start with jdbc:");
        }
        if (url != null && SECRET.matcher(url).find()) {
            throw new ShardMapException(
                    ErrorCode.INVALID_DEFINITION,
                    "server URL must not hold a password: server=" + name
                            + "; give credentials by environment, file or .pgpass");
        }
    }

    /** Creates a server without a region. */
    public Server(String name, @Nullable String url) {
        this(name, url, null);
    }
}
