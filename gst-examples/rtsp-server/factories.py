"""Media factories of gst-rtsp-server: for streams that are played, and for those pushed."""

import sys
import threading
from collections.abc import Callable

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstRtspServer, GstVideo  # noqa: E402
from streams import Stream  # noqa: E402


class PlayFactory(GstRtspServer.RTSPMediaFactory):
    """Makes one media of a file, a camera or a pattern for all its clients."""

    def __init__(self, stream: Stream) -> None:
        super().__init__()
        self.stream = stream
        self.set_shared(True)
        self.connect("media-configure", self.on_configure)

    def do_gen_key(self, _url: object) -> str:
        # By default the request's address: a SETUP on a new connection, whose address has the
        # number of the RTP stream, would make a second media.
        return self.stream.name

    def do_create_element(self, _url: object) -> Gst.Element:
        return self.stream.make_source()

    def on_configure(self, _factory: object, media: GstRtspServer.RTSPMedia) -> None:
        """Called for each media before it starts."""
        media.connect("unprepared", lambda media: self.stream.end(media.get_element()))


class RecordFactory(GstRtspServer.RTSPMediaFactory):
    """Filters what a client pushes. A ``WatchFactory`` plays the result, encoded once for all."""

    def __init__(self, stream: Stream) -> None:
        super().__init__()
        self.stream = stream
        self._lock = threading.Lock()
        self._encoder: Callable[[], Gst.Element | None] = lambda: None
        self._media: Callable[[], GstRtspServer.RTSPMedia | None] = lambda: None
        self._player: Gst.Element | None = None
        self._awaits_key = True
        self.set_transport_mode(GstRtspServer.RTSPTransportMode.RECORD)
        self.connect("media-configure", self._on_configure)

    def do_construct(self, url: object) -> GstRtspServer.RTSPMedia | None:
        if self.stream.is_filtered:
            print(f"{self.stream.name}: somebody pushes it already", file=sys.stderr, flush=True)
            return None
        return GstRtspServer.RTSPMediaFactory.do_construct(self, url)

    def do_create_element(self, _url: object) -> Gst.Element:
        bin = self.stream.make_receiver()
        bin.get_by_name("filtered").connect("new-sample", self._on_sample)
        self._encoder = bin.get_by_name("encoder").weak_ref()
        return bin

    @property
    def has_failed(self) -> bool:
        """Whether what is pushed cannot be filtered: the client goes on until it is told."""
        media = self._media()
        return media is not None and media.get_status() == GstRtspServer.RTSPMediaStatus.ERROR

    def play_to(self, player: Gst.Element | None) -> None:
        """Hands the frames over to an appsrc, from a key frame on; None: to nobody."""
        with self._lock:
            self._player = player
            self._awaits_key = True
        encoder = self._encoder()
        if player is not None and encoder is not None:
            encoder.send_event(
                GstVideo.video_event_new_upstream_force_key_unit(Gst.CLOCK_TIME_NONE, True, 0))

    def _on_configure(self, _factory: object, media: GstRtspServer.RTSPMedia) -> None:
        self._media = media.weak_ref()
        media.connect("unprepared", self._on_unprepared)

    def _on_unprepared(self, media: GstRtspServer.RTSPMedia) -> None:
        self.stream.end(media.get_element())
        with self._lock:
            player = self._player
        if player is not None:
            player.emit("end-of-stream")

    def _on_sample(self, sink: Gst.Element) -> Gst.FlowReturn:
        # Of the streaming thread of what is pushed. A sample holds encoded, filtered pictures.
        sample = sink.emit("pull-sample")
        is_key = not sample.get_buffer().has_flags(Gst.BufferFlags.DELTA_UNIT)
        with self._lock:
            player = self._player
            self._awaits_key = self._awaits_key and not is_key
            if player is None or self._awaits_key:
                return Gst.FlowReturn.OK
        # The players' pipeline gives times of its own: the encoder keeps the order of the pictures.
        buffer = sample.get_buffer().copy()
        buffer.pts = buffer.dts = Gst.CLOCK_TIME_NONE
        # Whatever becomes of it there, the client that pushes goes on.
        player.emit("push-sample", Gst.Sample.new(buffer, sample.get_caps(), None, None))
        return Gst.FlowReturn.OK


class WatchFactory(PlayFactory):
    """Makes one media of what a ``RecordFactory`` filters for all its clients."""

    def __init__(self, record: RecordFactory) -> None:
        super().__init__(record.stream)
        self._record = record

    def do_create_element(self, _url: object) -> Gst.Element:
        return Gst.parse_bin_from_description(
            "appsrc name=player is-live=true do-timestamp=true format=time "
            # A second of the highest bit rate; more has no one to take it.
            "leaky-type=downstream max-bytes=2000000 ! h264parse ! "
            "rtph264pay name=pay0 pt=96 config-interval=-1", False)

    def on_configure(self, _factory: object, media: GstRtspServer.RTSPMedia) -> None:
        self._record.play_to(media.get_element().get_by_name("player"))
        media.connect("unprepared", lambda _: self._record.play_to(None))
