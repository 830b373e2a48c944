"""Media factories for gst-rtsp-server: for streams of the server, and for pushed streams."""

import math
import sys
import threading
import time
from collections.abc import Callable

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstRtspServer, GstVideo  # noqa: E402
from streams import Stream  # noqa: E402

# For pushed streams: the names of the appsinks for video and sound. The appsrcs of the players'
# pipeline have the same names.
_SINKS = ("filtered", "sound")
# The maximum number of media in a pushed stream. Cameras announce fewer. Each media needs its own
# branch of the pipeline.
_MAX_MEDIAS = 8
# A stream has no sound if no packet has arrived for this time. Normally there are fifty per second.
_SILENCE_SECONDS = 1


class PlayFactory(GstRtspServer.RTSPMediaFactory):
    """Creates one media from a file, a camera or a pattern. All clients share it."""

    def __init__(self, stream: Stream) -> None:
        super().__init__()
        self.stream = stream
        self.set_shared(True)
        self.connect("media-configure", self.on_configure)

    def do_gen_key(self, _url: object) -> str:
        # The default key is the address of the request. In a SETUP request on a new connection, it
        # ends with the number of the RTP stream, so that would create a second media.
        return self.stream.name

    def do_create_element(self, _url: object) -> Gst.Element:
        return self.stream.make_source()

    def on_configure(self, _factory: object, media: GstRtspServer.RTSPMedia) -> None:
        """Prepares a media. gst-rtsp-server calls this before the media starts."""
        media.connect("unprepared", lambda media: self.stream.end(media.get_element()))


class RecordFactory(GstRtspServer.RTSPMediaFactory):
    """Filters and encodes a pushed stream. A ``WatchFactory`` plays the result to all clients."""

    def __init__(self, stream: Stream) -> None:
        super().__init__()
        self.stream = stream
        self.medias: list[str] = []  # the kinds of the next client's media, in order
        self._lock = threading.Lock()
        self._encoder: Callable[[], Gst.Element | None] = lambda: None
        self._media: Callable[[], GstRtspServer.RTSPMedia | None] = lambda: None
        # The appsrcs of the players' pipeline, by name.
        self._players: dict[str, Gst.Element] = {}
        # The players' running time minus the pushed one. None until the players have a key frame.
        self._offset: int | None = None
        self._heard = -math.inf  # the time at which the last sound arrived
        self.set_transport_mode(GstRtspServer.RTSPTransportMode.RECORD)
        self.connect("media-configure", self._on_configure)

    def do_construct(self, url: object) -> GstRtspServer.RTSPMedia | None:
        if self.stream.is_filtered:
            return self._refuse("another client already publishes it")
        if len(self.medias) > _MAX_MEDIAS:
            return self._refuse(f"{len(self.medias)} media were announced, the maximum is "
                                f"{_MAX_MEDIAS}")
        if "video" not in self.medias:
            return self._refuse("no video was announced")
        return GstRtspServer.RTSPMediaFactory.do_construct(self, url)

    def do_create_element(self, _url: object) -> Gst.Element:
        bin = self.stream.make_receiver(self.medias)
        for name in _SINKS:
            sink = bin.get_by_name(name)
            if sink is not None:
                sink.connect("new-sample", self._on_sample)
        self._encoder = bin.get_by_name("encoder").weak_ref()
        self._heard = -math.inf
        return bin

    @property
    def has_sound(self) -> bool:
        """Whether sound arrives now. Players must not wait for sound that was only announced."""
        return time.monotonic() - self._heard < _SILENCE_SECONDS

    @property
    def has_failed(self) -> bool:
        """Whether filtering failed. The client keeps pushing until the server disconnects it."""
        media = self._media()
        return media is not None and media.get_status() == GstRtspServer.RTSPMediaStatus.ERROR

    def play_to(self, players: dict[str, Gst.Element]) -> None:
        """Sends samples to these appsrcs from now on, starting with a key frame.

        ``players`` are the appsrcs by the names in _SINKS. If empty, no samples are sent.
        """
        with self._lock:
            self._players = players
            self._offset = None
        encoder = self._encoder()
        if players and encoder is not None:
            encoder.send_event(
                GstVideo.video_event_new_upstream_force_key_unit(Gst.CLOCK_TIME_NONE, True, 0))

    def _refuse(self, reason: str) -> None:
        print(f"{self.stream.name}: {reason}", file=sys.stderr, flush=True)

    def _on_configure(self, _factory: object, media: GstRtspServer.RTSPMedia) -> None:
        self._media = media.weak_ref()
        media.connect("unprepared", self._on_unprepared)

    def _on_unprepared(self, media: GstRtspServer.RTSPMedia) -> None:
        self.stream.end(media.get_element())
        with self._lock:
            players = list(self._players.values())
        for player in players:
            player.emit("end-of-stream")

    def _on_sample(self, sink: Gst.Element) -> Gst.FlowReturn:
        # GStreamer calls this on a streaming thread of the pushed stream. The sample contains a
        # filtered and encoded frame, or sound.
        sample = sink.emit("pull-sample")
        buffer = sample.get_buffer().copy()
        time_pushed = sample.get_segment().to_running_time(Gst.Format.TIME, buffer.pts)
        is_picture = sink.get_name() == _SINKS[0]
        if not is_picture:
            self._heard = time.monotonic()
        is_key = is_picture and not buffer.has_flags(Gst.BufferFlags.DELTA_UNIT)
        with self._lock:
            player = self._players.get(sink.get_name())
            if player is not None and is_key and self._offset is None:
                self._offset = _running_time(player) - time_pushed
            offset = self._offset
        if player is None or offset is None or time_pushed + offset < 0:
            return Gst.FlowReturn.OK
        # The encoder does not reorder frames, so the decoding time is the presentation time.
        buffer.pts = buffer.dts = time_pushed + offset
        # Ignore failures of the players, so that the pushing client continues.
        player.emit("push-sample", Gst.Sample.new(buffer, sample.get_caps(), None, None))
        return Gst.FlowReturn.OK


def _running_time(element: Gst.Element) -> int:
    """Returns the running time of an element's pipeline in nanoseconds, or 0 before its start."""
    found = element.get_current_running_time()
    is_running = element.current_state == Gst.State.PLAYING and found != Gst.CLOCK_TIME_NONE
    return found if is_running else 0


class WatchFactory(PlayFactory):
    """Creates one media from the output of a ``RecordFactory``. All clients share it."""

    def __init__(self, record: RecordFactory) -> None:
        super().__init__(record.stream)
        self._record = record

    def do_create_element(self, _url: object) -> Gst.Element:
        source = "appsrc name={} is-live=true format=time leaky-type=downstream max-bytes={} ! "
        # The queues of the appsrcs are limited to about a second at the highest bitrate.
        description = source.format(_SINKS[0], 2_000_000)
        description += "h264parse ! rtph264pay name=pay0 pt=96 config-interval=-1 "
        if self._record.has_sound:
            description += source.format(_SINKS[1], 100_000) + "rtpopuspay name=pay1 pt=97"
        return Gst.parse_bin_from_description(description, False)

    def on_configure(self, _factory: object, media: GstRtspServer.RTSPMedia) -> None:
        element = media.get_element()
        found = {name: element.get_by_name(name) for name in _SINKS}
        self._record.play_to({name: player for name, player in found.items() if player})
        media.connect("unprepared", lambda _: self._record.play_to({}))
