package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Real tools under the whole filter, in one session. pip, venv and npm are in {@link PackageInstallContract}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HardeningCompatibilityContract {
    private static final String GIT =
            "git -c user.name=Step -c user.email=step@example.org -c protocol.file.allow=always -c init.defaultBranch=main ";

    private Path base = Path.of("");
    private SandboxSession session;

    abstract BackendName backend();

    @BeforeAll
    void open(@TempDir Path folder) {
        Steps.assumeUsable(backend());
        base = folder;
        SandboxPolicy.Builder policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(Steps.real(base)))
                .addWritePaths(".")
                .addExtraSystemPaths(System.getProperty("java.home"))
                .backend(backend());
        if (backend().equals(BackendName.LANDLOCK)) {
            policy.tmp(TmpMode.HOST); // /dev/shm; others have one of their own.
        }
        session = Steps.SANDBOX.open(policy.build());
    }

    @AfterAll
    void close() {
        if (session != null) {
            session.close();
        }
    }

    private Path file(String name, String text) {
        try {
            return Files.writeString(base.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a shell text prints that must succeed. */
    private String said(String text) {
        ExecutionResult result = session.run(Command.shell(text));
        assertThat(result.exitCode())
                .as("%s%n%s%n%s", text, result.stdout(), result.stderr())
                .isZero();
        return result.stdout();
    }

    private static void needs(String... programs) {
        for (String program : programs) {
            boolean there = Stream.of("/usr/local/bin/", "/usr/bin/", "/bin/")
                    .anyMatch(folder -> Files.isExecutable(Path.of(folder + program)));
            assumeTrue(there, "needs " + program);
        }
    }

    @Test
    void nodeRunsWorkersAndChildren() {
        needs("node");
        file("n.js", """
                    const {Worker} = require('worker_threads');
                    const child = require('child_process').execFileSync('/bin/echo', ['child']).toString();
                    require('net').createServer(s => s.end()).listen(0, '127.0.0.1', function() { this.close();
                    new Worker('require("worker_threads").parentPort.postMessage("worker")', {eval: true})
                    .on('message', m => console.log(child + m)); });
                    """);
        assertThat(said("node n.js")).isEqualTo("child\nworker\n");
    }

    @Test
    void gitCommitsAndHasWorktreesAndSubmodules() {
        needs("git");
        said("for r in lib main; do " + GIT + "init -q $r && echo $r > $r/f && " + GIT + "-C $r add f && " + GIT
                + "-C $r commit -qm first || exit 1; done");
        said(GIT + "-C main submodule --quiet add ../lib lib && " + GIT + "-C main commit -qm second && " + GIT
                + "-C main worktree add -q ../tree -b side && echo more > tree/g && " + GIT + "-C tree add g && " + GIT
                + "-C tree commit -qm third && " + GIT + "-C main gc -q");
        assertThat(said("cat main/lib/f; git -C tree log --format=%s; git -C main worktree list | wc -l"))
                .isEqualTo("lib\nthird\nsecond\nfirst\n2\n");
    }

    @Test
    void gccCompilesAndTheProgramRuns() {
        needs("gcc");
        file("t.c", """
                    #include <pthread.h>
                    #include <stdio.h>
                    static void *f(void *p) { puts(p); return p; }
                    int main(void) { pthread_t t; pthread_create(&t, 0, f, "from a thread"); pthread_join(t, 0); return 0; }
                    """);
        assertThat(said("gcc -O1 -pipe -pthread -o t t.c && ./t")).isEqualTo("from a thread\n");
    }

    @Test
    void javaRunsAProgramOfOneFile() {
        file(
                "Hello.java",
                "public class Hello { public static void main(String[] a) throws Exception {"
                        + " Thread t = new Thread(() -> System.out.println(\"from java\")); t.start(); t.join();"
                        + " System.exit(new ProcessBuilder(\"/bin/true\").start().waitFor()); } }\n");
        String java = System.getProperty("java.home") + "/bin/java";
        assertThat(said(java + " -version 2>&1")).contains("version");
        assertThat(said(java + " -XX:TieredStopAtLevel=1 Hello.java")).isEqualTo("from java\n");
    }

    @Test
    void pythonHasPoolsAndDatabases() {
        needs("python3");
        file("p.py", """
                    import multiprocessing, sqlite3, asyncio, ssl, ctypes
                    def square(n): return n * n
                    if __name__ == '__main__':
                      with multiprocessing.Pool(2) as pool: print(pool.map(square, [1, 2, 3]))
                      with multiprocessing.Manager() as manager: print(manager.list([4])[0])
                      db = sqlite3.connect('p.db'); db.execute('pragma journal_mode=wal'); db.execute('create table t(x)')
                      db.execute('insert into t values (5)'); db.commit(); print(db.execute('select x from t').fetchone())
                      async def child(): return await (await asyncio.create_subprocess_exec('/bin/true')).wait()
                      print(asyncio.run(child()))
                    """);
        assertThat(said("/usr/bin/python3 p.py")).isEqualTo("[1, 4, 9]\n4\n(5,)\n0\n");
    }

    @Test
    void sqliteTarAndRsyncWork() {
        needs("sqlite3", "tar", "rsync");
        assertThat(said("sqlite3 s.db 'create table t(x); insert into t values (7); select x from t;'"))
                .isEqualTo("7\n");
        said("mkdir -p from/d && echo one > from/d/f && ln -s f from/d/l && tar -czf a.tgz from && mkdir unpacked"
                + " && tar -xzf a.tgz -C unpacked && rsync -a --delete unpacked/from/ copy/");
        assertThat(said("cat copy/d/l")).isEqualTo("one\n");
    }

    @Test
    void curlReachesALoopbackServer() throws IOException {
        needs("curl");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "from the server".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            assertThat(said("curl -sS http://localhost:" + server.getAddress().getPort() + "/"))
                    .isEqualTo("from the server");
        } finally {
            server.stop(0);
        }
    }
}
