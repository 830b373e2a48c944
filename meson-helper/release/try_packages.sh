#!/bin/bash
# Tests packages. check-packages runs this script in a chroot with a Debian base system, from /tests:
#
#   try_packages.sh all                  installs and checks
#   try_packages.sh picture PROPERTY...  prints the SHA-256 of the element's output for the frames

set -uo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
export VBGFILTER_CACHE=0
failed=0

frames() {
  gst-launch-1.0 -q filesrc location="$here/person.nv12" ! \
    rawvideoparse format=nv12 width=512 height=512 framerate=30 ! "$@"
}

# Use one thread, because the order of a network's additions, and thus the rounding, depends on the threads.
picture() {
  frames vbgfilter threads=1 effect=color "$@" ! filesink location=/dev/stdout | sha256sum | cut -c 1-64
}

check_that() {
  local name=$1 log=/tmp/check.log began=$SECONDS
  shift
  if "$@" >"$log" 2>&1 </dev/null; then
    echo "passed: $name ($((SECONDS - began)) s)"
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
    tail -n 30 "$log" | sed 's/^/    /'
  fi
}

install() { apt-get install -q -y --no-install-recommends "$@"; }

is_version() {
  dpkg-query -W -f '${Package} ${Version}\n' 'gstreamer1.0-vbgfilter*' | tee /dev/stderr |
    awk -v want="$1" '$2 != "" && $2 != want { exit 1 }'
}

shows_itself() {
  local text
  text=$(gst-inspect-1.0 vbgfilter) || return 1
  grep -E '^ +(Version|Binary package|Origin URL) ' <<<"$text"
  grep -qE "^ +Version +$version\$" <<<"$text" && ! grep -q 'Unknown package' <<<"$text"
}

# same_picture QUALITY: compares the element's output with the output of the source build.
same_picture() {
  local found
  found=$(picture "quality=$1") || return 1
  echo "$found"
  [ "$found" = "$(cat "$here/$1.sha256")" ]
}

# Without the GPL package, the element must post a warning with the requested quality and the network in use.
# Its output must be the same as with quality=fast.
falls_back() {
  local found
  # With -q gst-launch-1.0 prints no warnings.
  gst-launch-1.0 filesrc location="$here/person.nv12" ! \
    rawvideoparse format=nv12 width=512 height=512 ! vbgfilter ! fakesink >/tmp/text 2>&1 || return 1
  cat /tmp/text
  grep -q '^WARNING: .*vbgfilter' /tmp/text || return 1
  grep -q 'quality=balanced .*selfie_segmentation.tflite is used' /tmp/text || return 1
  found=$(picture quality=balanced)
  [ "$found" = "$(cat "$here/fast.sha256")" ]
}

# refuses WORD PROPERTY...: checks that the stream ends with an error that contains WORD, without any frame.
refuses() {
  local word=$1
  shift
  rm -f /tmp/frames
  ! timeout -k 10 60 gst-launch-1.0 filesrc location="$here/person.nv12" ! \
    rawvideoparse format=nv12 width=512 height=512 ! vbgfilter "$@" ! \
    filesink location=/tmp/frames >/tmp/text 2>&1 || return 1
  cat /tmp/text
  grep -q "ERROR.*$word\|$word" /tmp/text && grep -q ERROR /tmp/text && [ ! -s /tmp/frames ]
}

filters_run() {
  local each
  for each in facesticker attendance 'swiftfilter filter=sepia' 'blur-room quality=fast'; do
    # shellcheck disable=SC2086 # an element with its property
    frames $each ! fakesink || return 1
  done
}

compiles_header() {
  install gcc libc6-dev libgstreamer1.0-dev || return 1
  printf '#include <vbgfilter/vbgmattemeta.h>\nint main (void) { return 0; }\n' >/tmp/matte.c
  # shellcheck disable=SC2046 # flags
  gcc -Wall -Werror /tmp/matte.c -o /tmp/matte $(pkg-config --cflags --libs vbgfilter)
}

# With GStreamer 1.26 or later, the element also outputs the matte as an analytics meta, and uses such masks.
analytics() {
  install python3-gst-1.0 gir1.2-gst-plugins-bad-1.0 gir1.2-gst-plugins-base-1.0 || return 1
  python3 "$here/try_analytics.py" "$here/person.nv12"
}

