package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.linux.ProcessIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** What is on the engine. */
final class Containers {
    private Containers() {}

    /** Whether all containers of this process go within a time. */
    static boolean goneWithin(Duration patience) throws InterruptedException {
        return goneWithin(patience, ProcessHandle.current().pid());
    }

    static boolean goneWithin(Duration patience, long pid) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!of(pid).isEmpty()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(100);
        }
        return true;
    }

    static List<LabelledContainer> of(long pid) {
        return Engine.connect().labelled(Owner.LABEL).stream()
                .filter(container -> ProcessIdentity.parse(container.label())
                        .filter(owner -> owner.pid() == pid)
                        .isPresent())
                .toList();
    }

    static void removeImage(String image) throws IOException {
        EngineTransport.Reply reply =
                new EngineTransport(EngineAddress.find()).ask("DELETE", "/images/" + image + ":latest", "");
        assertThat(reply.status()).isEqualTo(200);
    }
}
