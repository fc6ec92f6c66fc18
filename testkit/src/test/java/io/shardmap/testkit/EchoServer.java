package io.shardmap.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Sends back what it receives, until the client has sent all. */
final class EchoServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    EchoServer() throws IOException {
        daemon(this::acceptAll);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket client = listener.accept();
                daemon(() -> echo(client));
            }
        } catch (IOException e) {
            // Closed by the test.
        }
    }

    private static void echo(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException e) {
            // The connection was broken by the test.
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "echo");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
