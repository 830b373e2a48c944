#!/bin/sh
# Blurs the background of a camera's picture and shows the result in a window.
#
#   blur-webcam.sh [DEVICE]          default: /dev/video0
set -eu
device=${1:-/dev/video0}

# videoconvert converts the camera's format (YUY2, decoded MJPEG, ...) to NV12, the format of vbgfilter.
# The queue runs camera and effect on separate threads. It drops old frames, so that the output never
# lags behind.
exec gst-launch-1.0 -e \
  v4l2src device="$device" ! decodebin ! videoconvert ! video/x-raw,format=NV12 ! \
  queue leaky=downstream max-size-buffers=2 ! \
  vbgfilter effect=blur blur-radius=12 ! \
  videoconvert ! autovideosink sync=false
