# The paths of the project, and functions that the scripts share. The scripts in this folder source this file.

set -euo pipefail

helper=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=${helper%/*}
deps=$root/.deps
# The machine for which to build, by default this one. If VBGFILTER_MACHINE names another machine, its builds
# use a separate folder and Debian's compiler. Builds of filter packages use the compiler in SWIFT.
machine=${VBGFILTER_MACHINE:-$(uname -m)}
if [ "$machine" != "$(uname -m)" ]; then
  deps=$deps/$machine
  export VBGFILTER_MACHINE=$machine SWIFT=$helper/cross/swift
fi
swift=${SWIFT:-swift}
stage=$deps/stage
tools=$root/tools
plugin=$stage/lib/gstreamer-1.0/libgstvbgfilter.so

# The system's Python, which has python3-gi and python3-pip.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

program=$(basename -- "$0")

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s: %s\n' "$program" "$*" >&2
  exit 1
}

# run_package NAME[.MODULE] ARGUMENT...: runs a Python package of this folder.
run_package() {
  export PYTHONPATH=$helper${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1
  exec "$python" -s -m "$@"
}

# The Python path of the packaging libraries, after `fetch.py DEPENDENCIES packaging`.
packaging_path=$deps/python/setuptools
for each in cyclonedx-python-lib boolean-py defusedxml license-expression packageurl-python \
  py-serializable sortedcontainers typing-extensions; do
  packaging_path=$packaging_path:$deps/python/$each
done

# fails_in_time SECONDS COMMAND...: whether a command ends with an error of its own. Kills it with its children
# after the time, which is not such an error.
fails_in_time() {
  local status=0
  timeout -k 10 "$@" || status=$?
  case $status in 0 | 124 | 137) return 1 ;; esac
}

# Prints the help of a script, which is its first comment.
print_help() { sed -n '1d; /^#/!q; s/^# \{0,1\}//p' "$0"; }

# Prints the usage text from a program's Swift source, which works before the program is built.
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

# take_no_arguments "$@": for scripts with --help as the only option.
take_no_arguments() {
  [ $# -gt 0 ] || return 0
  asks_for_help "$@" || refuse_argument "$1"
  print_help
  exit
}

# The folders of SwiftPM and Meson contain absolute paths of the sources. In a copied or moved tree they
# would use sources elsewhere or fail, so delete them.
drop_builds_of_another_place() {
  local each
  for each in "$deps"/*/{debug,release}.yaml "$deps"/*/build.ninja; do
    [ -e "$each" ] || continue
    # Both make a file with paths of the sources or the scripts.
    grep -qF -e "$root/Sources/" -e "$helper/" -- "$each" && continue
    say "$(basename -- "${each%/*}") was built in another folder: it will be rebuilt"
    rm -rf -- "${each%/*}"
  done
}

# Linker options that remove the symbols.
symbol_options=(-Xlinker -s)

# build_product NAME [PACKAGE]: builds a release of a product, by default of the main package.
#
# All products share flags and build folder. Otherwise SwiftPM would compile everything again. `swift test`
# does not use -static-stdlib, because test bundles do not link with it. The loader binds imports at once and
# then makes them read-only. Builds are not incremental: otherwise the library would contain hashes of modules,
# which depend on the folder.
build_product() {
  PKG_CONFIG_PATH=$deps/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} \
    "$swift" build --package-path "${2:-$root}" --scratch-path "$deps/build" \
    --configuration release --product "$1" \
    -Xswiftc -static-stdlib -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
    -Xlinker --version-script="$helper/setup/exports.map" -Xlinker -soname="${plugin##*/}" "${symbol_options[@]}" \
    -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now </dev/null 2>&1 |
    # Hide the warning about -pthread in GStreamer's .pc files: SwiftPM rejects it, and glibc does not need it.
    { grep -v 'prohibited flag(s): -pthread' || true; }
}

# install_packages NAME...: installs packages with apt-get, as root or with sudo without a password.
install_packages() {
  local as_root=()
  if ! command -v apt-get >/dev/null; then
    say "This system has no apt-get. Please install these packages: $*" >&2
    return 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      say "Installing system packages requires root. Please run this, then run $program again:" >&2
      say "  sudo apt-get update && sudo apt-get install -y $*" >&2
      return 1
    fi
    as_root=(sudo -n)
  fi
  say "Installing system packages: $*"
  "${as_root[@]}" apt-get update -q </dev/null &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends "$@" </dev/null && return 0
  say "apt-get could not install them: see its messages above." >&2
  return 1
}

# test_package FOLDER ARGUMENT...: builds and runs the tests of a package. The code is optimised as in
# releases. All packages are built in one folder with the same flags, so that each target is compiled only
# once. Manifest caching is disabled. Otherwise SwiftPM would reuse the build plan of the previous package in
# that folder and run the tests of that package.
test_package() {
  PKG_CONFIG_PATH=$deps/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} \
    VBGFILTER_RUNTIME_DIR=$stage/lib/vbgfilter VBGFILTER_SAMPLE_DIR=$deps/sample \
    swift test --package-path "$1" --scratch-path "$deps/release-tests" --disable-xctest \
    --disable-build-manifest-caching --configuration release \
    -Xswiftc -enable-testing "${@:2}"
}
