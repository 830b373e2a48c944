#!/bin/sh
# Provides a virtual camera with a hidden background through v4l2loopback.
#
#   virtual-camera.sh BACKGROUND [CAMERA [LOOPBACK]]
#
# Run this once per boot, as root:
#   modprobe v4l2loopback devices=1 video_nr=10 card_label="vbgfilter" exclusive_caps=1
set -eu
background=${1:?"usage: virtual-camera.sh BACKGROUND [CAMERA [LOOPBACK]]"}
camera=${2:-/dev/video0}
loopback=${3:-/dev/video10}
[ -e "$loopback" ] || {
  echo "$loopback does not exist: load the module v4l2loopback, see the top of this file" >&2
  exit 1
}

# Most browsers and video call programs expect YUY2 from a camera.
exec gst-launch-1.0 -e \
  v4l2src device="$camera" ! decodebin ! videoconvert ! video/x-raw,format=NV12 ! \
  queue leaky=downstream max-size-buffers=2 ! \
  vbgfilter background-path="$background" ! \
  videoconvert ! video/x-raw,format=YUY2 ! v4l2sink device="$loopback" sync=false
