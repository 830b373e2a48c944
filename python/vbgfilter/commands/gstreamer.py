"""GStreamer for the commands: initialization, and failures that name the missing package."""

import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import vbgfilter
from vbgfilter.commands.errors import NOT_INSTALLED, SOME_FAILED, UNREADABLE, Failure, missing

if TYPE_CHECKING:
    from gi.repository import GLib, Gst

# Debian's packages for the elements that the commands create by name.
PACKAGES = {
    "base": "gstreamer1.0-plugins-base",
    "good": "gstreamer1.0-plugins-good",
    "bad": "gstreamer1.0-plugins-bad",
    "ugly": "gstreamer1.0-plugins-ugly",
    "libav": "gstreamer1.0-libav",
    "pipewire": "gstreamer1.0-pipewire",
    "nice": "gstreamer1.0-nice",
}
_ELEMENTS = {
    "bad": "h264parse h265parse av1parse vp9parse openh264enc x265enc av1enc voaacenc "
    "webrtcbin dtlsenc srtpenc",
    "ugly": "x264enc",
    "libav": "avenc_prores_ks avenc_aac avenc_mpeg4",
    "good": "vp8enc vp9enc matroskamux webmmux mp4mux qtmux pngenc jpegenc v4l2src v4l2sink "
    "multifilesink vp8dec rtpbin rtpvp8pay rtpvp8depay deinterlace videoflip imagefreeze "
    "capssetter",
    "base": "videotestsrc uridecodebin decodebin parsebin videoconvert videoscale videorate "
    "opusenc vorbisenc",
    "pipewire": "pipewiresrc pipewiresink",
    "nice": "nicesrc nicesink",
}
_PACKAGE_OF = {
    name: PACKAGES[group] for group, names in _ELEMENTS.items() for name in names.split()
}
# The number of bytes from which GStreamer detects the type of a file.
HEAD_BYTES = 64 << 10
# Media types of videos that do not begin with "video/".
_VIDEOS = ("application/ogg", "application/x-3gp", "application/vnd.rn-realmedia")


def start() -> Any:
    """Registers the element and returns the module ``Gst``.

    Raises Failure if something is not installed.
    """
    try:
        vbgfilter.enable()
        import gi

        gi.require_version("GstBase", "1.0")
        gi.require_version("GstPbutils", "1.0")
        gi.require_version("GstVideo", "1.0")
    except (ImportError, RuntimeError, ValueError) as error:
        raise Failure(str(error), NOT_INSTALLED) from error
    return vbgfilter.Gst


def package_of(factory: str) -> str:
    """Returns the Debian package of an element. For unknown elements this is a guess."""
    return _PACKAGE_OF.get(factory, "gstreamer1.0-plugins-bad")


def has(factory: str) -> bool:
    """Whether an element is installed."""
    return vbgfilter.Gst.ElementFactory.find(factory) is not None


def make(factory: str, name: str | None = None) -> "Gst.Element":
    """Creates an element. Raises Failure with the package's name if it is not installed."""
    element = vbgfilter.Gst.ElementFactory.make(factory, name)
    if element is None:
        raise missing(f"GStreamer's element {factory}", apt=package_of(factory))
    return element


def set_file(element: "Gst.Element", path: pathlib.Path) -> None:
    """Sets the file of a filesrc or filesink as a URI, because properties must be UTF-8."""
    element.set_uri(path.absolute().as_uri())


def kind_of(head: bytes) -> str:
    """Returns the media type of a file from its first HEAD_BYTES, or "" if it is unknown."""
    start()
    from gi.repository import GstBase

    caps = GstBase.type_find_helper_for_data(None, head)[0] if head else None
    return caps.get_structure(0).get_name() if caps is not None else ""


def is_picture_or_video(path: pathlib.Path) -> bool:
    """Whether a file can be a background, judged by its first bytes. Its name does not matter."""
    try:
        with path.open("rb") as file:
            kind = kind_of(file.read(HEAD_BYTES))
    except OSError:
        return False
    return kind.startswith(("image/", "video/")) or kind in _VIDEOS


