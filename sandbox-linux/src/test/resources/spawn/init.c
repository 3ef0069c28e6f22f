/* Starts an init in a PID namespace, as a spawn will, and attacks it by orphans. Says what it saw, a line each.
 *   init FILE-OF-INIT FILTER ORPHANS */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(long result, const char *what) {
    if (result < 0) {
        printf("%s: %s\n", what, strerror(errno));
        exit(1);
    }
}

static void drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    must(syscall(SYS_capset, &header, none), "capset");
}

/* As a step, which has the same account and no capability; /proc is the one from outside. */
static void attack(pid_t init) {
    char path[64];
    drop_capabilities();
    snprintf(path, sizeof path, "/proc/%d/mem", init);
    printf("memory %s\n", open(path, O_RDWR) < 0 ? strerror(errno) : "open");
    printf("trace %s\n", ptrace(PTRACE_SEIZE, 1, 0, 0) < 0 ? strerror(errno) : "done");
    printf("signal %s\n", kill(1, SIGKILL) < 0 ? strerror(errno) : "sent"); /* the kernel drops it; init must live below */
    snprintf(path, sizeof path, "/proc/%d/exe", init);
    printf("file %s\n", open(path, O_RDONLY) < 0 ? strerror(errno) : "open");
    _exit(0);
}

static void become_init(const char *file, const char *filter, int life) {
    static struct sock_filter code[64];
    int fd = open(filter, O_RDONLY | O_CLOEXEC);
    must(fd, "open filter");
    ssize_t size = read(fd, code, sizeof code);
    struct sock_fprog program = {(unsigned short)(size / sizeof code[0]), code};
    int init = open(file, O_PATH | O_CLOEXEC);
    must(init, "open init");
    must(dup2(life, 0), "dup2");
    drop_capabilities();
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
    must(syscall(SYS_close_range, 1, ~0U, 4), "close_range");
    signal(SIGCHLD, SIG_IGN);
    char *argv[] = {"init", NULL}, *envp[] = {NULL};
    must(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program), "seccomp");
    syscall(SYS_execveat, init, "", argv, envp, AT_EMPTY_PATH);
    syscall(SYS_exit, 9);
}

/* The grandchild waits until it is init's, so that it surely ends as an orphan. */
static void make_orphans(int count) {
    for (int i = 0; i < count; i++) {
        pid_t child = fork();
        must(child, "fork");
        if (child == 0) {
            pid_t grandchild = fork();
            if (grandchild == 0) {
                while (getppid() != 1) {
                    sched_yield();
                }
                _exit(0);
            }
            _exit(grandchild < 0);
        }
        int status;
        must(waitpid(child, &status, 0), "waitpid");
        if (status != 0) {
            _exit(1);
        }
    }
    _exit(0);
}

static int children_of(pid_t pid) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
    FILE *children = fopen(path, "r");
    must(children == NULL ? -1 : 0, path);
    int count = 0;
    while (fscanf(children, "%4095s", text) == 1) {
        count++;
    }
    fclose(children);
    return count;
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IONBF, 0);
    int life[2], status;
    if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) {
        puts("no namespace");
        return 77;
    }
    must(pipe2(life, O_CLOEXEC), "pipe2");
    int started[2]; /* its end tells that init was executed: before, SIGCHLD is not ignored */
    must(pipe2(started, O_CLOEXEC), "pipe2");
    pid_t init = fork();
    must(init, "fork");
    if (init == 0) {
        become_init(argv[1], argv[2], life[0]);
    }
    close(life[0]);
    close(started[1]);
    char byte;
    must(read(started[0], &byte, 1), "wait for init's start");
    pid_t sleeper = fork();
    if (sleeper == 0) {
        close(life[1]); /* whoever has it keeps init alive */
        pause();
    }
    pid_t attacker = fork();
    if (attacker == 0) {
        close(life[1]);
        attack(init);
    }
    must(waitpid(attacker, &status, 0), "wait for attacker");
    pid_t worker = fork();
    if (worker == 0) {
        close(life[1]);
        make_orphans(argc > 3 ? atoi(argv[3]) : 0);
    }
    must(waitpid(worker, &status, 0), "wait for worker");
    printf("worker %d\n", status);
    while (children_of(init) > 0) { /* the last orphans are about to end; the caller has a timeout */
        sched_yield();
    }
    printf("init %s\n", waitpid(init, &status, WNOHANG) == 0 ? "lives and has no child" : "ended");
    must(kill(init, SIGSTOP), "stop");
    must(kill(init, SIGCONT), "continue");
    printf("stopped and continued, init %s\n", waitpid(init, &status, WNOHANG) == 0 ? "lives" : "ended");
    close(life[1]);
    must(waitpid(sleeper, &status, 0), "wait for sleeper");
    printf("sleeper signal %d\n", WTERMSIG(status));
    must(waitpid(init, &status, 0), "wait for init");
    printf("init exit %d signal %d\n", WEXITSTATUS(status), WTERMSIG(status));
    return 0;
}
