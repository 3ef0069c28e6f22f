#!/bin/sh
# How long a command takes to start, whole process, beside `java -version` in the same run; medians in milliseconds.
# bench/start.sh [HOW_OFTEN]; after a build, with the Java of JAVA_HOME or PATH. As root, chrt keeps others' work out of the figures.
set -eu
cd "$(dirname "$0")/.."
sandbox=$PWD/sandbox-app/target/dist/bin/sandbox
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
first=
[ "$(id -u)" -ne 0 ] || first='chrt -f 10'
exec_python='
import statistics, subprocess, sys, time
rounds, sandbox, java = int(sys.argv[1]), sys.argv[2], sys.argv[3]
commands = {"java -version": [java, "-version"]}
for backend in ("landlock", "mountns"):
    commands["sandbox run --backend " + backend] = [sandbox, "run", "--backend", backend, "--", "true"]
times = {name: [] for name in commands}
for turn in range(rounds + 2):
    for name, command in commands.items():
        begin = time.perf_counter()
        code = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode
        if code == 0 and turn > 1:
            times[name].append(1000 * (time.perf_counter() - begin))
base = statistics.median(times["java -version"])
for name, taken in times.items():
    if taken:
        print(f"{name:32} {statistics.median(taken):7.1f} ms  {statistics.median(taken) / base:5.1f} x")
    else:
        print(f"{name:32} does not run here")
'
java=${JAVA_HOME:+$JAVA_HOME/bin/java}
$first python3 -c "$exec_python" "${1:-15}" "$sandbox" "${java:-java}"