has_manuals() {
  [ -s /usr/share/man/man1/vbgfilter.1.gz ] && [ -s /usr/share/man/man7/vbgfilter.7.gz ]
}

is_gone() {
  local left
  apt-get purge -q -y '*vbgfilter*' || return 1
  left=$(find / -xdev \( -name '*vbgfilter*' -o -name 'libopenvino*' \) \
    ! -path "$here/*" ! -path '/var/log/*' ! -path '/tests/*')
  echo "$left"
  [ -z "$left" ] && ! gst-inspect-1.0 --exists vbgfilter
}

# Installs with the README's apt line, including all recommended packages.
installs_by_readme() {
  local line
  line=$(sed -n 's/^sudo apt install //p' "$here/README.md")
  # shellcheck disable=SC2086 # files and their patterns
  [ -n "$line" ] && cd -- "$here" && apt-get install -q -y $line
}

tarball_runs() {
  local tree text
  install xz-utils || return 1
  tar -C /opt -xf "$here"/vbgfilter-*.tar.xz && tree=$(echo /opt/vbgfilter-*) || return 1
  mv "$tree" /opt/moved && /opt/moved/install.sh && shows_itself && same_picture fast || return 1
  text=$(frames vbgfilter @preset=low-power ! fakesink 2>&1) && ! grep preset <<<"$text" || return 1
  /opt/moved/install.sh --remove && ! gst-inspect-1.0 --exists vbgfilter
}

# subcommands COMMAND: tries each subcommand, without a camera and a screen.
subcommands() {
  local each status=0
  rm -rf /tmp/clips /tmp/hidden
  mkdir /tmp/clips
  cp "$here/talk.mp4" /tmp/clips/
  for each in $("$1" --help | sed -n '/^Commands:/,$s/^  \([a-z]*\) .*/\1/p'); do
    "$1" "$each" --help >/dev/null || return 1
  done
  "$1" doctor --quick && "$1" convert "$here/talk.mp4" -o /tmp/hidden.mp4 --overwrite -q fast &&
    "$1" batch /tmp/clips /tmp/hidden -q fast -w 2 && [ -s /tmp/hidden/talk.mp4 ] || return 1
  "$1" camera --to window 2>/tmp/text || status=$?
  [ "$status" = 1 ] && grep 'no display' /tmp/text || return 1
  for each in studio app; do
    timeout --signal=INT 10 "$1" "$each" --json >/tmp/text || true
    grep '"address"' /tmp/text || return 1
  done
  "$1" control status 2>/tmp/text || grep 'no camera runs' /tmp/text
  installs_app "$1"
}

# installs_app COMMAND: tries the files of `camera --install`: the line of the menu's entry opens the app, and
# the unit's line starts the camera, which needs PipeWire. Neither sees this shell's variables.
installs_app() {
  local entry=/tmp/home/.local/share/applications/vbgfilter.desktop
  local unit=/tmp/home/.config/systemd/user/vbgfilter-camera.service
  local clean=(env -i HOME=/tmp/home "PATH=$PATH" LC_ALL=C.UTF-8)
  install gstreamer1.0-pipewire || return 1
  rm -rf /tmp/home
  mkdir /tmp/home
  "${clean[@]}" "$1" camera --background blue --to pipewire --install || return 1
  [ -e "$entry" ] || entry=/usr/share/applications/vbgfilter.desktop
  "${clean[@]}" timeout --signal=INT 20 sh -c "$(sed -n 's/^Exec=//p' "$entry") --json" >/tmp/text || true
  grep '"address"' /tmp/text || return 1
  ! "${clean[@]}" timeout 60 sh -c "$(sed -n 's/^ExecStart=//p' "$unit")" 2>/tmp/text || return 1
  cat /tmp/text
  # These are the user's files, which no removal of packages deletes.
  rm -r /tmp/home /tmp/vbgfilter-0 /tmp/clips /tmp/hidden /tmp/hidden.mp4
  grep 'systemctl --user start pipewire' /tmp/text
}

# Installs the command with its recommended packages, and the suggested ones for batch.
command_runs() {
  apt-get install -q -y "$here"/vbgfilter_*_all.deb && install python3-distributed python3-fsspec || return 1
  subcommands vbgfilter && [ -s /usr/share/applications/vbgfilter.desktop ]
}

