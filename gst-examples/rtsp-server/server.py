#!/usr/bin/python3
"""An RTSP server that hides the background in its streams.

    server.py NAME=SOURCE [NAME=SOURCE ...]

SOURCE is a video file, a camera such as /dev/video0, "pattern" for a test pattern, or "record".
Clients play the stream from rtsp://127.0.0.1:8554/NAME. For "record", another client pushes it to
rtsp://127.0.0.1:8554/NAME/publish. The server filters each stream only once for all clients. It
needs gir1.2-gst-rtsp-server-1.0, gstreamer1.0-plugins-ugly and python3-prometheus-client. See
docs/servers.md.
"""

import argparse
import collections
import re
import signal
import sys
import time

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from announcements import Announcements  # noqa: E402
from factories import PlayFactory, RecordFactory, WatchFactory  # noqa: E402
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402
from metrics import Metrics  # noqa: E402
from streams import Options, Stream  # noqa: E402

# The maximum length of a request body. Session descriptions of cameras are shorter.
_MAX_BODY_BYTES = 64 << 10


class Server:
    """The RTSP server. Serves all clients on the main thread.

    Limits the number of clients, and disconnects clients that are idle. Only pipelines use other
    threads.
    """

    def __init__(self, streams: list[Stream], arguments: argparse.Namespace) -> None:
        self._max_clients = arguments.max_clients
        self._idle_timeout = arguments.idle_timeout
        # The time at which each client was last active: it connected, sent a request, played or
        # pushed.
        self._clients: dict[GstRtspServer.RTSPClient, float] = {}
        self._started: set[GstRtspServer.RTSPClient] = set()  # clients that sent PLAY or RECORD
        self._closed: collections.deque[GstRtspServer.RTSPClient] = collections.deque()
        self._loop = GLib.MainLoop()
        self._metrics = Metrics(streams)
        self._server = GstRtspServer.RTSPServer()
        self._server.set_address(arguments.address)
        self._server.set_service(str(arguments.port))
        self._server.set_content_length_limit(_MAX_BODY_BYTES)
        # Serve the clients in the main loop.
        self._server.get_thread_pool().set_max_threads(0)
        self._server.connect("client-connected", self._on_client)
        # The pushed streams and the pushing clients, by path.
        self._records: dict[str, RecordFactory] = {}
        self._pushing: dict[str, GstRtspServer.RTSPClient] = {}
        self._frames: dict[str, int] = {}  # pushed frames at the last clean-up
        self._server.set_auth(Announcements(self._on_announce))
        mounts = self._server.get_mount_points()
        for stream in streams:
            if stream.is_recorded:
                record = RecordFactory(stream)
                mounts.add_factory(f"/{stream.name}/publish", record)
                mounts.add_factory(f"/{stream.name}", WatchFactory(record))
                self._records[f"/{stream.name}"] = record
            else:
                mounts.add_factory(f"/{stream.name}", PlayFactory(stream))
        if arguments.metrics_port:
            try:
                self._metrics.serve(arguments.metrics_port)
            except OSError as error:
                sys.exit(f"metrics cannot use the port {arguments.metrics_port}: "
                         f"{error.strerror}; choose another --metrics-port")

    def run(self) -> None:
        """Serves until SIGTERM or SIGINT."""
        source = self._server.attach(None)
        if not source:
            sys.exit(f"cannot listen on {self._server.get_address()}:{self._server.get_service()}: "
                     "another server may use the port, or the address is not of this machine; "
                     "choose another --port or --address")
        for number in (signal.SIGTERM, signal.SIGINT):
            GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, self._loop.quit)
        GLib.timeout_add_seconds(2, self._clean_up)
        print(f"rtsp://{self._server.get_address()}:{self._server.get_bound_port()}/", flush=True)
        self._loop.run()
        GLib.source_remove(source)
        # Removing the clients closes their connections and ends their pipelines.
        self._server.client_filter(lambda *_: GstRtspServer.RTSPFilterResult.REMOVE)
        self._server.get_session_pool().filter(
            lambda *_: GstRtspServer.RTSPFilterResult.REMOVE)
        # A client that has only sent DESCRIBE keeps the stream until the client is released.
        self._closed.clear()
        GstRtspServer.RTSPThreadPool.cleanup()

    def _clean_up(self) -> bool:
        # This ends expired sessions, of clients that disappeared without TEARDOWN.
        self._server.get_session_pool().cleanup()
        now, busy = time.monotonic(), self._find_busy()
        for client, since in list(self._clients.items()):
            if client in busy:
                self._clients[client] = now
            elif now - since > self._idle_timeout:
                client.close()
        for path, record in self._records.items():
            if record.has_failed and path in self._pushing:
                self._pushing.pop(path).close()
        return GLib.SOURCE_CONTINUE

    def _find_busy(self) -> set[GstRtspServer.RTSPClient]:
        """Returns the clients that play, or that have pushed frames since the last call."""
        stalled = set()
        for path, client in self._pushing.items():
            frames = self._records[path].stream.counts()["frames-in"]
            if frames == self._frames.get(path):
                stalled.add(client)
            self._frames[path] = frames
        # A client without a session has ended it, or it has expired.
        return {each for each in self._started - stalled if each.session_filter(None)}

    def _on_client(self, _server: object, client: GstRtspServer.RTSPClient) -> None:
        if len(self._clients) >= self._max_clients:
            self._metrics.refused += 1
            # Close the client later: gst-rtsp-server has not finished setting it up.
            GLib.idle_add(client.close)
            return
        self._clients[client] = time.monotonic()
        self._metrics.clients = len(self._clients)
        client.connect("closed", self._on_closed)
        client.connect("pre-describe-request", self._on_describe)
        # Requests count as activity when they end, because preparing a stream may take longer than
        # the timeout.
        for request in ("options", "describe", "setup"):
            client.connect(f"{request}-request", self._on_request)
        client.connect("play-request", lambda client, _: self._started.add(client))
        client.connect("pause-request", self._on_pause)
        client.connect("record-request", self._on_record)

    def _on_request(self, client: GstRtspServer.RTSPClient, _context: object) -> None:
        if client in self._clients:
            self._clients[client] = time.monotonic()

    def _on_pause(self, client: GstRtspServer.RTSPClient, context: object) -> None:
        self._started.discard(client)
        self._on_request(client, context)

    def _on_closed(self, client: GstRtspServer.RTSPClient) -> None:
        self._clients.pop(client, None)
        self._started.discard(client)
        self._pushing = {path: each for path, each in self._pushing.items() if each != client}
        self._metrics.clients = len(self._clients)
        # If a write fails on another thread, gst-rtsp-server 1.22 makes the main loop close the
        # client, but holds no reference to it. So hold a reference until that has happened.
        self._closed.append(client)
        GLib.timeout_add_seconds(2, self._release_closed)

    def _release_closed(self) -> bool:
        self._closed.popleft()
        return GLib.SOURCE_REMOVE

    def _on_announce(self, path: str, medias: list[str]) -> None:
        record = self._records.get(_published(path))
        if record is not None:
            record.medias = medias

    def _on_describe(self, _client: object, context: GstRtspServer.RTSPContext) -> int:
        # Report a stream that no client pushes. Otherwise gst-rtsp-server would wait for a frame
        # and block all clients.
        record = self._records.get(context.uri.abspath)
        is_empty = record is not None and not record.stream.is_filtered
        return GstRtsp.RTSPStatusCode.NOT_FOUND if is_empty else GstRtsp.RTSPStatusCode.OK

    def _on_record(
        self, client: GstRtspServer.RTSPClient, context: GstRtspServer.RTSPContext
    ) -> None:
        self._started.add(client)
        self._pushing[_published(context.uri.abspath)] = client


