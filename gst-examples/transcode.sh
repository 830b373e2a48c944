#!/bin/sh
# Replaces the background of a video file by a picture, and writes an MP4 with the sound, if any.
#
#   transcode.sh INPUT BACKGROUND OUTPUT.mp4
set -eu
[ $# -eq 3 ] || { echo "usage: transcode.sh INPUT BACKGROUND OUTPUT.mp4" >&2; exit 1; }
input=$1 background=$2 output=$3

has_sound() {
  gst-discoverer-1.0 "$1" 2>/dev/null | grep -q 'audio #'
}

# The queues are not leaky, because a file needs every frame. Each decoded stream has its own queue, so that
# a muxer that waits for one stream does not block the other.
#
# The sound bypasses vbgfilter, and its tags may contain a picture of the real background. audiomixer with
# one input passes the sound without the tags. Titles and similar tags come with the video.
if has_sound "$input"; then
  sound="decoded. ! queue ! audioconvert ! audiomixer ! audioconvert ! audioresample ! avenc_aac"
  sound="$sound ! queue ! muxer."
else
  sound=""
fi
# shellcheck disable=SC2086 # the branch for the sound is several words or empty
exec gst-launch-1.0 -e \
  filesrc location="$input" ! decodebin name=decoded \
  decoded. ! queue ! videoconvert ! videoflip video-direction=auto ! video/x-raw,format=NV12 ! \
  vbgfilter background-path="$background" quality=accurate ! \
  videoconvert ! x264enc speed-preset=veryfast ! queue ! mp4mux name=muxer ! \
  filesink location="$output" \
  $sound
