# Sourced by the scripts beside it: where things lie, and how the scripts speak.

set -euo pipefail

helper=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=${helper%/*}
deps=$root/.deps
stage=$deps/stage
plugin=$stage/lib/gstreamer-1.0/libgstvbgfilter.so

# The system's own Python, which the system's python3-gi and python3-pip belong to.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

program=$(basename -- "$0")

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s: %s\n' "$program" "$*" >&2
  exit 1
}
