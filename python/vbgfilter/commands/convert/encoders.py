"""Chooses an encoder: the user's, else a hardware encoder that works, else the highest ranked."""

from typing import TYPE_CHECKING, Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.convert.formats import CODECS
from vbgfilter.commands.errors import NOT_INSTALLED, USAGE, Failure

if TYPE_CHECKING:
    from gi.repository import Gst

# Prefixes of encoders that take the bitrate in bits per second. Other encoders take kbit/s.
_IN_BITS = ("vp8enc", "vp9enc", "openh264enc", "rav1enc", "avenc_")
# Settings that replace unsuitable defaults of encoders.
_SETTINGS: dict[str, dict[str, str]] = {
    # The result has the source's bitrate, and a blurred or still background needs less. So faster
    # settings are good enough. With the default settings, two cores encoded one 1080p frame per
    # second with x265enc, and needed seconds per frame with av1enc.
    "x264enc": {"speed-preset": "faster"},
    "x265enc": {"speed-preset": "superfast"},
    # By default, av1enc has the quantizer 0, and so ignores the bitrate.
    "av1enc": {"cpu-used": "8", "row-mt": "true", "threads": "4", "max-quantizer": "63"},
    # With the quantizer 0, vp9enc loses frames.
    "vp9enc": {"cpu-used": "5", "row-mt": "true", "threads": "4", "min-quantizer": "4"},
    "vp8enc": {"cpu-used": "5", "threads": "4"},
    "avenc_prores_ks": {"profile": "4444"},
    # AVI files derive the times of sound from the number of bytes.
    "lamemp3enc": {"target": "bitrate", "cbr": "true", "bitrate": "192"},
}
_PACKAGES = {
    "h264": "gstreamer1.0-plugins-ugly",
    "h265": "gstreamer1.0-plugins-bad",
    "av1": "gstreamer1.0-plugins-bad",
    "prores": "gstreamer1.0-libav",
    "ffv1": "gstreamer1.0-libav",
}
_TRIAL_SECONDS = 5
# Muxers that drop all frames of GStreamer's encoder, or crash.
_UNFIT = (("mp4mux", "vp9"), ("qtmux", "vp9"))


def make_encoder(codec: str, size: tuple[int, int], asked: str | None = None) -> "Gst.Element":
    """Returns an encoder for a codec and a frame size.

    ``asked`` is the user's choice, in the syntax of gst-launch-1.0. Raises Failure:

    - with NOT_INSTALLED and the package's name if no suitable encoder is installed,
    - with USAGE if ``asked`` is invalid or does not write the codec.
    """
    if asked is not None:
        return _parse(asked, codec)
    for factory in _candidates(codec):
        name = factory.get_name()
        if _is_hardware(factory) and not _works(name, size):
            continue
        return configured(name)
    package = _PACKAGES.get(codec, "gstreamer1.0-plugins-good")
    raise Failure(f"no encoder for {codec} is installed: apt install {package}", NOT_INSTALLED)


def set_bitrate(encoder: "Gst.Element", bits: int) -> None:
    """Sets the bitrate in bits per second, if the encoder has such a property."""
    name = encoder.get_factory().get_name()
    amount = bits if name.startswith(_IN_BITS) else bits // 1000
    for key in ("target-bitrate", "bitrate"):
        pspec = encoder.find_property(key)
        if pspec is not None:
            encoder.set_property(key, max(pspec.minimum, min(amount, pspec.maximum)))
            return


def avoid_reordering(encoder: "Gst.Element") -> None:
    """Disables B-frames, so that the decoding order is the presentation order.

    GStreamer's MP4 muxer computes the duration of the video from the decoding order. If the
    intervals between frames differ, that duration is too short, and players skip the last frames.
    """
    for key in ("bframes", "b-frames"):
        if encoder.find_property(key) is not None:
            encoder.set_property(key, 0)
    if encoder.get_factory().get_name() == "x265enc":
        more = encoder.get_property("option-string")
        encoder.set_property("option-string", ":".join(filter(None, [more, "bframes=0"])))


def _candidates(codec: str) -> list[Any]:
    gst = gstreamer.start()
    media = gst.ELEMENT_FACTORY_TYPE_MEDIA_VIDEO | gst.ELEMENT_FACTORY_TYPE_MEDIA_IMAGE
    kind = gst.ELEMENT_FACTORY_TYPE_ENCODER | media
    known = gst.ElementFactory.list_get_elements(kind, gst.Rank.MARGINAL)
    caps = gst.Caps.from_string(CODECS[codec])
    fitting = gst.ElementFactory.list_filter(known, caps, gst.PadDirection.SRC, False)
    if codec == "prores":  # the only encoder of libav that supports ProRes 4444
        fitting = [each for each in fitting if each.get_name() == "avenc_prores_ks"]
    return sorted(fitting, key=lambda each: (not _is_hardware(each), -each.get_rank()))


def _is_hardware(factory: Any) -> bool:
    return "Hardware" in (factory.get_metadata("klass") or "")


def _works(name: str, size: tuple[int, int]) -> bool:
    """Whether an encoder can encode a few frames. Hardware encoders may be unusable."""
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


def configured(name: str) -> "Gst.Element":
    """Creates an encoder with suitable settings."""
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
        raise Failure(f"--encoder {name} is not installed: apt install {package}", NOT_INSTALLED)
    caps = gst.Caps.from_string(CODECS[codec])
    if not factory.can_src_any_caps(caps):
        raise Failure(f"--encoder {name} does not write {codec}: see --codec", USAGE)
    try:
        return gst.parse_launch(text)
    except gstreamer.glib_error() as error:
        raise Failure(f"--encoder {text}: {error.message}", USAGE) from error


def fits(muxer: str, codec: str) -> bool:
    """Whether a muxer accepts a codec. Raises Failure if the muxer is not installed."""
    gst = gstreamer.start()
    factory = gstreamer.make(muxer).get_factory()
    is_accepted = factory.can_sink_any_caps(gst.Caps.from_string(CODECS[codec]))
    return is_accepted and (muxer, codec) not in _UNFIT