def describe(caps: "Gst.Caps") -> str:
    """Returns the name of a stream's format for the user, for example "H.264"."""
    from gi.repository import GstPbutils

    name = caps.get_structure(0).get_name()
    if caps.is_fixed() and not name.startswith("text/"):
        return GstPbutils.pb_utils_get_codec_description(caps) or name
    return "text" if name.startswith("text/") else name


def quoted(text: str) -> str:
    """Quotes a value for the parser of gst-launch-1.0. It must not end with a backslash."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def describe_element(element: "Gst.Element") -> str:
    """Returns an element with its texts and numbers in the syntax of gst-launch-1.0."""
    words = [element.get_factory().get_name()]
    for spec in element.list_properties():
        if spec.name in ("name", "client-name") or spec.flags & 3 != 3:  # readable and writable
            continue
        value = element.get_property(spec.name)
        if isinstance(value, (str, int)) and value != spec.default_value:
            words.append(f"{spec.name}={quoted(str(value))}")
    return " ".join(words)


def parse(description: str, bin: bool = False) -> Any:
    """Creates a pipeline, or a bin, from the syntax of gst-launch-1.0. Raises Failure."""
    gst = start()
    context = gst.ParseContext.new()
    flags = gst.ParseFlags.FATAL_ERRORS | (
        gst.ParseFlags.PLACE_IN_BIN if bin else gst.ParseFlags.NONE
    )
    try:
        return gst.parse_launch_full(description, context, flags)
    except glib_error() as error:
        names = context.get_missing_elements()
        if not names:
            raise Failure(f"GStreamer: {error.message}", SOME_FAILED) from error
        packages = " ".join(sorted({package_of(name) for name in names}))
        raise Failure(
            f"GStreamer: {error.message}: apt install {packages}", NOT_INSTALLED
        ) from error


def read_failure(path: pathlib.Path, error: "GLib.Error") -> Failure:
    """Returns the failure for an error of a pipeline that reads a file."""
    gst = vbgfilter.Gst
    if error.matches(gst.CoreError.quark(), gst.CoreError.MISSING_PLUGIN):
        return no_decoder(path)
    unknown = (gst.StreamError.TYPE_NOT_FOUND, gst.StreamError.WRONG_TYPE)
    if any(error.matches(gst.StreamError.quark(), each) for each in unknown):
        return Failure(f"{path}: is not a video that GStreamer recognizes", UNREADABLE)
    return Failure(f"{path}: cannot be read: {error.message.removesuffix('.')}", UNREADABLE)


def no_decoder(path: pathlib.Path, details: str = "") -> Failure:
    """Returns the failure for a file in a format without an installed decoder."""
    return Failure(
        f"{path}: GStreamer has no decoder for its format{details}: apt install "
        "gstreamer1.0-libav gstreamer1.0-plugins-good gstreamer1.0-plugins-bad",
        NOT_INSTALLED,
    )


def warning_of(message: "Gst.Message", element: "Gst.Element") -> str:
    """Returns the text of a message if it is a warning of the element, or else ""."""
    is_warning = message.type == vbgfilter.Gst.MessageType.WARNING and message.src == element
    return message.parse_warning()[0].message if is_warning else ""


def find_failure(
    pipeline: "Gst.Pipeline",
    is_harmless: "Callable[[GLib.Error], bool]" = lambda _: False,
    see_warning: "Callable[[Gst.Message], None]" = lambda _: None,
) -> str:
    """Returns the reason why a pipeline has stopped: an error or the end of the stream.

    Reads the messages posted since the last call, and passes warnings to ``see_warning``. Returns
    "" if the pipeline still runs.
    """
    gst = start()
    bus = pipeline.get_bus()
    kinds = gst.MessageType.ERROR | gst.MessageType.EOS | gst.MessageType.WARNING
    while (message := bus.pop_filtered(kinds)) is not None:
        if message.type == gst.MessageType.WARNING:
            see_warning(message)
            continue
        if message.type == gst.MessageType.EOS:
            return "the stream ended"
        error = message.parse_error()[0]
        if not is_harmless(error):
            return error.message
    return ""


def glib_error() -> type[Exception]:
    """Returns the exception type that PyGObject raises for a GError."""
    from gi.repository import GLib

    return GLib.Error
