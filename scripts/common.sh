# Functions that the scripts of this folder share: sourced, not run. POSIX sh.

root=$(cd "$(dirname "$0")/.." && pwd)
build=${OTTER_BUILD:-$root/build}
install=${OTTER_INSTALL:-yes}
unset OTTER_BUILD OTTER_INSTALL # the recorder would report unknown settings

step() {
    printf '\n== %s\n' "$*"
}

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

log=$(mktemp)
job=
nice= # nice: compile() lets other processes come first
trap 'rm -f "$log"; [ -z "$job" ] || kill "$job" 2>/dev/null || true' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# watched COMMAND...: runs it with its output in $log. Meanwhile shows the last line of the output: a terminal each half a second,
# other outputs each 20 seconds.
watched() {
    "$@" >"$log" 2>&1 &
    job=$!
    n=0
    while kill -0 "$job" 2>/dev/null; do
        sleep 0.5
        n=$((n + 1))
        if [ -t 1 ]; then
            printf '\r\033[K%.78s' "$(tail -n 1 "$log")"
        elif [ $((n % 40)) = 0 ]; then
            printf '%.78s\n' "$(tail -n 1 "$log")"
        fi
    done
    [ ! -t 1 ] || printf '\r\033[K'
    status=0
    wait "$job" || status=$?
    job=
    return $status
}

# Prints the packages for the given purposes, one per line.
packages_for() {
    for purpose in "$@"; do
        sed -n "s/^$purpose  *\([^ ]*\) .*/\1/p" "$root/scripts/packages"
    done | sort -u
}

# Prints their descriptions, one per line.
descriptions_for() {
    for purpose in "$@"; do
        sed -n "s/^$purpose  *[^ ]*  */  - /p" "$root/scripts/packages"
    done | sort -u
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

apt_get() {
    as_root apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 -y "$@"
}

has_apt() {
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null
}

# Prints the packages for the given purposes that need() would install.
missing_for() {
    if [ "$install" = no ] || ! has_apt; then
        return 0
    fi
    for package in $(packages_for "$@"); do
        is_installed "$package" || printf ' %s' "$package"
    done
}

# Installs the missing packages for the given purposes. With OTTER_INSTALL=no, assumes that none is missing.
need() {
    if [ "$install" != no ] && ! has_apt; then
        need_elsewhere "$@"
        return 0
    fi
    missing=$(missing_for "$@")
    if [ -z "$missing" ]; then
        return 0
    fi
    step "installing$missing"
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        fail "these packages are missing, and there is neither root nor sudo to install them:$missing"
    fi
    install_with_retries $missing
}

# Ignores errors of `update`: an unreachable package source may be unneeded.
install_with_retries() {
    for attempt in 1 2 3; do
        apt_get update -qq || true
        if watched apt_get install -qq --no-install-recommends "$@"; then
            return 0
        fi
        tail -n 5 "$log" >&2
        echo "installing failed (attempt $attempt of 3)" >&2
    done
    fail "cannot install: $*
Install these packages by other means and set OTTER_INSTALL=no:
$(descriptions_for build demo test check)"
}

# For systems without apt: names missing programs; meson names missing libraries.
need_elsewhere() {
    absent=
    for program in cc meson ninja pkg-config; do
        command -v "$program" >/dev/null || absent="$absent $program"
    done
    if [ -n "$absent" ]; then
        fail "cannot find:$absent
This script installs packages on Debian and its relatives only. Please install:
$(descriptions_for "$@")"
    fi
    echo "not a Debian system: assuming that these are installed"
    descriptions_for "$@"
}

# configure FOLDER [meson option]...: creates or updates a build folder.
configure() {
    folder=$1
    shift
    if [ -f "$folder/meson-private/coredata.dat" ]; then
        meson configure "$folder" "$@"
    else
        meson setup "$folder" "$root" "$@"
    fi >"$log" 2>&1 || {
        cat "$log" >&2
        fail "cannot configure $folder"
    }
}

# compile FOLDER [target]...: prints errors and warnings.
compile() {
    watched $nice ninja -C "$@" || {
        cat "$log" >&2
        fail "cannot build in $1"
    }
    sed -n '/warning:/,/\^/p' "$log"
}

# Prints the path of the clang that compiles OpenMP programs.
openmp_clang() {
    for name in clang-19 clang-20 clang-21 clang; do
        if command -v "$name"; then
            return 0
        fi
    done
    fail 'clang is needed to compile the OpenMP example'
}
