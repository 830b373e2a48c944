"""Checks the studio's requirements. After that, the other modules can import them."""

from vbgfilter.commands import gstreamer
from vbgfilter.commands.errors import NOT_INSTALLED, Failure, missing

_NEEDED = (
    "webrtcbin nicesrc nicesink dtlsenc srtpenc rtpbin vp8enc vp8dec rtpvp8pay rtpvp8depay "
    "deinterlace videoflip videoconvert videoscale decodebin"
).split()
_OLDEST_GSTREAMER = (1, 22)


def check_installed() -> None:
    """Raises Failure with the name of the package if something is missing or too old."""
    gst = gstreamer.start()
    import gi

    try:
        for name in ("GstBase", "GstSdp", "GstWebRTC"):
            gi.require_version(name, "1.0")
        from gi.repository import GstBase, GstSdp, GstWebRTC  # noqa: F401
    except (ImportError, ValueError) as error:
        what = f"GStreamer's introspection data for WebRTC ({error})"
        raise missing(what, apt="gir1.2-gst-plugins-bad-1.0") from error
    if gst.version()[:2] < _OLDEST_GSTREAMER:
        text = f"vbgfilter studio needs GStreamer 1.22 or newer, not {gst.version_string()}"
        raise Failure(text, NOT_INSTALLED)
    for factory in _NEEDED:
        if not gstreamer.has(factory):
            what = f"GStreamer's element {factory}"
            raise missing(what, apt=gstreamer.package_of(factory))
