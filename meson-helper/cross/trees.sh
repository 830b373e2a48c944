# Sourced after common.sh by what builds for arm64 on x86-64: trees of Debian's packages, which are
# unpacked and never installed. Debian sid alone has a Swift that serves, and for both machines.

cross=$root/.deps/cross
arm64_libraries=usr/lib/aarch64-linux-gnu
# sid for this machine: Swift's compiler, what it runs with, and a qemu that is quick at arm64.
compiler=$cross/compiler
# Debian 12 for arm64: what is built is linked with its libraries, and with sid's Swift runtime.
system=$cross/system
# sid's C and C++ libraries for arm64, without which Swift's shared libraries, and so tests, do not load.
newer=$cross/newer

# Where this machine loads Debian's packages from; where it is no Debian, VBGFILTER_DEBIAN_MIRROR says it.
debian_mirror() {
  local mirror=${VBGFILTER_DEBIAN_MIRROR-}
  [ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(REPO_URI)' \
    'Created-By: Packages' 'Label: Debian' | head -n 1)
  [ -n "$mirror" ] ||
    fail "apt here has no archive of Debian: name one in VBGFILTER_DEBIAN_MIRROR, up to and with /debian"
  say "$mirror"
}

# apt_of SUITE ARCHITECTURE COMMAND...: apt with lists of its own; this machine's stay as they are.
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

# unpack TREE FILE...: without what nobody reads there, and Swift's debugger and editor.
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

# unpack_suite TREE SUITE ARCHITECTURE PACKAGE...: packages with all that they depend on.
unpack_suite() {
  local tree=$1 suite=$2 architecture=$3
  shift 3
  apt_of "$suite" "$architecture" apt-get update -qq &&
    apt_of "$suite" "$architecture" apt-get install -qq --download-only "$@" >/dev/null &&
    unpack "$tree" "$cross/apt/$suite-$architecture"/archives/*.deb || return 1
  if [ "$tree" = "$system" ]; then record "$cross/apt/$suite-$architecture"/archives/*.deb; fi
  rm -f -- "$cross/apt/$suite-$architecture"/archives/*.deb
}

# record FILE...: a database of the system's packages as dpkg-shlibdeps reads it, with the tree's paths.
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

# Swift's runtime for arm64, linked and shared, without the compiler beside it in its package.
unpack_swift_runtime() {
  local folder=$cross/runtime
  mkdir -p -- "$folder"
  (cd -- "$folder" && apt_of sid arm64 apt-get download -qq swiftlang libswiftlang) || return 1
  unpack "$system" "$folder"/libswiftlang_*.deb &&
    dpkg-deb --fsys-tarfile "$folder"/swiftlang_*.deb | tar -C "$system" -x \
      ./usr/libexec/swift/lib/{swift,swift_static,clang} || return 1
  rm -rf -- "$folder"
  # Tests are linked with a library of which they use nothing, and which the package lacks.
  printf '!<arch>\n' >"$system/usr/libexec/swift/lib/swift/linux/lib_Testing_Foundation.a"
  # Where the compiler looks for it below the folder of a system.
  ln -s -- ../libexec/swift/lib/swift ../libexec/swift/lib/swift_static "$system/usr/lib/"
}

# The trees, unless they are there: 1.2 GB to load, 4 GB unpacked.
make_trees() {
  [ ! -e "$cross/complete" ] || return 0
  [ "$(uname -m)" = x86_64 ] || fail "the compiler for arm64 is one for x86-64"
  command -v apt-get dpkg-deb unshare >/dev/null ||
    fail "the compiler for arm64 and its libraries come as Debian's packages: this takes apt and dpkg"
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || install_packages debian-archive-keyring
  mirror=$(debian_mirror) || exit 1
  say "Unpacking Debian's Swift and libraries for arm64"
  rm -rf -- "$cross"
  # One is unpacked while the other is loaded.
  local unpacked=true others
  { unpack_suite "$system" bookworm arm64 gcc gstreamer1.0-plugins-base gstreamer1.0-tools \
    libgstreamer-plugins-base1.0-dev libgstreamer1.0-dev libstdc++-12-dev &&
    unpack_suite "$newer" sid arm64 libc6 libgcc-s1 libstdc++6 && unpack_swift_runtime; } &
  others=$!
  unpack_suite "$compiler" sid amd64 base-files bash coreutils libc6-dev libstdc++-16-dev pkgconf \
    qemu-user swiftlang || unpacked=false
  wait "$others" || unpacked=false
  "$unpacked" || fail "Debian's packages for arm64 could not be unpacked"
  # Links to libraries, from the root folder: without them static ones would be linked.
  find "$system" -type l -lname '/*' -printf '%l\0%p\0' |
    xargs -0 -n 2 sh -c 'ln -sfn -- "$0$1" "$2"' "$system"
  # Relative to the file, so that they name this tree's folders.
  sed -i 's|^prefix=/usr$|prefix=${pcfiledir}/../../..|' \
    "$system/$arm64_libraries"/pkgconfig/*.pc
  touch -- "$cross/complete"
}

# enter COMMAND...: runs it with the compiler's tree as the root folder, as a user's own root if need be.
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

# run_arm64 TREE COMMAND...: a program of arm64, emulated, with the libraries of a tree.
run_arm64() { "$compiler/usr/bin/qemu-aarch64" -L "$@"; }
