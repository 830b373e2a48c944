"""One direction of the video between page and server: a webrtcbin and its signalling."""

import ctypes
from collections.abc import Callable
from typing import Any

from gi.repository import Gst, GstSdp, GstWebRTC

from vbgfilter.commands import gstreamer

# The wait for late packets in milliseconds. The network between page and server is fast.
_LATENCY_MS = 20

Tell = Callable[[dict[str, Any]], None]


class Link:
    """A peer connection for one video. ``name`` is ``up`` (from the page) or ``down``.

    ``tell`` receives the messages for the page, on GStreamer's threads.

    The page's ICE candidates are ignored: the page connects to the server's candidates. So a page
    cannot make the server send packets to other machines.
    """

    def __init__(self, name: str, addresses: list[str], tell: Tell) -> None:
        self.name = name
        self._tell = tell
        self.element = gstreamer.make("webrtcbin", name)
        self.element.set_property("bundle-policy", "max-bundle")
        self.element.set_property("latency", _LATENCY_MS)
        self._handlers: list[int] = []
        _configure(self.element, addresses)
        self.connect("on-ice-candidate", self._on_candidate)
        if name == "down":
            self.connect("on-negotiation-needed", self._on_negotiation_needed)

    def connect(self, signal: str, handler: Callable[..., None], *data: Any) -> None:
        """Connects a handler to a signal of the element. ``close`` disconnects it."""
        self._handlers.append(self.element.connect(signal, handler, *data))

    def close(self) -> None:
        """Disconnects all handlers. Otherwise they would keep this object and the element alive."""
        for handler in self._handlers:
            self.element.disconnect(handler)
        self._handlers.clear()

    def take(self, kind: str, text: str) -> None:
        """Handles the page's offer (``up``) or answer (``down``).

        Raises ValueError if it is invalid.
        """
        lines = [each for each in text.splitlines() if not each.startswith("a=candidate")]
        result, message = GstSdp.SDPMessage.new_from_text("\r\n".join([*lines, ""]))
        if result != GstSdp.SDPResult.OK or message.medias_len() != 1:
            raise ValueError(f"the page's {kind} is not a session description of one video")
        types = GstWebRTC.WebRTCSDPType
        sdp_type = types.OFFER if kind == "offer" else types.ANSWER
        description = GstWebRTC.WebRTCSessionDescription.new(sdp_type, message)
        self.element.emit("set-remote-description", description, Gst.Promise.new())
        if kind == "offer":
            made = Gst.Promise.new_with_change_func(self._on_made, "answer")
            self.element.emit("create-answer", None, made)

    def _on_negotiation_needed(self, _element: Gst.Element) -> None:
        made = Gst.Promise.new_with_change_func(self._on_made, "offer")
        self.element.emit("create-offer", None, made)

    def _on_made(self, promise: Gst.Promise, kind: str) -> None:
        reply = promise.get_reply()
        # If there is no description, the pipeline is stopping, or the bus reports an error.
        if reply is None or not reply.has_field(kind):
            return
        description = reply.get_value(kind)
        self.element.emit("set-local-description", description, Gst.Promise.new())
        text = description.sdp.as_text()
        self._tell({"type": kind, "link": self.name, "sdp": text})

    def _on_candidate(self, _element: Gst.Element, line: int, candidate: str) -> None:
        message = {"type": "candidate", "link": self.name, "line": line, "candidate": candidate}
        self._tell(message)


def _configure(webrtc: Gst.Element, addresses: list[str]) -> None:
    """Binds the media to the addresses, or to all addresses of the machine if the list is empty.

    Disables all requests that would find other addresses: STUN and port mapping.
    """
    ice = webrtc.get_property("ice-agent")
    if ice.__grefcount__ == 1:
        # PyGObject has taken ownership of webrtcbin's only reference, which was floating. Add a
        # reference for webrtcbin, which releases one when it is finalized.
        gobject = ctypes.CDLL("libgobject-2.0.so.0")
        gobject.g_object_ref.argtypes = [ctypes.c_void_p]
        gobject.g_object_ref(hash(ice))
    ice.set_property("ice-tcp", False)
    ice.get_property("agent").set_property("upnp", False)
    for address in addresses:
        ice.emit("add-local-ip-address", address)
