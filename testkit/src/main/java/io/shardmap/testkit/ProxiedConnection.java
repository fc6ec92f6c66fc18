package io.shardmap.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** One connection through a proxy: two sockets, two delay lines, and a reader and a writer thread for each line. */
final class ProxiedConnection {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Socket client;
    private final Socket server = new Socket();
    private final InetSocketAddress target;
    private final DelayLine requests;
    private final DelayLine answers;
    private final Consumer<ProxiedConnection> onClose;
    private final AtomicInteger openDirections = new AtomicInteger(2);

    ProxiedConnection(Socket client, InetSocketAddress target, long delayNanos, Consumer<ProxiedConnection> onClose) {
        this.client = client;
        this.target = target;
        this.requests = new DelayLine(delayNanos);
        this.answers = new DelayLine(delayNanos);
        this.onClose = onClose;
    }

    void start() {
        thread("connect", () -> {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(target);
            thread("requests-in", () -> read(client, requests));
            thread("requests-out", () -> write(requests, server));
            thread("answers-in", () -> read(server, answers));
            thread("answers-out", () -> write(answers, client));
        });
    }

    void pause(boolean paused) {
        requests.pause(paused);
        answers.pause(paused);
    }

    /** Closes both sides at once, with a reset, as a host that vanishes from the network's view. */
    void cut() {
        reset(client);
        reset(server);
        close();
    }

    void close() {
        requests.close();
        answers.close();
        closeQuietly(client);
        closeQuietly(server);
        onClose.accept(this);
    }

    private static void read(Socket from, DelayLine line) throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = from.getInputStream().read(buffer);
                read >= 0;
                read = from.getInputStream().read(buffer)) {
            line.put(Arrays.copyOf(buffer, read));
        }
        line.put(new byte[0]);
    }

    private void write(DelayLine line, Socket to) throws IOException, InterruptedException {
        for (byte[] bytes = line.take(); bytes != null; bytes = line.take()) {
            if (bytes.length == 0) {
                to.shutdownOutput();
                if (openDirections.decrementAndGet() == 0) {
                    close();
                }
                return;
            }
            to.getOutputStream().write(bytes);
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void thread(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException e) {
                        close();
                    }
                },
                "delaying-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void reset(Socket socket) {
        try {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            closeQuietly(socket);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is being given up; there is nobody to tell.
        }
    }
}
