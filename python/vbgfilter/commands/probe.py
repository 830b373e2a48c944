"""Examines media files with GStreamer's discoverer, without displaying or writing anything."""

import os
import pathlib

from vbgfilter.commands import gstreamer
from vbgfilter.commands.errors import UNREADABLE, Failure

# The time limit of each attempt. GStreamer 1.22 sometimes misses the error of a broken file and
# waits until the limit, so the first attempts are short. A slow network disk may need the last one.
_TIMEOUTS_SECONDS = (3, 3, 30)


def check_readable(path: pathlib.Path) -> None:
    """Raises Failure with UNREADABLE unless the path is that of a file with data to read."""
    if not path.exists():
        reason = "does not exist: check the path"
    elif not path.is_file():
        reason = "is not a file"
    elif not os.access(path, os.R_OK):
        reason = "cannot be read: check its permissions"
    elif not path.stat().st_size:
        reason = "is empty: copy or download it again"
    else:
        return
    raise Failure(f"{path}: {reason}", UNREADABLE)


def check_video(path: pathlib.Path) -> None:
    """Raises Failure with UNREADABLE if a file contains no video that GStreamer can read.

    Raises Failure with NOT_INSTALLED if GStreamer has no plugin for it.
    """
    gst = gstreamer.start()
    from gi.repository import GLib, GstPbutils

    check_readable(path)
    for timeout in _TIMEOUTS_SECONDS:
        discoverer = GstPbutils.Discoverer.new(timeout * gst.SECOND)
        try:
            info = discoverer.discover_uri(path.resolve().as_uri())
        except GLib.Error as error:
            raise gstreamer.read_failure(path, error) from error
        result = info.get_result()
        if result != GstPbutils.DiscovererResult.TIMEOUT:
            break
    if result == GstPbutils.DiscovererResult.MISSING_PLUGINS:
        details = ", ".join(info.get_missing_elements_installer_details() or ())
        raise gstreamer.no_decoder(path, f" ({details.split('|')[-2:][0]})")
    if result != GstPbutils.DiscovererResult.OK:
        raise Failure(f"{path}: cannot be read ({result.value_nick})", UNREADABLE)
    if all(each.is_image() for each in info.get_video_streams()):
        raise Failure(f"{path}: contains no video", UNREADABLE)
