"""Uses the wheel like a program in Python, and compares the picture with the source build's.

    try_wheel.py FRAMES SHA256 [QUALITY]
"""

import hashlib
import pathlib
import sys

import vbgfilter

vbgfilter.enable()
# A second call does nothing.
vbgfilter.enable()
Gst = vbgfilter.Gst


def main():
    frames, sha256, quality = [*sys.argv[1:], "fast"][:3]
    output = pathlib.Path("/tmp/wheel.nv12")
    pipeline = Gst.parse_launch(
        f"filesrc location={frames} ! rawvideoparse format=nv12 width=512 height=512 framerate=30 "
        f"! vbgfilter quality={quality} threads=1 effect=color ! filesink location={output}")
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        60 * Gst.SECOND, Gst.MessageType.ERROR | Gst.MessageType.EOS)
    pipeline.set_state(Gst.State.NULL)
    if message is None or message.type == Gst.MessageType.ERROR:
        sys.exit(str(message and message.parse_error()))
    found = hashlib.sha256(output.read_bytes()).hexdigest()
    print(vbgfilter.__version__, found)
    sys.exit(found != sha256)


main()
