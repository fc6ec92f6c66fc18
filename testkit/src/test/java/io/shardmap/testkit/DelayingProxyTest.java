package io.shardmap.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(30)
class DelayingProxyTest {
    @RegisterExtension
    static final PostgresServers servers = PostgresServers.shared("a");

    private EchoServer echo;

    @BeforeEach
    void startEcho() throws IOException {
        echo = new EchoServer();
    }

    @AfterEach
    void stopEcho() throws IOException {
        echo.close();
    }

    @Test
    void delaysEachDirection() throws IOException {
        Duration delay = Duration.ofMillis(5);
        try (DelayingProxy proxy = DelayingProxy.to("127.0.0.1", echo.port(), delay);
                Socket socket = connect(proxy)) {
            roundTrip(socket);
            for (int i = 0; i < 20; i++) {
                long start = System.nanoTime();
                roundTrip(socket);
                long nanos = System.nanoTime() - start;
                assertTrue(nanos >= 2 * delay.toNanos(), "a round trip takes both delays: nanos=" + nanos);
            }
        }
    }

    @Test
    void doesNotLimitThroughput() throws Exception {
        int size = 8 << 20;
        byte[] sent = new byte[size];
        new Random(1).nextBytes(sent);
        try (DelayingProxy proxy = DelayingProxy.to("127.0.0.1", echo.port(), Duration.ofMillis(50));
                Socket socket = connect(proxy)) {
            long start = System.nanoTime();
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> send(socket, sent));
            byte[] received = new byte[size];
            new DataInputStream(socket.getInputStream()).readFully(received);
            long nanos = System.nanoTime() - start;
            sending.get();
            assertArrayEquals(sent, received);
            // One delay after another for each of the 128 buffers of 64 KiB would take 12.8 s.
            assertTrue(nanos < Duration.ofSeconds(12).toNanos(), "8 MiB there and back: nanos=" + nanos);
        }
    }

    @Test
    void forwardsTheEndOfAStream() throws IOException {
        try (DelayingProxy proxy = DelayingProxy.to("127.0.0.1", echo.port(), Duration.ZERO);
                Socket socket = connect(proxy)) {
            socket.getOutputStream().write(7);
            socket.shutdownOutput();
            assertEquals(7, socket.getInputStream().read());
            assertEquals(-1, socket.getInputStream().read());
        }
    }

    @Test
    void holdsBackWhilePaused() throws IOException {
        try (DelayingProxy proxy = DelayingProxy.to("127.0.0.1", echo.port(), Duration.ZERO);
                Socket socket = connect(proxy)) {
            roundTrip(socket);
            proxy.pause();
            socket.getOutputStream().write(7);
            socket.setSoTimeout(50);
            assertThrows(
                    SocketTimeoutException.class, () -> socket.getInputStream().read());
            proxy.resume();
            socket.setSoTimeout(0);
            assertEquals(7, socket.getInputStream().read());
        }
    }

    @Test
    void cutsAndRestores() throws IOException {
        try (DelayingProxy proxy = DelayingProxy.to("127.0.0.1", echo.port(), Duration.ZERO)) {
            try (Socket socket = connect(proxy)) {
                roundTrip(socket);
                proxy.cut();
                assertThrows(IOException.class, () -> roundTrip(socket));
                assertThrows(ConnectException.class, () -> connect(proxy).close());
            }
            proxy.restore();
            try (Socket socket = connect(proxy)) {
                roundTrip(socket);
            }
        }
    }

    @Test
    void standsBeforeADatabase() throws SQLException {
        PostgresServer server = servers.get(0);
        try (DelayingProxy proxy = DelayingProxy.before(server, Duration.ofNanos(500_000));
                Connection connection =
                        DriverManager.getConnection(server.jdbcUrlThrough(proxy), server.user(), null)) {
            assertEquals("1", Sql.value(connection, "SELECT 1"));
            long start = System.nanoTime();
            assertEquals("2", Sql.value(connection, "SELECT 2"));
            long nanos = System.nanoTime() - start;
            assertTrue(nanos >= 1_000_000, "one round trip: nanos=" + nanos);
            proxy.cut();
            assertThrows(SQLException.class, () -> Sql.value(connection, "SELECT 3"));
        }
    }

    @Test
    void refusesANegativeDelay() {
        Duration negative = Duration.ofMillis(-1);
        assertThrows(IllegalArgumentException.class, () -> DelayingProxy.to("127.0.0.1", 1, negative));
    }

    private static Socket connect(DelayingProxy proxy) throws IOException {
        Socket socket = new Socket(proxy.host(), proxy.port());
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static void roundTrip(Socket socket) throws IOException {
        socket.getOutputStream().write(1);
        if (socket.getInputStream().read() != 1) {
            throw new IOException("the stream ended");
        }
    }

    private static void send(Socket socket, byte[] bytes) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
