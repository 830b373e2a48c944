#!/bin/sh
# Composites the person of one video over another video, and writes an MP4.
#
#   live-background.sh INPUT BACKGROUND OUTPUT.mp4
#
# INPUT can be any file that GStreamer can play. For a camera, replace its filesrc by v4l2src. The output
# is as long as the longer input.
set -eu
[ $# -eq 3 ] || { echo "usage: live-background.sh INPUT BACKGROUND OUTPUT.mp4" >&2; exit 1; }

# compositor accepts alpha, so vbgfilter negotiates a format with alpha.
exec gst-launch-1.0 -e \
  compositor name=both sink_0::zorder=0 sink_1::zorder=1 ! \
  video/x-raw,width=640,height=360 ! videoconvert ! x264enc ! mp4mux ! filesink location="$3" \
  filesrc location="$2" ! decodebin ! videoconvert ! videoflip video-direction=auto ! videoscale ! videorate ! \
  video/x-raw,width=640,height=360,framerate=30/1 ! queue ! both.sink_0 \
  filesrc location="$1" ! decodebin ! videoconvert ! videoflip video-direction=auto ! videoscale ! videorate ! \
  video/x-raw,format=NV12,width=640,height=360,framerate=30/1 ! queue ! \
  vbgfilter effect=transparent ! both.sink_1
