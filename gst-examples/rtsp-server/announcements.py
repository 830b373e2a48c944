"""Reads the announcements of clients that push media."""

from collections.abc import Callable

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
gi.require_version("GstSdp", "1.0")
from gi.repository import GstRtsp, GstRtspServer, GstSdp  # noqa: E402


class Announcements(GstRtspServer.RTSPAuth):
    """Reads the kinds of a client's media before gst-rtsp-server creates the receiving pipeline.

    This class is an RTSPAuth because no other handler is called early enough. It permits all
    requests.
    """

    def __init__(self, tell: Callable[[str, list[str]], None]) -> None:
        super().__init__()
        self._tell = tell

    def do_check(self, context: GstRtspServer.RTSPContext, _what: str) -> bool:
        if context.method == GstRtsp.RTSPMethod.ANNOUNCE and context.uri is not None:
            self._tell(context.uri.abspath, _kinds(context.request))
        return True


def _kinds(request: GstRtsp.RTSPMessage) -> list[str]:
    """Returns the kinds of the media in a request's session description, in order."""
    result, body = request.get_body()
    text = body.decode(errors="replace") if result == GstRtsp.RTSPResult.OK and body else ""
    result, found = GstSdp.SDPMessage.new_from_text(text)
    if result != GstSdp.SDPResult.OK:
        return []
    return [found.get_media(index).media for index in range(found.medias_len())]
