#!/bin/sh
# Writes an MP4 with the original video and the result side by side.
#
#   side-by-side.sh INPUT OUTPUT.mp4 [PROPERTY=VALUE ...]
#
# PROPERTY is a property of vbgfilter, for example effect=blur.
set -eu
[ $# -ge 2 ] || { echo "usage: side-by-side.sh INPUT OUTPUT.mp4 [PROPERTY=VALUE ...]" >&2; exit 1; }
input=$1 output=$2
shift 2

# tee sends the same buffer to both branches. GStreamer's base class detects that the buffer is shared,
# and gives vbgfilter a writable copy.
exec gst-launch-1.0 -e \
  filesrc location="$input" ! decodebin ! videoconvert ! videoflip video-direction=auto ! videoscale ! \
  video/x-raw,format=NV12,width=640,height=360 ! tee name=frames \
  compositor name=both sink_0::xpos=0 sink_1::xpos=640 ! \
  video/x-raw,width=1280,height=360 ! videoconvert ! x264enc ! mp4mux ! filesink location="$output" \
  frames. ! queue ! both.sink_0 \
  frames. ! queue ! vbgfilter "$@" ! both.sink_1
