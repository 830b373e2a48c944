"""Joins pictures into an animated WebP that repeats forever.

    join_webp.py MILLISECONDS OUTPUT.webp PICTURE.webp ...

Each picture is shown for MILLISECONDS. All pictures must be lossy WebP and have the same size.
GStreamer's webpenc writes such pictures, but no animations.
"""

import pathlib
import struct
import sys

ANIMATION = 0x02  # the flag of the header VP8X


def chunk(name, content):
    """Returns a chunk of a RIFF file."""
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def uint24(number):
    return struct.pack("<I", number)[:3]


def frame_of(picture):
    """Returns the chunk `VP8 ` of a picture, and its size."""
    if picture[:4] != b"RIFF" or picture[8:16] != b"WEBPVP8 ":
        raise ValueError("not a simple lossy WebP")
    length = struct.unpack("<I", picture[16:20])[0]
    content = picture[20:20 + length]
    if content[3:6] != b"\x9d\x01\x2a":
        raise ValueError("not a VP8 key frame")
    width, height = (size & 0x3FFF for size in struct.unpack("<HH", content[6:10]))
    return chunk(b"VP8 ", content), (width, height)


def join(pictures, milliseconds):
    """Returns the bytes of the animation."""
    frames = [frame_of(each) for each in pictures]
    if not frames or any(size != frames[0][1] for _, size in frames):
        raise ValueError("the pictures must have the same size")
    size = b"".join(uint24(each - 1) for each in frames[0][1])
    chunks = chunk(b"VP8X", bytes([ANIMATION, 0, 0, 0]) + size)
    chunks += chunk(b"ANIM", struct.pack("<IH", 0, 0))
    for content, _ in frames:
        # At the top left, over the previous picture.
        chunks += chunk(b"ANMF", bytes(6) + size + uint24(milliseconds) + b"\x02" + content)
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WEBP" + chunks


def main(arguments):
    if len(arguments) < 3:
        sys.exit(__doc__)
    pictures = [pathlib.Path(each).read_bytes() for each in arguments[2:]]
    pathlib.Path(arguments[1]).write_bytes(join(pictures, int(arguments[0])))


if __name__ == "__main__":
    main(sys.argv[1:])
