package dev.sandbox.app.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpChannel;
import org.eclipse.jetty.server.Request;

/**
 * Bounds connections, and how long one may take to send the head of a request: an idle timeout alone is put off by every byte. When
 * there are too many, those have to go first that have asked for nothing the longest; so a client that sends its request at once is
 * served however many others drip. Thread-safe.
 */
final class IdleConnections implements Connection.Listener, HttpChannel.Listener {
    private final int most;
    private final long patienceNanos;
    /** Since when each has asked for nothing, the longest first. */
    private final Map<EndPoint, Long> idle = new LinkedHashMap<>();

    private final Set<EndPoint> busy = new LinkedHashSet<>();

    IdleConnections(int most, Duration patience) {
        this.most = most;
        this.patienceNanos = patience.toNanos();
    }

    @Override
    public void onOpened(Connection connection) {
        List<EndPoint> tooMany;
        synchronized (this) {
            idle.put(connection.getEndPoint(), System.nanoTime());
            tooMany = tooMany();
        }
        // Outside the lock: closing calls back.
        tooMany.forEach(EndPoint::close);
    }

    private List<EndPoint> tooMany() {
        List<EndPoint> tooMany = new ArrayList<>();
        long now = System.nanoTime();
        Iterator<Map.Entry<EndPoint, Long>> longest = idle.entrySet().iterator();
        while (longest.hasNext()) {
            Map.Entry<EndPoint, Long> next = longest.next();
            boolean late = now - next.getValue() > patienceNanos;
            if (!late && idle.size() + busy.size() <= most) {
                break;
            }
            tooMany.add(next.getKey());
            longest.remove();
        }
        return tooMany;
    }

    @Override
    public synchronized void onClosed(Connection connection) {
        idle.remove(connection.getEndPoint());
        busy.remove(connection.getEndPoint());
    }

    @Override
    public synchronized void onRequestBegin(Request request) {
        EndPoint connection = request.getHttpChannel().getEndPoint();
        if (idle.remove(connection) != null) {
            busy.add(connection);
        }
    }

    @Override
    public synchronized void onComplete(Request request) {
        EndPoint connection = request.getHttpChannel().getEndPoint();
        if (busy.remove(connection)) {
            idle.put(connection, System.nanoTime());
        }
    }
}
