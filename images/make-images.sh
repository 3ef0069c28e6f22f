#!/usr/bin/env bash
# Makes images without a registry and loads them by docker import.
#
#   busybox         sandbox-test-busybox, a static busybox: needs the package busybox-static
#   debian          sandbox-test-debian, Debian with python3, pip and venv: needs the package debootstrap, root and a mirror
#   service         sandbox:service, `sandbox serve` with a Java of its own, for its uid 10001: needs that and a JDK with jlink
#   service-tools   sandbox:service-tools, the same with python3, pip, node, npm and git for the steps
#
# usage: make-images.sh [busybox|debian|service|service-tools]...   (default: busybox)
#   SANDBOX_DIST    the unpacked distribution (default: what the build makes)
#   JAVA_HOME       the JDK (default: the one of java on PATH)
#   DOCKER_HOST     as for docker
#   DEBIAN_SUITE    as for debootstrap (default: bookworm)
#   DEBIAN_MIRROR   as for debootstrap (default: where apt on this machine gets that suite)
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

busybox_image() {
  local tree=$work/busybox program applet
  program=$(command -v busybox) || { echo 'install busybox-static first' >&2; exit 1; }
  mkdir -p "$tree"/{bin,etc,tmp,usr/bin,proc,sys,dev,root}
  cp "$program" "$tree/bin/busybox"
  for applet in $("$program" --list); do
    [[ $applet == busybox ]] || ln -s busybox "$tree/bin/$applet"
  done
  printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' > "$tree/etc/passwd"
  printf 'root:x:0:\nnogroup:x:65534:\n' > "$tree/etc/group"
  tar -C "$tree" -c . | docker import - sandbox-test-busybox
}

# Where apt gets a suite's main packages; nothing when it does not get any.
apt_mirror() {
  apt-get indextargets --format '$(CREATED_BY) $(RELEASE) $(COMPONENT) $(REPO_URI)' 2>/dev/null |
    awk -v suite="$1" '$1 == "Packages" && $2 == suite && $3 == "main" {print $4; exit}'
}

# usage: debian_tree FOLDER PACKAGES
debian_tree() {
  local suite=${DEBIAN_SUITE:-bookworm} mirror
  mirror=${DEBIAN_MIRROR:-$(apt_mirror "$suite")}
  debootstrap --variant=minbase --include="$2" "$suite" "$1" ${mirror:+"$mirror"} >&2
  rm -rf "$1"/var/cache/apt/archives/*.deb "$1"/var/lib/apt/lists/* "$1"/dev/*
}

debian_image() {
  debian_tree "$work/debian" python3,python3-pip,python3-venv,python3-setuptools,python3-wheel,ca-certificates
  tar -C "$work/debian" --one-file-system -c . | docker import - sandbox-test-debian
}

# What the product's jars use of Java; jdeps names more, which no code that runs here reaches.
java_modules=java.base,java.instrument,java.logging,java.management,java.naming,java.net.http,java.security.jgss,java.sql,java.xml
java_modules+=,jdk.crypto.ec,jdk.jfr,jdk.management,jdk.unsupported,jdk.zipfs

# usage: service_image TAG PACKAGES
service_image() {
  local tree=$work/$1 dist java=${JAVA_HOME:-}
  dist=${SANDBOX_DIST:-$(dirname "${BASH_SOURCE[0]}")/../sandbox-app/target/dist}
  [[ -x $dist/bin/sandbox ]] || { echo "$dist has no bin/sandbox: build first, or set SANDBOX_DIST" >&2; exit 1; }
  [[ -n $java ]] || java=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
  [[ -x $java/bin/jlink ]] || { echo "$java has no bin/jlink: set JAVA_HOME to a JDK" >&2; exit 1; }
  debian_tree "$tree" "$2"
  "$java/bin/jlink" --add-modules "$java_modules" --strip-debug --no-header-files --no-man-pages --compress=2 --output "$tree/opt/java" >&2
  mkdir -p "$tree/opt/sandbox" "$tree/srv/work" "$tree/run/secrets"
  cp -a "$dist/." "$tree/opt/sandbox/"
  # Made for this Java, where it will run: the archive of classes of another fits none.
  rm -f "$tree"/opt/sandbox/lib/sandbox.jsa "$tree"/opt/sandbox/lib/sandbox.aot
  chown -R 0:0 "$tree/opt"
  unshare --mount --pid --fork sh -euc 'mount --rbind /dev "$1/dev"; mount -t proc proc "$1/proc"
    JAVA_HOME=/opt/java exec chroot "$1" /opt/sandbox/bin/sandbox-archive' sh "$tree" >&2
  chroot "$tree" useradd --uid 10001 --no-create-home --home-dir /srv/work sandbox
  chown 10001:10001 "$tree/srv/work"
  # By bash, which Debian has anyway: no program is installed for it.
  tar -C "$tree" --one-file-system -c . | docker import \
    --change 'ENV JAVA_HOME=/opt/java PATH=/opt/sandbox/bin:/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8' \
    --change 'USER 10001:10001' --change 'WORKDIR /srv/work' --change 'EXPOSE 8787' \
    --change 'ENTRYPOINT ["sandbox", "serve", "--base-dir", "/srv/work", "--host", "0.0.0.0", "--allowed-host", "localhost:8787", "--token-file", "/run/secrets/token"]' \
    --change 'HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8787; printf \"GET /health HTTP/1.0\\r\\nHost: localhost:8787\\r\\n\\r\\n\" >&3; head -n 1 <&3 | grep -q \" 200 \""]' \
    - "sandbox:$1"
}

for image in "${@:-busybox}"; do
  case $image in
    busybox) busybox_image ;;
    debian) debian_image ;;
    service) service_image service ca-certificates ;;
    service-tools) service_image service-tools ca-certificates,python3,python3-pip,python3-venv,nodejs,npm,git ;;
    *) echo "no image is called $image" >&2; exit 2 ;;
  esac
done
