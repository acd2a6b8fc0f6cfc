#!/bin/sh
# setup.sh program|build|bench|browser|compare|python|python-debian|tools: installs the Debian packages
# that are missing for one kind of work, and first prints what that costs. apt's own lines are in
# build/setup.log. Nothing is called but dpkg-query when everything is there. Where packages cannot be
# installed the line to run is printed and the status is 0: CMake then says whether the rest is enough.
set -eu

program="g++ make cmake ninja-build libeigen3-dev libboost-dev libhwy-dev libfast-float-dev \
libcli11-dev libfmt-dev nlohmann-json3-dev zlib1g-dev libutf8proc-dev"
build="$program gnuplot-nox clang libclang-rt-14-dev libgtest-dev librapidcheck-dev python3 python3-mpmath \
zsh fish mandoc groff-base"

case "${1:-}" in
  program) packages=$program ;;
  build) packages=$build ;;
  bench) packages="$build libbenchmark-dev python3-venv" ;;
  browser) packages="chromium" ;;
  compare) packages="$build libbenchmark-dev" ;;
  python) packages="$build python3-venv python3-dev" ;;
  python-debian) packages="$build python3-venv python3-dev python3-numpy python3-scipy python3-sklearn python3-pandas" ;;
  tools) packages="$build clang-format clang-tidy" ;;
  *)
    echo "usage: setup.sh program|build|bench|browser|compare|python|python-debian|tools" >&2
    exit 2
    ;;
esac

is_installed() {
  case " $(dpkg-query -W -f='${db:Status-Status} ' "$1" 2>/dev/null)" in
    *" installed "*) return 0 ;;
    *) return 1 ;;
  esac
}

advise() {
  echo "setup: $1; to install what is missing, run as root:" >&2
  echo "  apt-get update && apt-get install --no-install-recommends $missing" >&2
  echo "setup: going on with what is there" >&2
  exit 0
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  missing=$packages
  command -v cmake >/dev/null && command -v ninja >/dev/null && exit 0
  advise "this system has no apt (names below are Debian's)"
fi

missing=""
for package in $packages; do
  is_installed "$package" || missing="$missing${missing:+ }$package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=""
elif command -v sudo >/dev/null; then
  as_root="sudo"
else
  advise "neither root nor sudo"
fi

apt() {
  # shellcheck disable=SC2086  # as_root is empty or one word
  $as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=300 "$@"
}

# How many packages, download and disk space, in the words of apt-get, which then stops.
cost() {
  # shellcheck disable=SC2086  # a list of words
  apt install --assume-no --no-install-recommends $missing 2>/dev/null |
    while read -r line; do
      case "$line" in
        *" newly installed,"* | "Need to get "* | "After this operation"*) echo "setup:   $line" ;;
      esac
    done
}

mkdir -p build 2>/dev/null && log=build/setup.log || log=/dev/null
echo "setup: missing Debian packages will be installed${as_root:+ with sudo}, about a minute: $missing"
apt -qq update >"$log" 2>&1 ||
  echo "setup: apt-get update failed; trying with the lists that are there" >&2
cost
# shellcheck disable=SC2086  # a list of words
apt -qq install -y --no-install-recommends $missing >>"$log" 2>&1 ||
  advise "apt-get install failed (see $log)"
