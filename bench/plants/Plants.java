import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;

/** A small web service in Java for scripts/planted: an answer with a checksum, and a line of a log written by a thread of its own. */
public final class Plants {
    private static final byte[] ANSWER = new byte[8192];
    private static final ArrayBlockingQueue<Integer> LINES = new ArrayBlockingQueue<>(1024);
    private static volatile long written;

    /** A checksum of the answer: a loop over its bytes. */
    static int checksum(byte[] data) {
        int sum = 17;
        for (byte b : data) {
            sum = 31 * sum + (b ^ (sum >>> 7));
        }
        return sum;
    }

    /** The thread that writes the log, in few words or in many. */
    private static void writeLog(boolean verbose) {
        StringBuilder line = new StringBuilder();
        try {
            while (true) {
                int sum = LINES.take();
                line.setLength(0);
                line.append(sum);
                for (int i = 0; verbose && i < 150; i++) {
                    line.append(String.format("%08x %s ", sum + i, "answered"));
                }
                written += line.length();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        int sum = checksum(ANSWER);
        try {
            LINES.put(sum); // waits for the log, so that each request bears its line
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        byte[] body = String.format("%012d", Integer.toUnsignedLong(sum)).getBytes();
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public static void main(String[] args) throws IOException {
        String[] at = args[0].split(":");
        boolean verbose = args.length > 1;
        HttpServer server = HttpServer.create(new InetSocketAddress(at[0], Integer.parseInt(at[1])), 0);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.createContext("/", Plants::answer);
        Thread log = new Thread(() -> writeLog(verbose), "audit-log");
        log.setDaemon(true);
        log.start();
        server.start();
    }
}
