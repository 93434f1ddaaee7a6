# Sourced by run.sh and test.sh, which set `root`: installs what is missing, configures, compiles.
# shellcheck shell=sh

say() {
    printf 'warpmem: %s\n' "$*" >&2
}

# as_root COMMAND...: runs it as root, through sudo where needed.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# quietly LOG COMMAND...: the command's output goes to LOG and is shown only when it fails.
quietly() {
    quietly_log=$1
    shift
    mkdir -p "$(dirname "$quietly_log")"
    if ! "$@" >"$quietly_log" 2>&1; then
        cat "$quietly_log" >&2
        say "failed: $*"
        return 1
    fi
}

# missing_packages PACKAGE...: prints those that dpkg does not know as installed.
missing_packages() {
    for package in "$@"; do
        # shellcheck disable=SC2016 # the format is dpkg's, not the shell's
        case $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null) in
        ?i*) ;;
        *) printf '%s ' "$package" ;;
        esac
    done
}

# need_packages PACKAGE...: installs the missing ones with apt. On systems without dpkg, meson reports what it lacks.
need_packages() {
    command -v dpkg-query >/dev/null 2>&1 || return 0
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
        say "not root, and there is no sudo; as root: apt-get install ${missing% }"
        return 1
    fi
    say "installing ${missing% }"
    apt_log=$(mktemp) || return 1
    # shellcheck disable=SC2086 # a list of words
    quietly "$apt_log" install_packages $missing || return 1
    rm -f "$apt_log"
}

install_packages() {
    as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
        apt-get -q -o DPkg::Lock::Timeout=300 update </dev/null || return 1
    as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
        apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "$@" </dev/null
}

need_build_packages() {
    set --
    command -v npm >/dev/null 2>&1 || set -- npm
    need_packages "$@" gcc libc6-dev meson ninja-build pkg-config libsimgrid-dev libglib2.0-dev \
        libjson-glib-dev check zlib1g-dev liblzma-dev libsqlite3-dev
}

# need_page WHAT: fetches what reports are drawn with and, if WHAT is `all`, tested with, in the versions of
# package-lock.json; `all` is good for a run, too.
need_page() {
    # shellcheck disable=SC2154 # root: see the first line
    page=$root/scenarios/program/report/page
    for fetched in all "$1"; do
        cmp -s "$page/package-lock.json" "$page/node_modules/.fetched-$fetched" && return 0
    done
    say 'fetching what reports are drawn with'
    npm_log=$(mktemp) || return 1
    omit=
    [ "$1" = all ] || omit=--omit=dev
    # shellcheck disable=SC2086 # one word or none
    quietly "$npm_log" npm ci --prefix "$page" --no-audit --no-fund $omit || return 1
    rm -f "$npm_log"
    cp "$page/package-lock.json" "$page/node_modules/.fetched-$1"
}

# compile FOLDER TARGET MESON-OPTION...: configures FOLDER once (again when the tree has moved) and builds the target of it.
# Two callers at a time take turns.
compile() (
    folder=$1 target=$2
    shift 2
    LC_ALL=C.UTF-8
    export LC_ALL
    mkdir -p "$folder"
    exec 9>"$folder/.lock"
    flock 9
    # shellcheck disable=SC2154 # root: see the first line
    if [ -f "$folder/build.ninja" ] &&
        ! grep -qsF "\"source\": \"$root\"" "$folder/meson-info/meson-info.json"; then
        find "$folder" -mindepth 1 -maxdepth 1 ! -name .lock -exec rm -rf {} +
    fi
    if [ ! -f "$folder/build.ninja" ]; then
        quietly "$folder/meson-setup.log" meson setup "$folder" "$root" "$@" || exit 1
    fi
    case $(ninja -C "$folder" -n "$target" 2>&1) in
    *"no work to do"*) exit 0 ;;
    esac
    say "compiling in ${folder##*/}/"
    quietly "$folder/ninja.log" ninja -C "$folder" "$target"
)
