#!/bin/sh
# /bin/true by us and by whoever else is installed here, taking turns: medians in milliseconds, compare.json and compare.svg.
# bench/compare.sh [ROUNDS] [FOLDER]; SANDBOX_BENCH_IMAGE names an image of the container engine to measure that as well.
set -eu
cd "$(dirname "$0")/.."
mvn -B -ntp -q -DskipTests package
java=${JAVA_HOME:+$JAVA_HOME/bin/java}
exec "${java:-java}" --enable-native-access=ALL-UNNAMED -cp "bench/target/classes:bench/target/lib/*" \
    dev.sandbox.bench.Compare sandbox-app/target/dist/bin/sandbox "${1:-30}" "${2:-bench/target}"
