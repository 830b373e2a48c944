# Sourced by the commands beside it, and by what they are made of: where things lie, and how the
# scripts speak.

set -euo pipefail

helper=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=${helper%/*}
deps=$root/.deps
# What is built for: this machine, unless VBGFILTER_MACHINE names another, which has a folder of its own
# and Debian's compiler. Filters of one's own take the compiler from SWIFT.
machine=${VBGFILTER_MACHINE:-$(uname -m)}
if [ "$machine" != "$(uname -m)" ]; then
  deps=$deps/$machine
  export VBGFILTER_MACHINE=$machine SWIFT=$helper/cross/swift
fi
swift=${SWIFT:-swift}
stage=$deps/stage
tools=$root/tools
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

# The Python packages beside this file: run_package NAME[.MODULE] ARGUMENT...
run_package() {
  export PYTHONPATH=$helper${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1
  exec "$python" -s -m "$@"
}

# Where Python finds what packages are made with, once `fetch.py DEPENDENCIES packaging` has run.
packaging_path=$deps/python/setuptools
for each in cyclonedx-python-lib boolean-py defusedxml license-expression packageurl-python \
  py-serializable sortedcontainers typing-extensions; do
  packaging_path=$packaging_path:$deps/python/$each
done

# What a script does: its first comment.
print_help() { sed -n '1d; /^#/!q; s/^# \{0,1\}//p' "$0"; }

# The usage text in a program's Swift source, which is there before the program is built.
print_usage_of() { sed -n '/static let usage = """$/,/"""$/{ /"""$/d; s/^    //; p; }' "$1"; }

asks_for_help() {
  local each
  for each; do
    case $each in --help | -h) return 0 ;; esac
  done
  return 1
}

refuse_argument() {
  print_help >&2
  fail "unknown argument $1"
}

# take_no_arguments "$@": for the scripts that have none but --help.
take_no_arguments() {
  [ $# -gt 0 ] || return 0
  asks_for_help "$@" || refuse_argument "$1"
  print_help
  exit
}

# SwiftPM's and Meson's folders name the sources by their absolute paths. In a tree that was copied or moved
# they would be built from elsewhere, or not at all: they are made anew.
drop_builds_of_another_place() {
  local each
  for each in "$deps"/*/{debug,release}.yaml "$deps"/*/build.ninja; do
    [ -e "$each" ] || continue
    # Both make a file that names the sources or the scripts.
    grep -qF -e "$root/Sources/" -e "$helper/" -- "$each" && continue
    say "$(basename -- "${each%/*}") was built in another folder: it is built anew"
    rm -rf -- "${each%/*}"
  done
}

# Linker options that leave the symbols out.
symbol_options=(-Xlinker -s)

# build_product NAME [PACKAGE]: a release build of a product, of the tools' package for example. Flags and
# build folder are the same for all products, because SwiftPM would compile everything anew for others.
# -static-stdlib is not for `swift test`: test bundles do not link. What leads into other libraries is
# bound at once, and is read-only after that. To skip work the compiler would keep a hash of each module
# in the library, and of the folder with it.
build_product() {
  PKG_CONFIG_PATH=$deps/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} \
    "$swift" build --package-path "${2:-$root}" --scratch-path "$deps/build" \
    --configuration release --product "$1" \
    -Xswiftc -static-stdlib -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
    -Xlinker --version-script="$helper/setup/exports.map" -Xlinker -soname="${plugin##*/}" "${symbol_options[@]}" \
    -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now </dev/null 2>&1 |
    # GStreamer's .pc files ask for -pthread, which SwiftPM refuses and glibc does not need.
    { grep -v 'prohibited flag(s): -pthread' || true; }
}

# install_packages NAME...: by apt-get, as root or with a sudo that asks for nothing.
install_packages() {
  local as_root=()
  if ! command -v apt-get >/dev/null; then
    say "There is no apt-get here. Please install these packages: $*" >&2
    return 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      say "Installing system packages takes root. Please run, and then this again:" >&2
      say "  sudo apt-get update && sudo apt-get install -y $*" >&2
      return 1
    fi
    as_root=(sudo -n)
  fi
  say "Installing system packages: $*"
  "${as_root[@]}" apt-get update -q </dev/null &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends "$@" </dev/null && return 0
  say "apt-get could not install them: see its words above." >&2
  return 1
}

# test_package FOLDER ARGUMENT...: builds and runs the tests of a package. The code is optimised, as
# people run it. All packages are built in one folder with the same flags, so that each target is compiled
# once. Manifest caching is disabled, because SwiftPM would reuse the build plan of the previous package in
# that folder, and run its tests.
test_package() {
  PKG_CONFIG_PATH=$deps/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} \
    VBGFILTER_RUNTIME_DIR=$stage/lib/vbgfilter VBGFILTER_SAMPLE_DIR=$deps/sample \
    swift test --package-path "$1" --scratch-path "$deps/release-tests" --disable-xctest \
    --disable-build-manifest-caching --configuration release \
    -Xswiftc -enable-testing "${@:2}"
}
