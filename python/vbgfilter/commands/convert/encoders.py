"""The choice of an encoder: one that was asked for, hardware that works, or the best ranked."""

from typing import TYPE_CHECKING, Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.convert.formats import CODECS
from vbgfilter.commands.errors import NOT_INSTALLED, USAGE, Failure

if TYPE_CHECKING:
    from gi.repository import Gst

# Encoders whose bitrate is in bits a second; of others it is in thousands of them.
_IN_BITS = ("vp8enc", "vp9enc", "openh264enc", "rav1enc", "avenc_")
# Where an encoder's own setting suits neither files nor patience.
_SETTINGS: dict[str, dict[str, str]] = {
    # The bitrate is the source's, and a blurred or a still room takes less of it: there is room for
    # encoders that look less long. At their defaults two cores made 1 frame a second of 1080 lines
    # with x265, and seconds for a frame with AV1.
    "x264enc": {"speed-preset": "faster"},
    "x265enc": {"speed-preset": "superfast"},
    "av1enc": {"cpu-used": "8", "row-mt": "true", "threads": "4"},
    "vp9enc": {"cpu-used": "5", "row-mt": "true", "threads": "4"},
    "vp8enc": {"cpu-used": "5", "threads": "4"},
    "avenc_prores_ks": {"profile": "4444"},
}
_PACKAGES = {
    "h264": "gstreamer1.0-plugins-ugly",
    "h265": "gstreamer1.0-plugins-bad",
    "av1": "gstreamer1.0-plugins-bad",
    "prores": "gstreamer1.0-libav",
    "ffv1": "gstreamer1.0-libav",
}
_TRIAL_SECONDS = 5


def codec_name(caps: str) -> str | None:
    """The name in CODECS of a stream's caps; None for a codec that is not written here."""
    gst = gstreamer.start()
    stream = gst.Caps.from_string(caps)
    for name, pattern in CODECS.items():
        if stream.can_intersect(gst.Caps.from_string(pattern)):
            return name
    return None


def make_encoder(codec: str, size: tuple[int, int], asked: str | None = None) -> "Gst.Element":
    """An encoder for a codec; ``asked`` is an element as gst-launch-1.0 writes it.

    Failure 3 names the package where there is none, Failure 2 what is wrong with the one asked for.
    """
    if asked is not None:
        return _parse(asked, codec)
    for factory in _candidates(codec):
        name = factory.get_name()
        if _is_hardware(factory) and not _works(name, size):
            continue
        return _configured(name)
    package = _PACKAGES.get(codec, "gstreamer1.0-plugins-good")
    raise Failure(f"no encoder for {codec} is installed: apt install {package}", NOT_INSTALLED)


def set_bitrate(encoder: "Gst.Element", bits: int) -> None:
    """Sets the bits of a second, where the encoder has such a setting."""
    name = encoder.get_factory().get_name()
    amount = bits if name.startswith(_IN_BITS) else bits // 1000
    for key in ("target-bitrate", "bitrate"):
        pspec = encoder.find_property(key)
        if pspec is not None:
            encoder.set_property(key, max(pspec.minimum, min(amount, pspec.maximum)))
            return


def avoid_reordering(encoder: "Gst.Element") -> None:
    """Keeps frames in the order in which they are shown.

    Where they come at unequal distances, GStreamer's MP4 muxer takes the length of the video from
    the order of decoding, and players would leave out the last frames.
    """
    for key in ("bframes", "b-frames"):
        if encoder.find_property(key) is not None:
            encoder.set_property(key, 0)
    if encoder.get_factory().get_name() == "x265enc":
        more = encoder.get_property("option-string")
        encoder.set_property("option-string", ":".join(filter(None, [more, "bframes=0"])))


def _candidates(codec: str) -> list[Any]:
    gst = gstreamer.start()
    kind = gst.ELEMENT_FACTORY_TYPE_ENCODER | gst.ELEMENT_FACTORY_TYPE_MEDIA_VIDEO
    if codec in ("png", "mjpeg"):
        kind = gst.ELEMENT_FACTORY_TYPE_ENCODER | gst.ELEMENT_FACTORY_TYPE_MEDIA_IMAGE
    known = gst.ElementFactory.list_get_elements(kind, gst.Rank.MARGINAL)
    caps = gst.Caps.from_string(CODECS[codec])
    fitting = gst.ElementFactory.list_filter(known, caps, gst.PadDirection.SRC, False)
    if codec == "prores":  # of libav's encoders of ProRes this one writes 4444
        fitting = [each for each in fitting if each.get_name() == "avenc_prores_ks"]
    return sorted(fitting, key=lambda each: (not _is_hardware(each), -each.get_rank()))


def _is_hardware(factory: Any) -> bool:
    return "Hardware" in (factory.get_metadata("klass") or "")


def _works(name: str, size: tuple[int, int]) -> bool:
    """Whether an encoder of the hardware turns a few frames into something."""
    gst = gstreamer.start()
    width, height = size
    try:
        pipeline = gst.parse_launch(
            f"videotestsrc num-buffers=3 ! video/x-raw,width={width},height={height} "
            f"! videoconvert ! {name} ! fakesink"
        )
    except gstreamer.glib_error():
        return False
    pipeline.set_state(gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        _TRIAL_SECONDS * gst.SECOND, gst.MessageType.EOS | gst.MessageType.ERROR
    )
    pipeline.set_state(gst.State.NULL)
    return message is not None and message.type == gst.MessageType.EOS


def _configured(name: str) -> "Gst.Element":
    encoder = gstreamer.make(name)
    for key, value in _SETTINGS.get(name, {}).items():
        if encoder.find_property(key) is not None:
            gstreamer.start().util_set_object_arg(encoder, key, value)
    return encoder


def _parse(text: str, codec: str) -> "Gst.Element":
    gst = gstreamer.start()
    name = text.split(maxsplit=1)[0] if text.strip() else ""
    factory = gst.ElementFactory.find(name)
    if factory is None:
        package = gstreamer.package_of(name)
        raise Failure(f"--encoder {name}: not installed: apt install {package}", NOT_INSTALLED)
    caps = gst.Caps.from_string(CODECS[codec])
    if not factory.can_src_any_caps(caps):
        raise Failure(f"--encoder {name} does not write {codec}: see --codec", USAGE)
    try:
        return gst.parse_launch(text)
    except gstreamer.glib_error() as error:
        raise Failure(f"--encoder {text}: {error.message}", USAGE) from error


def fits(muxer: str, codec: str) -> bool:
    """Whether a muxer takes a codec; Failure 3 where the muxer is not installed."""
    gst = gstreamer.start()
    return (
        gstreamer.make(muxer).get_factory().can_sink_any_caps(gst.Caps.from_string(CODECS[codec]))
    )
