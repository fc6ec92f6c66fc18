package io.shardmap.examples.books;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** The TCP ports of a demo: one after the other, on loopback. */
final class Ports {
    /** Below the ports that systems hand out for outgoing connections, so that nothing takes one by chance. */
    static final int DEFAULT_BASE = 25_430;

    private static final int OTHER = 1_000;

    private Ports() {}

    /**
     * Looks whether ports are free.
     *
     * @throws DemoException when one is not; the message names it
     */
    static void requireFree(int base, int count) {
        for (int port = base; port < base + count; port++) {
            if (!isFree(port)) {
                int other = base + OTHER + count < 1 << 16 ? base + OTHER : DEFAULT_BASE;
                throw new DemoException("port " + port + " is in use, and the demo needs the ports " + base + " to "
                        + (base + count - 1)
                        + ". Is another demo running? Stop it (Ctrl-C there), or choose other ports:"
                        + " ./demo --port-base " + other
                        + " (a second demo at the same time also needs --directory DIR)");
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
            return true;
        } catch (IOException inUse) {
            return false;
        }
    }
}
