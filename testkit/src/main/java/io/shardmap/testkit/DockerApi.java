package io.shardmap.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/**
 * Whether a Docker API answers, asked at the usual addresses before Testcontainers is: it takes seconds to find that
 * there is none, this takes milliseconds.
 */
final class DockerApi {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private DockerApi() {}

    static boolean answers() {
        String host = System.getenv("DOCKER_HOST");
        if (host == null && hasTestcontainersProperties()) {
            return DockerClientFactory.instance().isDockerAvailable();
        }
        return addresses(host).stream().anyMatch(DockerApi::answersPing)
                && DockerClientFactory.instance().isDockerAvailable();
    }

    static List<SocketAddress> addresses(@Nullable String dockerHost) {
        List<SocketAddress> addresses = new ArrayList<>();
        if (dockerHost != null) {
            URI uri = URI.create(dockerHost);
            if ("unix".equals(uri.getScheme())) {
                addresses.add(UnixDomainSocketAddress.of(uri.getPath()));
            } else if (uri.getHost() != null) {
                addresses.add(new InetSocketAddress(uri.getHost(), uri.getPort()));
            }
            return addresses;
        }
        String home = System.getProperty("user.home", "");
        List<Path> sockets = new ArrayList<>(List.of(
                Path.of("/var/run/docker.sock"),
                Path.of(home, ".docker", "run", "docker.sock"),
                Path.of(home, ".docker", "desktop", "docker.sock")));
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        if (runtime != null) {
            sockets.add(Path.of(runtime, "docker.sock"));
        }
        sockets.stream().filter(Files::exists).map(UnixDomainSocketAddress::of).forEach(addresses::add);
        return addresses;
    }

    private static boolean hasTestcontainersProperties() {
        return Files.exists(Path.of(System.getProperty("user.home", ""), ".testcontainers.properties"));
    }

    private static boolean answersPing(SocketAddress address) {
        boolean local = address instanceof UnixDomainSocketAddress;
        try (SocketChannel channel = local ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            if (!channel.connect(address)) {
                channel.register(selector, SelectionKey.OP_CONNECT);
                if (selector.select(LIMIT.toMillis()) == 0 || !channel.finishConnect()) {
                    return false;
                }
            }
            channel.write(StandardCharsets.US_ASCII.encode("GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n"));
            channel.register(selector, SelectionKey.OP_READ);
            ByteBuffer answer = ByteBuffer.allocate(64);
            return selector.select(LIMIT.toMillis()) > 0
                    && channel.read(answer) > 0
                    && StandardCharsets.US_ASCII
                            .decode(answer.flip())
                            .toString()
                            .startsWith("HTTP/1.");
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }
}
