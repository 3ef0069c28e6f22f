#!/usr/bin/env bash
# Makes the images that the tests of the docker backend use, without a registry, and loads them by docker import.
#
#   sandbox-test-busybox   a static busybox: needs the package busybox-static
#   sandbox-test-debian    Debian with python3, pip and venv: needs the package debootstrap, root and a Debian mirror
#
# usage: make-images.sh [busybox|debian]...   (default: busybox)
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

debian_image() {
  local tree=$work/debian suite=${DEBIAN_SUITE:-bookworm} mirror
  mirror=${DEBIAN_MIRROR:-$(apt_mirror "$suite")}
  debootstrap --variant=minbase --include=python3,python3-pip,python3-venv,python3-setuptools,python3-wheel,ca-certificates \
    "$suite" "$tree" ${mirror:+"$mirror"} >&2
  rm -rf "$tree"/var/cache/apt/archives/*.deb "$tree"/var/lib/apt/lists/* "$tree"/dev/*
  tar -C "$tree" --one-file-system -c . | docker import - sandbox-test-debian
}

for image in "${@:-busybox}"; do
  case $image in
    busybox) busybox_image ;;
    debian) debian_image ;;
    *) echo "no image is called $image" >&2; exit 2 ;;
  esac
done
