#!/bin/sh
# Creates a sticker from a photo: only the person, upright, as a PNG with alpha.
#
#   sticker.sh PHOTO STICKER.png [PROPERTY=VALUE ...]
#
# PROPERTY is a property of vbgfilter, for example matte-grow=-1.
set -eu
[ $# -ge 2 ] || { echo "usage: sticker.sh PHOTO STICKER.png [PROPERTY=VALUE ...]" >&2; exit 1; }
photo=$1 sticker=$2
shift 2

# jpegparse reads the photo's orientation, but decodebin uses jpegparse only if its rank is raised.
# videoflip rotates the photo, because pngenc does not store the orientation.
export GST_PLUGIN_FEATURE_RANK="jpegparse:MAX${GST_PLUGIN_FEATURE_RANK:+,$GST_PLUGIN_FEATURE_RANK}"
# pngenc accepts RGBA, so vbgfilter negotiates a format with alpha through videoconvert.
exec gst-launch-1.0 filesrc location="$photo" ! decodebin ! videoconvert ! \
  videoflip video-direction=auto ! video/x-raw,format=NV12 ! vbgfilter effect=transparent quality=accurate "$@" ! \
  videoconvert ! pngenc ! filesink location="$sticker"
