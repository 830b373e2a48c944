"""Scenes that cost more than a person in the light, made from NV12 frames of a person."""

import array

# The factor by which the light is dimmed.
DARKNESS = 8
BLACK, GREY = 16, 128
# An empty wall.
WALL = 90
LUMA_IN_THE_DARK = bytes(BLACK + max(code - BLACK, 0) // DARKNESS for code in range(256))
CHROMA_IN_THE_DARK = bytes(GREY + (code - GREY) // DARKNESS for code in range(256))


def dark(frame, width, height):
    """Returns the frame with less light."""
    luma = frame[: width * height].translate(LUMA_IN_THE_DARK)
    return luma + frame[width * height :].translate(CHROMA_IN_THE_DARK)


def two(frame, width, height):
    """Returns a frame with the person twice at half size, side by side at the bottom."""
    size = width * height
    planes = []
    # Chroma consists of pairs of Cb and Cr.
    for kind, plane, top in (("B", frame[:size], WALL), ("H", frame[size:], GREY)):
        lines = [plane[at : at + width] for at in range(0, len(plane), width)]
        halves = [array.array(kind, line)[::2].tobytes() for line in lines[::2]]
        planes.append(bytes([top]) * (len(plane) - 2 * sum(map(len, halves))))
        planes += [half * 2 for half in halves]
    return b"".join(planes)


def nobody(_frame, width, height):
    """Returns an empty wall."""
    return bytes([WALL]) * (width * height) + bytes([GREY]) * (width * height // 2)
