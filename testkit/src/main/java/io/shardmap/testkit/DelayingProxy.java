package io.shardmap.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on loopback that makes a server as far away as a {@link Duration}, or lets it hang or vanish.
 *
 * <p>Each byte is forwarded a fixed time after it arrived, in each direction, so a round trip takes twice the delay
 * longer; the delay does not limit throughput, since any number of bytes are under way at once (up to 16 MiB per
 * direction of a connection; more waits in the sockets). A waiting proxy costs no processor time; the last 60
 * microseconds of a delay are spun for precision.
 *
 * <pre>{@code
 * try (DelayingProxy proxy = DelayingProxy.before(servers.get(0), Duration.ofNanos(500_000))) {
 *     String url = servers.get(0).jdbcUrlThrough(proxy);
 *     proxy.pause(); // statements hang
 *     proxy.cut(); // connections break, new ones are refused
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class DelayingProxy implements AutoCloseable {
    private static final int BACKLOG = 256;
    private static final Duration ACCEPT_LIMIT = Duration.ofSeconds(10);

    private final InetSocketAddress target;
    private final long delayNanos;
    private final int port;
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private @Nullable ServerSocket listener;
    private @Nullable Thread acceptor;
    private boolean paused;

    private DelayingProxy(InetSocketAddress target, long delayNanos) {
        this.target = target;
        this.delayNanos = delayNanos;
        this.port = FreePorts.next();
        restore();
    }

    /**
     * Starts a proxy that forwards to an address.
     *
     * @param host the host to forward to, resolved now
     * @param port the port to forward to, 1 to 65535
     * @param delayEachWay how long each direction takes, not negative; zero forwards at once
     * @return a running proxy on a free loopback port
     * @throws IllegalArgumentException if the delay is negative or the port out of range
     */
    public static DelayingProxy to(String host, int port, Duration delayEachWay) {
        if (delayEachWay.isNegative()) {
            throw new IllegalArgumentException("a delay must be >= 0: delayEachWay=" + delayEachWay);
        }
        return new DelayingProxy(new InetSocketAddress(host, port), delayEachWay.toNanos());
    }

    /**
     * Starts a proxy that forwards to a server; {@link PostgresServer#jdbcUrlThrough} gives its URL.
     *
     * @param server the server to forward to; it need not run
     * @param delayEachWay how long each direction takes, not negative; zero forwards at once
     * @return a running proxy on a free loopback port
     * @throws IllegalArgumentException if the delay is negative
     */
    public static DelayingProxy before(PostgresServer server, Duration delayEachWay) {
        return to(server.host(), server.port(), delayEachWay);
    }

    /**
     * The address the proxy listens on.
     *
     * @return a loopback address
     */
    public String host() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    /**
     * The port the proxy listens on, also after {@link #cut()} and {@link #restore()}.
     *
     * @return the port, 1 to 65535
     */
    public int port() {
        return port;
    }

    /** Holds everything back: connections stay open and new ones are accepted, but no byte arrives. */
    public synchronized void pause() {
        paused = true;
        connections.forEach(connection -> connection.pause(true));
    }

    /** Forwards again what {@link #pause()} held back, and all after it. */
    public synchronized void resume() {
        paused = false;
        connections.forEach(connection -> connection.pause(false));
    }

    /** Resets all connections and refuses new ones, until {@link #restore()}. */
    public void cut() {
        Thread accepting;
        synchronized (this) {
            if (listener != null) {
                try {
                    listener.close();
                } catch (IOException e) {
                    throw new UncheckedIOException("the proxy could not stop listening: port=" + port, e);
                }
                listener = null;
            }
            connections.forEach(ProxiedConnection::cut);
            accepting = acceptor;
            acceptor = null;
        }
        awaitEnd(accepting);
    }

    /** The system listens on as long as a thread is still inside accept. */
    private static void awaitEnd(@Nullable Thread accepting) {
        if (accepting != null) {
            try {
                accepting.join(ACCEPT_LIMIT.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Accepts connections again after {@link #cut()}, on the same port; does nothing if it accepts them.
     *
     * @throws UncheckedIOException if the port was taken meanwhile
     */
    public synchronized void restore() {
        if (listener != null) {
            return;
        }
        try {
            ServerSocket opened = new ServerSocket();
            opened.setReuseAddress(true);
            opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            listener = opened;
            Thread accepting = new Thread(() -> acceptAll(opened), "delaying-proxy-accept");
            accepting.setDaemon(true);
            accepting.start();
            acceptor = accepting;
        } catch (IOException e) {
            throw new UncheckedIOException("the proxy could not listen on loopback: port=" + port, e);
        }
    }

    /** Closes all connections and stops listening, as {@link #cut()}. */
    @Override
    public void close() {
        cut();
    }

    private void acceptAll(ServerSocket from) {
        try {
            while (true) {
                adopt(from, from.accept());
            }
        } catch (IOException e) {
            // The listener was closed by cut or close: nothing more to accept.
        }
    }

    private synchronized void adopt(ServerSocket from, Socket client) throws IOException {
        if (listener != from) {
            client.close();
            return;
        }
        ProxiedConnection connection = new ProxiedConnection(client, target, delayNanos, connections::remove);
        connections.add(connection);
        connection.pause(paused);
        connection.start();
    }
}
