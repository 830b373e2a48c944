"""A stream of the server: its pipelines, its frame limits, and the counts of its filter."""

import pathlib
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402


@dataclass(frozen=True)
class Options:
    """The options of all streams."""

    properties: str = "quality=fast"  # of vbgfilter, in the syntax of gst-launch-1.0
    width: int = 1920  # the maximum width and height of frames
    height: int = 1080
    rate: int = 30  # the maximum frames per second
    bitrate: int = 2500  # kbit/s

    @property
    def filtering(self) -> str:
        """The elements from decoded video to H.264 with a hidden background."""
        # A new player waits for a key frame: with key-int-max=60 at most two seconds at 30 frames
        # per second.
        return (
            f"video/x-raw,width=[16,{self.width}],height=[16,{self.height}] ! "
            f"videorate drop-only=true max-rate={self.rate} ! videoconvert ! "
            f"vbgfilter name=filter {self.properties} ! queue ! "
            f"x264enc name=encoder tune=zerolatency speed-preset=veryfast bitrate={self.bitrate} "
            "key-int-max=60 ! video/x-h264,profile=main"
        )


# When the queue contains two frames and a new one arrives, the queue drops the oldest. So a live
# stream lags by at most two frames.
_LIVE_QUEUE = "queue name=live leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0"
_CAMERA = f"v4l2src name=source ! decodebin name=decoder ! {_LIVE_QUEUE}"
_PATTERN = (
    "videotestsrc name=source is-live=true pattern=ball ! "
    f"video/x-raw,framerate=30/1 ! {_LIVE_QUEUE}"
)
# The sound is always re-encoded to Opus, so that players need to support only one codec.
_SOUND = (
    "audioconvert ! audioresample ! audio/x-raw,rate=48000,channels=[1,2] ! opusenc ! "
    "appsink name=sound sync=false emit-signals=true drop=true max-buffers=100"
)
_COUNTED = ("frames-in", "dropped", "inferences", "failures")
_FILE = "filesrc name=source ! decodebin name=decoder ! queue"


class Stream:
    """One stream, which at most one pipeline filters for all clients.

    ``source`` is a video file, ``pattern``, a camera's device, or ``record`` if clients push the
    stream. Thread-safe.
    """

    def __init__(self, name: str, source: str, options: Options) -> None:
        self.name = name
        self.source = source
        self.options = options
        self._lock = threading.Lock()
        # Weak references, because gst-rtsp-server owns the pipelines and discards some of them
        # before they start.
        self._filters: list[Callable[[], Gst.Element | None]] = []
        self._late = 0
        # The counts of ended pipelines, because a counter must never decrease.
        self._ended = dict.fromkeys(_COUNTED, 0)

    @property
    def is_recorded(self) -> bool:
        """Whether clients push the stream."""
        return self.source == "record"

    @property
    def is_filtered(self) -> bool:
        """Whether a pipeline that filters the stream exists."""
        with self._lock:
            return any(filter() is not None for filter in self._filters)

    def check(self) -> None:
        """Ends the program with a message if the stream could not be created."""
        try:
            _ = self.make_receiver(["video", "audio"]) if self.is_recorded else self.make_source()
        except GLib.Error as error:
            is_missing = error.matches(Gst.ParseError.quark(), Gst.ParseError.NO_SUCH_ELEMENT)
            remedy = ": install its package, or set GST_PLUGIN_PATH" if is_missing else ""
            sys.exit(f"{self.name}: {error.message}{remedy}")
        if self.source not in ("record", "pattern") and not pathlib.Path(self.source).exists():
            sys.exit(f"{self.name}: {self.source} does not exist")

    def make_source(self) -> Gst.Element:
        """Creates a bin from the source to RTP packets. gst-rtsp-server starts it."""
        is_camera = self.source.startswith("/dev/")
        source = _CAMERA if is_camera else _PATTERN if self.source == "pattern" else _FILE
        bin = self._parse(f"{source} ! {self.options.filtering} ! "
                          "rtph264pay name=pay0 pt=96 config-interval=-1")
        if is_camera:
            bin.get_by_name("source").set_property("device", self.source)
        elif self.source != "pattern":
            path = str(pathlib.Path(self.source).absolute())
            bin.get_by_name("source").set_property("location", path)
        return bin

    def make_receiver(self, medias: Sequence[str]) -> Gst.Element:
        """Creates a bin from a client's RTP packets to the appsinks ``filtered`` and ``sound``.

        ``medias`` are the kinds of the client's media, in order. Only the first video and the first
        audio stream are used.
        """
        branches = {
            "video": f"decodebin name=decoder ! {_LIVE_QUEUE} ! {self.options.filtering},"
            "stream-format=byte-stream,alignment=au ! "
            # Sixty frames are enough if players read nothing for two seconds.
            "appsink name=filtered sync=false emit-signals=true drop=true max-buffers=60",
            "audio": f"decodebin ! {_SOUND}",
        }
        # gst-rtsp-server finds the branch for each media by the name depay0, depay1 and so on.
        taken = [
            f"identity name=depay{index} ! "
            + branches.pop(media, "fakesink sync=false async=false")
            for index, media in enumerate(medias)
        ]
        return self._parse("  ".join(taken))

    def end(self, pipeline: Gst.Element) -> None:
        """Keeps the counts of a pipeline that ends."""
        filter = pipeline.get_by_name("filter")
        with self._lock:
            self._filters = [each for each in self._filters if each() not in (filter, None)]
            _add(self._ended, filter)

    def counts(self) -> dict[str, int]:
        """Returns the counts of all pipelines so far: the names in _COUNTED, and "late"."""
        with self._lock:
            found = dict(self._ended)
            for each in self._filters:
                _add(found, each())
            # Both the queue and the filter drop late frames. The filter's count also contains the
            # frames that `pacing` or `on-failure` drops.
            return found | {"late": self._late + found["dropped"]}

    def _parse(self, description: str) -> Gst.Element:
        bin = Gst.parse_bin_from_description(description, False)
        queue = bin.get_by_name("live")
        if queue is not None:
            queue.connect("overrun", self._on_late)
        decoder = bin.get_by_name("decoder")
        if decoder is not None:
            decoder.connect("autoplug-continue", self._on_autoplug)
        with self._lock:
            self._filters.append(bin.get_by_name("filter").weak_ref())
        return bin

    def _on_late(self, _queue: Gst.Element) -> None:
        with self._lock:
            self._late += 1

    def _on_autoplug(self, _decoder: Gst.Element, _pad: Gst.Pad, caps: Gst.Caps) -> bool:
        """Returns whether decodebin may create a decoder for the caps.

        Refuses frames that are too large, because a decoder would allocate memory for them.
        """
        size = caps.get_structure(0)
        width, height = (size.get_int(name)[1] for name in ("width", "height"))
        if width <= self.options.width and height <= self.options.height:
            return True
        print(f"{self.name}: frames of {width}x{height} are refused; --max-size is "
              f"{self.options.width}x{self.options.height}", file=sys.stderr, flush=True)
        return False


def _add(counts: dict[str, int], filter: Gst.Element | None) -> None:
    if filter is not None:
        stats = filter.get_property("stats")
        for name in _COUNTED:
            counts[name] += stats.get_value(name)
