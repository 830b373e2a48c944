"""The GStreamer element vbgfilter, which hides the background of a person in live video."""

import importlib.metadata
import importlib.util
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from gi.repository import Gst

__all__ = ["Gst", "enable"]

_PACKAGE = pathlib.Path(__file__).resolve().parent
# The wheel's own plugin, networks and presets. Debian's package and the source tree lack them.
_LIB = _PACKAGE / "lib"
_PLUGIN = _LIB / "gstreamer-1.0" / "libgstvbgfilter.so"
_VARIABLE = "VBGFILTER_RUNTIME_DIR"
_PRESETS = "GST_PRESET_PATH"
# A folder of links to OpenVINO's libraries and to the networks, removed when the process ends.
_runtime: Optional["tempfile.TemporaryDirectory[str]"] = None


def _version() -> str:
    try:
        return importlib.metadata.version("vbgfilter")
    except importlib.metadata.PackageNotFoundError:
        # The version file of Debian's package or of the source tree.
        files = (_PACKAGE / "VERSION", _PACKAGE.parents[1] / "VERSION")
        return next(each for each in files if each.exists()).read_text().strip()


__version__: str = _version()


def is_wheel() -> bool:
    """Whether pip installed this package."""
    return _PLUGIN.exists()


def is_debian() -> bool:
    """Whether apt installed this package. In a source tree both this and is_wheel return False."""
    return not is_wheel() and (_PACKAGE / "VERSION").exists()


def __getattr__(name: str) -> Any:
    # Import late, so that the command can report missing packages.
    if name != "Gst":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import gi

        gi.require_version("Gst", "1.0")
        from gi.repository import Gst
    except (ImportError, ValueError) as error:
        raise ImportError(
            "vbgfilter needs PyGObject and GStreamer's introspection data. On Debian and Ubuntu: "
            "apt install python3-gi gir1.2-gst-plugins-base-1.0. A virtual environment sees them "
            "if it is created with --system-site-packages. If this is not the system's Python: apt "
            "install gcc pkg-config python3-dev libcairo2-dev libgirepository1.0-dev, then "
            f"pip install 'PyGObject<3.52'. ({error})"
        ) from error
    globals()["Gst"] = Gst
    return Gst


def _openvino_folder() -> pathlib.Path:
    """Returns the folder of OpenVINO's libraries, without opening them."""
    found = importlib.util.find_spec("openvino")
    for place in (found.submodule_search_locations or []) if found else []:
        folder = pathlib.Path(place) / "libs"
        if any(folder.glob("libopenvino_c.so*")):
            return folder
    raise ImportError("OpenVINO is not installed: pip install openvino")


def _runtime_folder() -> str:
    """Creates and returns the plugin's runtime folder. Only this user can write to it."""
    global _runtime
    libraries = _openvino_folder()
    _runtime = tempfile.TemporaryDirectory(prefix="vbgfilter-")
    folder = pathlib.Path(_runtime.name)
    for library in libraries.iterdir():
        (folder / library.name).symlink_to(library)
    (folder / "models").symlink_to(_LIB / "vbgfilter" / "models")
    return _runtime.name


def enable() -> None:
    """Registers the element ``vbgfilter`` and its presets with GStreamer in this process.

    Initializes GStreamer if necessary. A second call does nothing.

    - A wheel contains the plugin. It takes precedence over other installed plugins, unless one of
      those has already created an element.
    - Debian's Python package and a source tree contain no plugin. They use the one that GStreamer
      finds.

    Call this function before other threads read the environment: it may set VBGFILTER_RUNTIME_DIR
    and GST_PRESET_PATH.

    Raises ImportError if OpenVINO or PyGObject is missing, and RuntimeError if GStreamer finds no
    plugin or cannot load it.
    """
    if _runtime is not None:
        return
    gst = __getattr__("Gst")
    if not gst.is_initialized():
        gst.init(None)
    if not _PLUGIN.exists():
        if gst.ElementFactory.find("vbgfilter") is None:
            raise RuntimeError(
                "GStreamer does not find the element vbgfilter: apt install "
                "./gstreamer1.0-vbgfilter_*.deb, or set GST_PLUGIN_PATH to the folder of "
                "libgstvbgfilter.so (in the source tree: eval \"$(./meson-helper/env)\")"
            )
        return
    folder = _runtime_folder()
    os.environ.setdefault(_VARIABLE, folder)
    presets = [str(_LIB / "presets"), os.environ.get(_PRESETS, "")]
    os.environ[_PRESETS] = os.pathsep.join(filter(None, presets))
    from gi.repository import GLib

    try:
        gst.Plugin.load_file(str(_PLUGIN))
    except GLib.Error as error:
        raise RuntimeError(f"GStreamer could not load {_PLUGIN}: {error.message}") from error
