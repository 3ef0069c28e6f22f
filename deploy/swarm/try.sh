#!/usr/bin/env bash
# Tries the stack on two nodes on this machine: two engines in network namespaces of their own, joined by a bridge. Deploys, sends 1,000
# requests from 50 clients, kills a replica and then a node's engine meanwhile, prints figures and removes everything.
# Needs root, dockerd and an image sandbox:service (images/make-images.sh service) in the engine that DOCKER_HOST names.
#
# usage: try.sh [REQUESTS] [CLIENTS]
#   SWARM_IMAGE   an archive of docker save with that image, in place of the engine's
set -euo pipefail

[[ $(id -u) == 0 ]] || { echo 'run this as root: it makes network namespaces and starts engines' >&2; exit 1; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
requests=${1:-1000} clients=${2:-50}
work=$(mktemp -d /var/tmp/sandbox-swarm.XXXXXX)
bridge=sbxbr$$

on() { docker --host "unix://$work/$1.sock" "${@:2}"; }

finish() {
  local node pid
  for node in 1 2; do
    if pid=$(cat "$work/$node.pid" 2>/dev/null); then kill "$pid" 2>/dev/null || true; fi
  done
  for node in 1 2; do
    for _ in $(seq 100); do [[ -e $work/$node.pid ]] && kill -0 "$(cat "$work/$node.pid")" 2>/dev/null || break; sleep 0.2; done
    # What an engine that was killed left running.
    for pid in $(pgrep -f -- "$work/exec$node|$work/data$node" || true); do kill -9 "$pid" 2>/dev/null || true; done
    ip netns del "sbx${$}n$node" 2>/dev/null || true
  done
  ip link del "$bridge" 2>/dev/null || true
  awk -v at="$work/" 'index($5, at) == 1 {print $5}' /proc/self/mountinfo | sort -r | while read -r mount; do umount -l "$mount"; done
  rm -rf --one-file-system "$work" || echo "could not remove $work" >&2
}
trap finish EXIT

ip link add "$bridge" type bridge
ip addr add 10.77.99.254/24 dev "$bridge"
ip link set "$bridge" up
for node in 1 2; do
  ip netns add "sbx${$}n$node"
  ip link add "sbx${$}v$node" type veth peer name eth0 netns "sbx${$}n$node"
  ip link set "sbx${$}v$node" master "$bridge" up
  # Not ip netns exec, which hides the cgroups that an engine needs.
  enter=(nsenter "--net=/run/netns/sbx${$}n$node")
  "${enter[@]}" ip link set lo up
  "${enter[@]}" ip addr add "10.77.99.$node/24" dev eth0
  "${enter[@]}" ip link set eth0 up
  "${enter[@]}" ip route add default via 10.77.99.254
  setsid "${enter[@]}" dockerd --host "unix://$work/$node.sock" --data-root "$work/data$node" --exec-root "$work/exec$node" \
    --pidfile "$work/$node.pid" >"$work/$node.log" 2>&1 &
done
for node in 1 2; do
  for _ in $(seq 120); do on $node version >/dev/null 2>&1 && break; sleep 0.5; done
  on $node version >/dev/null || { tail -n 3 "$work/$node.log" >&2; exit 1; }
done

on 1 swarm init --advertise-addr 10.77.99.1 >/dev/null
on 2 swarm join --token "$(on 1 swarm join-token -q worker)" 10.77.99.1:2377
[[ -n ${SWARM_IMAGE:-} ]] || { SWARM_IMAGE=$work/image.tar; docker save sandbox:service >"$SWARM_IMAGE"; }
for node in 1 2; do on $node load <"$SWARM_IMAGE" >/dev/null; done
printf '%s\n' "$(head -c 32 /dev/urandom | base64 -w 0)" >"$work/token"
printf 'write_paths: [.]\n' >"$work/policy.yaml"
on 1 secret create sandbox_token "$work/token" >/dev/null
on 1 config create sandbox_policy "$work/policy.yaml" >/dev/null
sed 's/image: sandbox:service-tools/image: sandbox:service/' "$here/stack.yml" >"$work/stack.yml"
SANDBOX_HOST=sandbox.test on 1 stack deploy -c "$work/stack.yml" sandbox >/dev/null 2>&1
for node in 1 2; do
  for _ in $(seq 180); do
    [[ $(on $node ps -q --filter health=healthy | wc -l) == 1 ]] && break
    sleep 0.5
  done
done
on 1 service ps sandbox_serve --filter desired-state=running --format 'replica {{.ID}}: {{.CurrentState}} {{.Error}}'

# The replica of node 2 is killed when a third was answered, the engine of node 2 with all it runs when two thirds were.
cat >"$work/kill-replica" <<END
docker --host unix://$work/2.sock kill \$(docker --host unix://$work/2.sock ps -q)
END
cat >"$work/kill-engine" <<END
kill -9 \$(cat $work/2.pid) \$(pgrep -f -- $work/exec2)
END
python3 "$here/try.py" "$requests" "$clients" "$work"
