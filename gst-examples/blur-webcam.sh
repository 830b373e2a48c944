#!/bin/sh
# Blurs the room behind you and shows the picture in a window.
#
#   blur-webcam.sh [DEVICE]          DEVICE: /dev/video0 unless told otherwise
set -eu
device=${1:-/dev/video0}

# videoconvert brings whatever the camera gives (YUY2, MJPEG after decodebin, ...) to NV12, which is
# what vbgfilter works on. The queue lets camera and effect run on threads of their own and drops
# old frames rather than fall behind.
exec gst-launch-1.0 -e \
  v4l2src device="$device" ! decodebin ! videoconvert ! video/x-raw,format=NV12 ! \
  queue leaky=downstream max-size-buffers=2 ! \
  vbgfilter effect=blur blur-radius=12 ! \
  videoconvert ! autovideosink sync=false
