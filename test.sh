#!/bin/sh
# Builds and runs all tests: the release build, then one with the address and undefined-behaviour
# sanitizers. The last line is "N passed, N failed".
#   ./test.sh [--fast] [--all] [--valgrind]
#     --fast      the release build only
#     --all       also test/measured (presets against published figures, shipped studies), and more programs
#                 under the sanitizers; some minutes more
#     --valgrind  unit tests under valgrind, too
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd -P)
# shellcheck source=.ci/setup.sh
. "$root/.ci/setup.sh"

sanitize=sanitize programs=sanitize_programs setup=plain valgrind=no
for option in "$@"; do
    case $option in
    --fast) sanitize= ;;
    --all) setup=all sanitize=${sanitize:+sanitize_all} programs=all ;;
    --valgrind) valgrind=yes ;;
    *)
        say "unknown option '$option'; options are --fast, --all and --valgrind"
        exit 2
        ;;
    esac
done

# What cannot be built has failed.
give_up() {
    echo '0 passed, 1 failed'
    exit 1
}

need_build_packages || give_up
need_page all || give_up
need_packages clang-format python3 shellcheck chromium || give_up
[ "$valgrind" = no ] || need_packages valgrind || give_up
need_packages slurm-wlm munge || say 'Slurm cannot be installed; its test is skipped'

LC_ALL=C.UTF-8
export LC_ALL
logs=

# run_tests FOLDER SETUP ARGUMENT...: the verdict is read from the log, so a failure does not stop the script.
run_tests() {
    folder=$1 setup=$2
    shift 2
    log=$folder/meson-logs/testlog-$setup.json
    rm -f "$log"
    say "testing ${folder##*/}/ ($setup)"
    meson test -C "$folder" --no-rebuild --print-errorlogs --setup "$setup" "$@" || true
    logs="$logs $log"
}

compile "$root/build" all || give_up
run_tests "$root/build" "$setup"
[ "$valgrind" = no ] || run_tests "$root/build" valgrind --suite unit
if [ -n "$sanitize" ]; then
    # -Og compiles in half the time of -O2, and -g1, which knows lines but no variables, in five sixths of that of -g
    compile "$root/build-sanitize" "$programs" --buildtype=debug -Doptimization=g -Dc_args=-g1 -Db_lto=false \
        -Db_sanitize=address,undefined || give_up
    run_tests "$root/build-sanitize" "$sanitize"
fi

# shellcheck disable=SC2086 # a list of files
exec python3 "$root/test/count_results.py" $logs
