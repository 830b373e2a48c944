# Functions for trees of unpacked Debian packages, which are needed to build for arm64 on x86-64. Source this
# file after common.sh. Only Debian sid has a suitable Swift package for both machines.

cross=$root/.deps/cross
arm64_libraries=usr/lib/aarch64-linux-gnu
# sid for this machine: Swift's compiler with its libraries, and a fast qemu for arm64.
compiler=$cross/compiler
# Debian 12 for arm64. The results link with its libraries, and with sid's Swift runtime.
system=$cross/system
# sid's C and C++ libraries for arm64. Swift's shared libraries, and so the tests, need them.
newer=$cross/newer

# Prints this machine's Debian mirror. On other systems set VBGFILTER_DEBIAN_MIRROR.
debian_mirror() {
  local mirror=${VBGFILTER_DEBIAN_MIRROR-}
  [ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(REPO_URI)' \
    'Created-By: Packages' 'Label: Debian' | head -n 1)
  [ -n "$mirror" ] ||
    fail "apt on this machine has no Debian archive: set VBGFILTER_DEBIAN_MIRROR to one, with /debian at its end"
  say "$mirror"
}

# apt_of SUITE ARCHITECTURE COMMAND...: runs apt with package lists that are separate from this machine's.
apt_of() {
  local folder=$cross/apt/$1-$2 suite=$1 architecture=$2
  shift 2
  mkdir -p -- "$folder/lists/partial" "$folder/archives/partial"
  : >"$folder/status"
  printf 'deb [signed-by=%s] %s %s main\n' /usr/share/keyrings/debian-archive-keyring.gpg \
    "$mirror" "$suite" >"$folder/sources.list"
  printf '%s "%s";\n' APT::Architecture "$architecture" APT::Architectures "$architecture" \
    APT::Install-Recommends false APT::Sandbox::User "$(id -un)" Acquire::Languages none \
    Dir::State "$folder" Dir::State::status "$folder/status" Dir::Cache "$folder" \
    Dir::Etc::sourcelist "$folder/sources.list" Dir::Etc::sourceparts /dev/null \
    Dir::Etc::preferencesparts /dev/null >"$folder/apt.conf"
  APT_CONFIG=$folder/apt.conf "$@"
}

# unpack TREE FILE...: unpacks packages, without documentation and without Swift's debugger and editor support.
unpack() {
  local tree=$1 each
  shift
  mkdir -p -- "$tree"/usr/{bin,sbin,lib,lib64}
  for each in bin sbin lib lib64; do ln -sfn -- "usr/$each" "$tree/$each"; done
  for each; do
    dpkg-deb --fsys-tarfile "$each" | tar -C "$tree" -x --keep-directory-symlink \
      --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' \
      --exclude='*lldb*' --exclude='*/bin/clangd' --exclude='*/bin/docc' --exclude='*/bin/wasmkit' \
      --exclude='*/bin/sourcekit-lsp' --exclude='*/bin/swift-format' --exclude='*/lib/libLTO*' ||
      return 1
  done
}

# unpack_suite TREE SUITE ARCHITECTURE PACKAGE...: unpacks packages with all their dependencies.
unpack_suite() {
  local tree=$1 suite=$2 architecture=$3
  shift 3
  apt_of "$suite" "$architecture" apt-get update -qq &&
    apt_of "$suite" "$architecture" apt-get install -qq --download-only "$@" >/dev/null &&
    unpack "$tree" "$cross/apt/$suite-$architecture"/archives/*.deb || return 1
  if [ "$tree" = "$system" ]; then record "$cross/apt/$suite-$architecture"/archives/*.deb; fi
  rm -f -- "$cross/apt/$suite-$architecture"/archives/*.deb
}

# record FILE...: writes a package database for dpkg-shlibdeps, with the paths of the tree.
record() {
  local each name file info=$cross/dpkg/info control=$cross/dpkg/control
  mkdir -p -- "$info"
  printf '1\n' >"$info/format"
  for each; do
    name=$(dpkg-deb --field "$each" Package)
    dpkg-deb --field "$each" >>"$cross/dpkg/status" &&
      printf 'Status: install ok installed\n\n' >>"$cross/dpkg/status" || return 1
    [ "$(dpkg-deb --field "$each" Multi-Arch)" != same ] || name=$name:arm64
    dpkg-deb --fsys-tarfile "$each" | tar -t |
      sed -e 's|/$||' -e 's|^\./lib/|./usr/lib/|' -e "s|^\.|$system|" >"$info/$name.list" &&
      dpkg-deb --control "$each" "$control" || return 1
    for file in shlibs symbols; do
      [ ! -e "$control/$file" ] || cp -- "$control/$file" "$info/$name.$file"
    done
    rm -rf -- "$control"
  done
}

# Unpacks Swift's runtime for arm64, static and shared, without the compiler of the same package.
unpack_swift_runtime() {
  local folder=$cross/runtime
  mkdir -p -- "$folder"
  (cd -- "$folder" && apt_of sid arm64 apt-get download -qq swiftlang libswiftlang) || return 1
  unpack "$system" "$folder"/libswiftlang_*.deb &&
    dpkg-deb --fsys-tarfile "$folder"/swiftlang_*.deb | tar -C "$system" -x \
      ./usr/libexec/swift/lib/{swift,swift_static,clang} || return 1
  rm -rf -- "$folder"
  # Tests link with this library without using it, and the package lacks it.
  printf '!<arch>\n' >"$system/usr/libexec/swift/lib/swift/linux/lib_Testing_Foundation.a"
  # The compiler looks for the runtime in this folder of a system.
  ln -s -- ../libexec/swift/lib/swift ../libexec/swift/lib/swift_static "$system/usr/lib/"
}

# Creates the trees unless they exist. This downloads 1.2 GB, and the trees take 4 GB.
make_trees() {
  [ ! -e "$cross/complete" ] || return 0
  [ "$(uname -m)" = x86_64 ] || fail "the compiler for arm64 requires an x86-64 machine"
  command -v apt-get dpkg-deb unshare >/dev/null ||
    fail "the compiler for arm64 and its libraries are Debian packages, which require apt and dpkg"
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || install_packages debian-archive-keyring
  mirror=$(debian_mirror) || exit 1
  say "Unpacking Debian's Swift and libraries for arm64"
  rm -rf -- "$cross"
  # Unpack one tree while the other one is downloaded.
  local unpacked=true others
  { unpack_suite "$system" bookworm arm64 gcc gstreamer1.0-plugins-base gstreamer1.0-tools \
    libgstreamer-plugins-base1.0-dev libgstreamer1.0-dev libstdc++-12-dev &&
    unpack_suite "$newer" sid arm64 libc6 libgcc-s1 libstdc++6 && unpack_swift_runtime; } &
  others=$!
  unpack_suite "$compiler" sid amd64 base-files bash coreutils libc6-dev libstdc++-16-dev pkgconf \
    qemu-user swiftlang || unpacked=false
  wait "$others" || unpacked=false
  "$unpacked" || fail "Debian's packages for arm64 could not be unpacked"
  # Fix absolute links to libraries. Otherwise static libraries would be linked.
  find "$system" -type l -lname '/*' -printf '%l\0%p\0' |
    xargs -0 -n 2 sh -c 'ln -sfn -- "$0$1" "$2"' "$system"
  # Make the paths relative to the file, so that they point into this tree.
  sed -i 's|^prefix=/usr$|prefix=${pcfiledir}/../../..|' \
    "$system/$arm64_libraries"/pkgconfig/*.pc
  touch -- "$cross/complete"
}

# enter COMMAND...: runs a command with the compiler's tree as root folder, in a user namespace if necessary.
enter() {
  local who=()
  [ "$(id -u)" -eq 0 ] || who=(--map-root-user)
  unshare --mount "${who[@]}" --propagation private bash -c '
    tree=$1 root=$2; shift 2
    for each in /dev /proc /tmp "$root"; do
      mkdir -p -- "$tree$each" && mount --rbind -- "$each" "$tree$each" || exit 1
    done
    exec chroot "$tree" env --ignore-environment --chdir="$root" LC_ALL=C.UTF-8 "$@"' \
    enter "$compiler" "$root" HOME="$cross/home" PATH=/usr/libexec/swift/bin:/usr/bin \
    PKG_CONFIG_PATH="${PKG_CONFIG_PATH:+$PKG_CONFIG_PATH:}$system/$arm64_libraries/pkgconfig" \
    VBGFILTER_MACHINE=aarch64 VBGFILTER_TEST_TARGETS="${VBGFILTER_TEST_TARGETS-}" "$@"
}

# run_arm64 TREE COMMAND...: runs an arm64 program in emulation, with the libraries of a tree.
run_arm64() { "$compiler/usr/bin/qemu-aarch64" -L "$@"; }
