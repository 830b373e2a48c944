#!/bin/sh
# Registers the element of this tree with GStreamer for the current user, without root:
#
#   install.sh             links plugins and presets into ~/.local/share/gstreamer-1.0
#   install.sh --remove    removes the links
#
# Move the tree to its final place before you run this script. To use the element in only one shell, set
# GST_PLUGIN_PATH to the tree's lib/gstreamer-1.0 and GST_PRESET_PATH to its share/gstreamer-1.0/presets.
set -eu

tree=$(cd -- "$(dirname -- "$0")" && pwd -P)
data=${XDG_DATA_HOME:-$HOME/.local/share}/gstreamer-1.0

# for_each COMMAND: calls COMMAND with each file and the path of its link. If the user has saved presets, these
# stay: GStreamer reads only one preset file of the user. With GST_PRESET_PATH, it also reads ours.
for_each() {
  for file in "$tree"/lib/gstreamer-1.0/*.so; do "$1" "$file" "$data/plugins/${file##*/}"; done
  file=$tree/share/gstreamer-1.0/presets/GstVBGFilter.prs
  link=$data/presets/GstVBGFilter.prs
  if [ -L "$link" ] || [ ! -e "$link" ]; then "$1" "$file" "$link"; fi
}

refuse_others() {
  if [ -e "$2" ] && [ ! -L "$2" ]; then
    echo "install.sh: $2 already exists and is not a link: remove it first" >&2
    exit 1
  fi
}

add_link() {
  mkdir -p -- "${2%/*}"
  ln -sfn -- "$1" "$2"
}

remove_link() {
  if [ "$(readlink -- "$2" || true)" = "$1" ]; then rm -- "$2"; fi
}

case ${1:-} in
  "") ;;
  --remove)
    for_each remove_link
    echo "Removed the links in $data"
    exit
    ;;
  *)
    sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

for_each refuse_others
for_each add_link
echo "Linked into $data"
command -v gst-inspect-1.0 >/dev/null ||
  echo "GStreamer's tools are not installed: see gst-launch-1.0 in your distribution"
