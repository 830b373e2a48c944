#!/bin/sh
# Before and after, side by side, as an MP4: what the camera saw, and what goes out.
#
#   side-by-side.sh INPUT OUTPUT.mp4 [vbgfilter properties, effect=blur for example]
set -eu
[ $# -ge 2 ] || { echo "usage: side-by-side.sh INPUT OUTPUT.mp4 [PROPERTY=VALUE ...]" >&2; exit 1; }
input=$1 output=$2
shift 2

# tee hands the same buffer to both branches; vbgfilter gets a copy to write on, because
# GStreamer's base class sees that the buffer is shared.
exec gst-launch-1.0 -e \
  filesrc location="$input" ! decodebin ! videoconvert ! videoflip video-direction=auto ! videoscale ! \
  video/x-raw,format=NV12,width=640,height=360 ! tee name=frames \
  compositor name=both sink_0::xpos=0 sink_1::xpos=640 ! \
  video/x-raw,width=1280,height=360 ! videoconvert ! x264enc ! mp4mux ! filesink location="$output" \
  frames. ! queue ! both.sink_0 \
  frames. ! queue ! vbgfilter "$@" ! both.sink_1
