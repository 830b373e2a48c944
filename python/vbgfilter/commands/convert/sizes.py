"""Sizes of frames, which change in recordings of calls."""

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gi.repository import Gst

_VP8_KEY_FRAME = b"\x9d\x01\x2a"


class Size(NamedTuple):
    """The size of frames, and the width of their pixels by the height."""

    width: int
    height: int
    pixel: Fraction = Fraction(1)

    def as_caps(self) -> str:
        """The fields of caps."""
        pixel = f"{self.pixel.numerator}/{self.pixel.denominator}"
        return f"width={self.width}, height={self.height}, pixel-aspect-ratio={pixel}"


def size_of(caps: "Gst.Caps") -> Size | None:
    """The size that caps tell, if they do."""
    structure = caps.get_structure(0)
    has_width, width = structure.get_int("width")
    has_height, height = structure.get_int("height")
    has_pixel, *pixel = structure.get_fraction("pixel-aspect-ratio")
    if not (has_width and has_height):
        return None
    return Size(width, height, Fraction(*pixel) if has_pixel else Fraction(1))


def size_in_vp8(frame: bytes) -> Size | None:
    """The size that a key frame of VP8 tells: GStreamer has no parser, and caps only the first."""
    if len(frame) < 10 or frame[0] & 1 or frame[3:6] != _VP8_KEY_FRAME:
        return None
    # Above 14 bits there is a scale, which nobody uses.
    width, height = (int.from_bytes(frame[at : at + 2], "little") & 0x3FFF for at in (6, 8))
    return Size(width, height)
