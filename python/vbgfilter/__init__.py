"""The GStreamer element vbgfilter, which hides the room behind a person in live video."""

import importlib.metadata
import importlib.util
import os
import pathlib
import tempfile
from typing import Optional

try:
    import gi

    gi.require_version("Gst", "1.0")
    from gi.repository import Gst
except (ImportError, ValueError) as error:
    raise ImportError(
        "vbgfilter needs PyGObject and GStreamer's introspection data. On Debian and Ubuntu: "
        "apt install python3-gi gir1.2-gst-plugins-base-1.0, seen from a virtual environment made with "
        "--system-site-packages; or pip install PyGObject. "
        f"({error})"
    ) from error

__all__ = ["Gst", "enable"]
__version__: str = importlib.metadata.version("vbgfilter")

_LIB = pathlib.Path(__file__).resolve().parent / "lib"
_VARIABLE = "VBGFILTER_RUNTIME_DIR"
# Removed with the process: links to OpenVINO's libraries and to the networks.
_runtime: Optional["tempfile.TemporaryDirectory[str]"] = None


def _openvino_folder() -> pathlib.Path:
    """Where OpenVINO's libraries are; they are not opened yet."""
    found = importlib.util.find_spec("openvino")
    for place in (found.submodule_search_locations or []) if found else []:
        folder = pathlib.Path(place) / "libs"
        if any(folder.glob("libopenvino_c.so*")):
            return folder
    raise ImportError("vbgfilter finds no OpenVINO: pip install openvino")


def _runtime_folder() -> str:
    """The folder that the plugin looks in: beside it nobody may be allowed to write."""
    global _runtime
    libraries = _openvino_folder()
    _runtime = tempfile.TemporaryDirectory(prefix="vbgfilter-")
    folder = pathlib.Path(_runtime.name)
    for library in libraries.iterdir():
        (folder / library.name).symlink_to(library)
    (folder / "models").symlink_to(_LIB / "vbgfilter" / "models")
    return _runtime.name


def enable() -> None:
    """Makes the element ``vbgfilter`` known to GStreamer in this process.

    Initializes GStreamer if nobody has. Of several installed plugins the one of this package is used,
    unless an element of another one was made before. A second call does nothing. Call it before other
    threads read the environment, which gets VBGFILTER_RUNTIME_DIR if that is not set.

    Raises ImportError when OpenVINO is missing and RuntimeError when GStreamer cannot load the plugin.
    """
    if _runtime is not None:
        return
    if not Gst.is_initialized():
        Gst.init(None)
    folder = _runtime_folder()
    os.environ.setdefault(_VARIABLE, folder)
    plugin = _LIB / "gstreamer-1.0" / "libgstvbgfilter.so"
    try:
        Gst.Plugin.load_file(str(plugin))
    except gi.repository.GLib.Error as error:
        raise RuntimeError(f"GStreamer does not load {plugin}: {error.message}") from error
