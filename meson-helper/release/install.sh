#!/bin/sh
# Makes the element of this tree known to GStreamer for the user who runs it, without root:
#
#   install.sh             links the plugins into ~/.local/share/gstreamer-1.0/plugins
#   install.sh --remove    takes the links away
#
# The tree stays where it is, and can be moved before this is run. For one shell alone set
# GST_PLUGIN_PATH to its folder lib/gstreamer-1.0 instead.
set -eu

tree=$(cd -- "$(dirname -- "$0")" && pwd -P)
plugins=${XDG_DATA_HOME:-$HOME/.local/share}/gstreamer-1.0/plugins

case ${1:-} in
  "") ;;
  --remove)
    for file in "$tree"/lib/gstreamer-1.0/*.so; do
      link=$plugins/${file##*/}
      if [ "$(readlink -- "$link" || true)" = "$file" ]; then rm -- "$link"; fi
    done
    echo "Removed the links in $plugins"
    exit
    ;;
  *)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

mkdir -p -- "$plugins"
for file in "$tree"/lib/gstreamer-1.0/*.so; do
  link=$plugins/${file##*/}
  if [ -e "$link" ] && [ ! -L "$link" ]; then
    echo "install.sh: $link is there already and no link: remove it first" >&2
    exit 1
  fi
  ln -sfn -- "$file" "$link"
done
echo "Linked into $plugins"
command -v gst-inspect-1.0 >/dev/null ||
  echo "GStreamer's tools are not installed: see gst-launch-1.0 in your distribution"
