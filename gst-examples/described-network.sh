#!/bin/sh
# Runs a network for which vbgfilter has no built-in description, and writes an MP4. The description is
# a file next to the network.
#
#   described-network.sh INPUT OUTPUT.mp4 [NETWORK]
#
# The default NETWORK is the installed U-2-Netp. Another network must match the description below, or
# have a NETWORK.modelinfo next to it.
set -eu
[ $# -ge 2 ] || { echo "usage: described-network.sh INPUT OUTPUT.mp4 [NETWORK]" >&2; exit 1; }
input=$1 output=$2 network=${3:-}
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT

if [ -z "$network" ]; then
  plugin=$(gst-inspect-1.0 vbgfilter | sed -n 's/^ *Filename *//p')
  network=${VBGFILTER_RUNTIME_DIR:-${plugin%/*}/../vbgfilter}/models/u2netp.onnx
fi
# Copy the network to a writable folder, because the description must be next to it.
cp -- "$network" "$folder/network.onnx"
if [ -e "$network.modelinfo" ]; then
  cp -- "$network.modelinfo" "$folder/network.onnx.modelinfo"
else
  # The names in brackets are the names of the network's tensors.
  cat >"$folder/network.onnx.modelinfo" <<'END'
[modelinfo]
version=1.0

[input.1]
dir=input
type=float32
dims=1,3,320,320
mean=0.485,0.456,0.406
std=0.229,0.224,0.225
fit=stretch

[1959]
dir=output
type=float32
dims=1,1,320,320
values=probabilities
END
fi

gst-launch-1.0 -e \
  filesrc location="$input" ! decodebin ! videoconvert ! videoflip video-direction=auto ! videoscale ! \
  video/x-raw,format=NV12,width=640,height=360 ! \
  vbgfilter model="$folder/network.onnx" effect=blur target-fps=8 ! \
  videoconvert ! x264enc speed-preset=veryfast ! mp4mux ! filesink location="$output"
