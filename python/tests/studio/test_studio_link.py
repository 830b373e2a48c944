"""Session descriptions from a page."""

import re
import socket
from typing import Any

import pytest

from vbgfilter.commands import gstreamer
from vbgfilter.commands.studio.link import Link


def test_sends_nothing_to_addresses_from_a_page() -> None:
    """The server sends no packet to an address in the page's description."""
    gst = gstreamer.start()
    told: list[dict[str, Any]] = []
    links = [Link(name, ["127.0.0.1"], told.append) for name in ("down", "up")]
    pipelines = [gst.Pipeline.new(None) for _ in links]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        other.settimeout(0.2)
        port = other.getsockname()[1]
        for pipeline, link in zip(pipelines, links, strict=True):
            pipeline.add(link.element)
        source = gst.parse_bin_from_description(
            "videotestsrc is-live=true ! video/x-raw,width=64,height=64 ! vp8enc deadline=1 "
            "! rtpvp8pay pt=96 ! capsfilter caps=application/x-rtp,media=video,"
            "encoding-name=VP8,payload=96,clock-rate=90000",
            True,
        )
        pipelines[0].add(source)
        source.link(links[0].element)
        for pipeline in pipelines:
            pipeline.set_state(gst.State.PLAYING)
        offer = _wait(told, "offer", other)
        candidate = f"a=candidate:1 1 UDP 2122252543 127.0.0.1 {port} typ host\r\n"
        links[1].take("offer", re.sub("(m=video.*\r\n)", rf"\1{candidate}", offer))
        _wait(told, "answer", other)
        with pytest.raises(TimeoutError):
            other.settimeout(2)
            other.recv(1)
    for pipeline, link in zip(pipelines, links, strict=True):
        pipeline.set_state(gst.State.NULL)
        link.close()


def _wait(told: list[dict[str, Any]], kind: str, other: socket.socket) -> str:
    for _ in range(100):
        found = [each["sdp"] for each in told if each["type"] == kind]
        if found:
            return found[0]
        with pytest.raises(TimeoutError):
            other.recv(1)
    pytest.fail(f"no {kind}")