wheel_runs() {
  install python3-venv python3-gi gir1.2-gst-plugins-base-1.0 || return 1
  python3 -m venv --system-site-packages /tmp/venv || return 1
  /tmp/venv/bin/pip install --quiet "$here"/vbgfilter-*[0-9]-py3-*.whl || return 1
  /tmp/venv/bin/python "$here/try_wheel.py" "$here/person.nv12" "$(cat "$here/fast.sha256")" &&
    /tmp/venv/bin/pip install --quiet "$(echo "$here"/vbgfilter-*[0-9]-py3-*.whl)[batch]" &&
    subcommands /tmp/venv/bin/vbgfilter
}

# Tests the wheel in a virtual environment without access to the system's packages.
wheel_builds_pygobject() {
  install python3-venv gcc pkg-config python3-dev libcairo2-dev libgirepository1.0-dev || return 1
  python3 -m venv /tmp/alone || return 1
  /tmp/alone/bin/pip install --quiet "$(echo "$here"/vbgfilter-*[0-9]-py3-*.whl)[gi]" || return 1
  /tmp/alone/bin/python "$here/try_wheel.py" "$here/person.nv12" "$(cat "$here/fast.sha256")"
}

# Tests the wheel without the GPL: it contains neither these weights nor the licence, and quality=balanced
# falls back to another network.
wheel_without_gpl() {
  /tmp/venv/bin/pip uninstall --quiet --yes vbgfilter || return 1
  /tmp/venv/bin/pip install --quiet "$here"/vbgfilter-*.gpl-py3-*.whl || return 1
  ! grep -rl 'GPL-3.0' /tmp/venv/lib/python3*/site-packages/vbgfilter* &&
    /tmp/venv/bin/python "$here/try_wheel.py" "$here/person.nv12" "$(cat "$here/fast.sha256")" balanced
}

all() {
  local main gpl gpu filters
  main=$(echo "$here"/gstreamer1.0-vbgfilter_*.deb)
  version=${main#*_}
  version=${version%%_*}
  gpl=$(echo "$here"/gstreamer1.0-vbgfilter-models-gpl_*.deb)
  gpu=$(echo "$here"/gstreamer1.0-vbgfilter-gpu_*.deb)
  filters=$(echo "$here"/gstreamer1.0-vbgfilter-filters_*.deb)
  apt-get update -q >/dev/null || exit 1
  check_that "installation" install gstreamer1.0-tools "$main"
  check_that "version and origin" shows_itself
  check_that "the picture of fast" same_picture fast
  check_that "balanced without the network under the GPL" falls_back
  check_that "GPU without its package" refuses gstreamer1.0-vbgfilter-gpu device=GPU
  check_that "AUTO without its package" refuses gstreamer1.0-vbgfilter-gpu device=AUTO
  check_that "a network that is not there" refuses nowhere.onnx model=/nowhere.onnx
  check_that "the other packages" install "$gpl" "$gpu" "$filters"
  check_that "the picture of balanced" same_picture balanced
  check_that "GPU on a machine without one" refuses 'device GPU cannot be used' device=GPU
  check_that "the further filters" filters_run
  check_that "the header, by pkg-config" compiles_header
  if gst-inspect-1.0 --version | grep -qE 'version 1\.(2[6-9]|[3-9])'; then
    check_that "GStreamer's analytics" analytics
  fi
  check_that "the command" command_runs
  check_that "removal" is_gone
  check_that "the version before" install "$here"/older/*.deb
  check_that "its number" is_version 0~before
  check_that "the upgrade" install "$main" "$gpl" "$gpu" "$filters" "$here"/vbgfilter_*_all.deb
  check_that "the new number" is_version "$version"
  check_that "the picture after the upgrade" same_picture fast
  check_that "removal after the upgrade" is_gone
  check_that "the README's apt line" installs_by_readme
  check_that "the README's pipelines" python3 -B "$here/try_readme.py"
  check_that "the manual pages" has_manuals
  check_that "removal after the README's line" is_gone
  check_that "the tarball" tarball_runs
  check_that "the wheel" wheel_runs
  check_that "the wheel without the GPL" wheel_without_gpl
  check_that "the wheel with PyGObject from its source" wheel_builds_pygobject
  [ "$failed" -eq 0 ]
}

"$@"
