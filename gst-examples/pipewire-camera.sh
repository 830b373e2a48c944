#!/bin/sh
# Provides a virtual camera with a hidden background through PipeWire. It needs no kernel module, and the
# desktop's portal can supply the real camera.
#
#   pipewire-camera.sh [BACKGROUND]          default: blur
#
# Needs the package gstreamer1.0-pipewire. Applications list the virtual camera as "vbgfilter". With
# PipeWire 1.4 this script ends when the last application disconnects. `vbgfilter camera --to pipewire`
# keeps running.
set -eu
if [ $# -gt 0 ]; then set -- background-path="$1"; fi
# The elements have the version of PipeWire, not of GStreamer.
gst-inspect-1.0 --exists --atleast-version=0.1 pipewiresink || {
  echo "GStreamer's PipeWire elements are missing: install gstreamer1.0-pipewire" >&2
  exit 1
}

# Without the filter for cameras' formats, PipeWire's source never negotiates with decodebin.
exec gst-launch-1.0 -e \
  pipewiresrc ! capsfilter caps="video/x-raw; image/jpeg; video/x-h264" ! \
  decodebin ! videoconvert ! video/x-raw,format=NV12 ! \
  queue leaky=downstream max-size-buffers=2 ! \
  vbgfilter "$@" ! queue ! videoconvert ! \
  pipewiresink mode=provide \
  stream-properties="properties,media.class=Video/Source,media.role=Camera,node.name=vbgfilter,node.description=vbgfilter"
