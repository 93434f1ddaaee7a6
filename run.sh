#!/bin/sh
# Builds warpmem if need be and runs it. Without arguments: the quickstart scenario.
#   ./run.sh [COMMAND ARGUMENT...]        relative paths are relative to where you are
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd -P)
# shellcheck source=.ci/setup.sh
. "$root/.ci/setup.sh"

need_build_packages
need_page run
compile "$root/build" scenarios/program/warpmem

[ $# -gt 0 ] || set -- run "$root/scenarios/quickstart.ini"
exec "$root/build/scenarios/program/warpmem" "$@"
