"""Frame sizes. They may change within a file, for example in recordings of video calls."""

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gi.repository import Gst

_VP8_KEY_FRAME = b"\x9d\x01\x2a"


class Size(NamedTuple):
    """The size of a frame, and its pixel aspect ratio."""

    width: int
    height: int
    pixel: Fraction = Fraction(1)

    def as_caps(self) -> str:
        """Returns the fields of caps for this size."""
        pixel = f"{self.pixel.numerator}/{self.pixel.denominator}"
        return f"width={self.width}, height={self.height}, pixel-aspect-ratio={pixel}"


def size_of(caps: "Gst.Caps") -> Size | None:
    """Returns the size in caps, or None if they have no size."""
    structure = caps.get_structure(0)
    has_width, width = structure.get_int("width")
    has_height, height = structure.get_int("height")
    has_pixel, *pixel = structure.get_fraction("pixel-aspect-ratio")
    if not (has_width and has_height):
        return None
    return Size(width, height, Fraction(*pixel) if has_pixel else Fraction(1))


def size_in_vp8(frame: bytes) -> Size | None:
    """Returns the size in the header of a VP8 key frame, or None for other frames.

    GStreamer 1.22 has no VP8 parser, so caps do not report changes of the size.
    """
    if len(frame) < 10 or frame[0] & 1 or frame[3:6] != _VP8_KEY_FRAME:
        return None
    # The upper two bits are a scale, which decoders ignore.
    width, height = (int.from_bytes(frame[at : at + 2], "little") & 0x3FFF for at in (6, 8))
    return Size(width, height)