def _published(path: str) -> str:
    """Returns the path for playing the stream that is pushed to a path."""
    return path.rstrip("/").removesuffix("/publish")


def parse_size(text: str) -> tuple[int, int]:
    """Parses a size such as "1920x1080"."""
    found = re.fullmatch(r"(\d+)x(\d+)", text)
    if not found or not all(16 <= int(each) <= 8192 for each in found.groups()):
        raise argparse.ArgumentTypeError(f"{text} is not a size such as 1920x1080, up to 8192x8192")
    return int(found[1]), int(found[2])


def parse_port(text: str) -> int:
    """Parses the number of a port."""
    if not re.fullmatch(r"\d{1,5}", text) or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port from 0 to 65535")
    return int(text)


def parse_stream(text: str) -> tuple[str, str]:
    """Parses "NAME=SOURCE"."""
    name, _, source = text.partition("=")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name) or not source:
        raise argparse.ArgumentTypeError(f"{text} is not NAME=SOURCE, with letters and digits")
    return name, source


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("streams", nargs="+", type=parse_stream, metavar="NAME=SOURCE")
    parser.add_argument("--address", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=parse_port, default=8554, help="port; 0 chooses a free port")
    parser.add_argument("--metrics-port", type=parse_port, default=9554,
                        help="port for metrics; 0 disables them")
    parser.add_argument("--max-clients", type=int, default=16)
    parser.add_argument("--idle-timeout", type=int, default=20, metavar="SECONDS",
                        help="disconnect clients that have been idle for this time")
    parser.add_argument("--max-size", type=parse_size, default=(1920, 1080), metavar="WxH")
    parser.add_argument("--max-rate", type=int, default=30, help="maximum frames per second")
    parser.add_argument("--bitrate", type=int, default=2500, help="bitrate in kbit/s")
    parser.add_argument("--properties", default="quality=fast", help="properties of vbgfilter")
    arguments = parser.parse_args()
    Gst.init(None)
    width, height = arguments.max_size
    options = Options(arguments.properties, width, height, arguments.max_rate, arguments.bitrate)
    streams = [Stream(name, source, options) for name, source in arguments.streams]
    if len({stream.name for stream in streams}) < len(streams):
        parser.error("two streams have the same name")
    for stream in streams:
        stream.check()
    Server(streams, arguments).run()


if __name__ == "__main__":
    main()
