#!/bin/sh
# Builds and runs the measurements; arguments go to JMH, for example: bench/run.sh Spawn -f 1
set -eu
cd "$(dirname "$0")/.."
mvn -B -ntp -q -DskipTests package
exec java --enable-native-access=ALL-UNNAMED -cp "bench/target/classes:bench/target/lib/*" org.openjdk.jmh.Main "$@"
