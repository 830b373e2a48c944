"""The element's properties: descriptions and values for the page, and a gst-launch-1.0 line."""

import shlex
from typing import Any

import click
from gi.repository import GObject

from vbgfilter import Gst
from vbgfilter.commands import gstreamer, settings

# Characters without a special meaning in values for gst-launch-1.0.
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:")
# Properties with a path as value. A page may only upload files: if it could set paths, it could
# find out which files exist on this machine.
_FILES = frozenset({"background-path"})


def own_specifications(element: Gst.Element) -> list[Any]:
    """Returns the specifications of all properties that the element itself defines.

    Inherited and deprecated properties are left out.
    """
    return [
        spec
        for spec in element.list_properties()
        if spec.owner_type == element.__gtype__ and not spec.flags & GObject.ParamFlags.DEPRECATED
    ]


def _kind(spec: Any) -> str:
    if spec.value_type.is_a(GObject.TYPE_ENUM):
        return "enum"
    # GObject has no colour type, so recognize colours by their name.
    if spec.name.endswith("-color"):
        return "color"
    names = {"gboolean": "boolean", "gchararray": "string", "gdouble": "double", "guint": "uint"}
    return names.get(spec.value_type.name, spec.value_type.name)


def when(spec: Any) -> str:
    """Returns when a change of a property takes effect: see ``describe``."""
    if not spec.flags & GObject.ParamFlags.WRITABLE:
        return "never"
    return "playing" if spec.flags & Gst.PARAM_MUTABLE_PLAYING else "start"


def plain(value: Any) -> Any:
    """Converts a property's value for JSON: enumerations become their nicks."""
    return getattr(value, "value_nick", value)


def text(value: Any) -> str:
    """Returns a property's value as a text, like gst-launch-1.0."""
    value = "" if value is None else plain(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def default(element: Gst.Element, spec: Any) -> Any:
    """Returns a property's default for JSON."""
    if _kind(spec) != "enum":
        return spec.default_value
    # PyGObject 3.50 returns a plain number for the default of an enumeration.
    values = settings.enum_values(element, spec.name)
    return next(each.value_nick for each in values if int(each) == int(spec.default_value))


def describe(element: Gst.Element) -> list[dict[str, Any]]:
    """Returns descriptions of all properties except ``stats``, for the page's controls.

    - Each description has ``name``, ``kind``, ``blurb``, ``default``, ``value``, ``when`` and
      ``file``.
    - ``when`` is the time at which a change takes effect: ``playing`` (at once), ``start`` (at the
      next start of the stream) or ``never`` (the property is read-only).
    - ``file`` is whether the value is a path.
    - Numbers also have ``minimum`` and ``maximum``.
    - Enumerations also have ``choices`` with ``nick`` and ``blurb``.
    """
    described = []
    for spec in own_specifications(element):
        kind = _kind(spec)
        if kind == "GstStructure":
            continue
        entry = {
            "name": spec.name,
            "kind": kind,
            "blurb": spec.blurb,
            "default": default(element, spec),
            "value": plain(element.get_property(spec.name)),
            "when": when(spec),
            "file": spec.name in _FILES,
        }
        if kind == "enum":
            values = settings.enum_values(element, spec.name)
            entry["choices"] = [{"nick": v.value_nick, "blurb": v.value_name} for v in values]
        elif kind in ("double", "uint"):
            entry |= {"minimum": spec.minimum, "maximum": spec.maximum}
        described.append(entry)
    return described


def read_only_values(element: Gst.Element) -> dict[str, Any]:
    """Returns the current values of read-only properties, except ``stats``."""
    return {
        spec.name: plain(element.get_property(spec.name))
        for spec in own_specifications(element)
        if when(spec) == "never" and _kind(spec) != "GstStructure"
    }


def statistics(element: Gst.Element) -> dict[str, Any]:
    """Returns the fields of ``stats``."""
    stats = element.get_property("stats")
    names = (stats.nth_field_name(index) for index in range(stats.n_fields()))
    return {name: stats.get_value(name) for name in names}


def set_from_page(element: Gst.Element, name: str, value: Any) -> None:
    """Sets a property to a value from a page. Raises ValueError if the value is rejected."""
    if name not in {spec.name for spec in own_specifications(element)}:
        raise ValueError(f"vbgfilter has no property {name}")
    if name in _FILES:
        raise ValueError(f"{name}: add the file to the page instead")
    if not isinstance(value, (str, int, float)):
        raise ValueError(f"{name} must be a text, a number, true or false")
    if name == "model" and any(each in str(value) for each in "/\\:"):
        raise ValueError("model: use the name of an installed network, without a folder")
    try:
        settings.set_property(element, name, text(value))
    except click.UsageError as error:
        raise ValueError(error.message) from error


def is_changed(element: Gst.Element, spec: Any) -> bool:
    """Whether a property can be set and does not have its default."""
    value = plain(element.get_property(spec.name))
    return when(spec) != "never" and (value or None) != (default(element, spec) or None)


def _quoted(value: str) -> str:
    """Quotes a value for the parser of gst-launch-1.0, if necessary."""
    return value if value and _PLAIN.issuperset(value) else gstreamer.quoted(value)


def assignment(name: str, value: Any) -> str:
    """Returns NAME=VALUE, quoted for a shell."""
    value = f"{value:.15g}" if isinstance(value, float) else text(value)
    return shlex.quote(f"{name}={_quoted(value)}")


def changed(element: Gst.Element, files: dict[str, str]) -> list[str]:
    """Returns assignments for all properties with non-default values, quoted for a shell.

    ``files`` maps paths to the user's file names.
    """
    words = []
    for spec in own_specifications(element):
        if not is_changed(element, spec):
            continue
        value = plain(element.get_property(spec.name))
        if spec.name in _FILES:
            value = files.get(value, value)
        shown = f"{value:#010x}" if _kind(spec) == "color" else value
        words.append(assignment(spec.name, shown))
    return words


def launch_line(element: Gst.Element, source: str, files: dict[str, str]) -> str:
    """Returns the page's pipeline as a gst-launch-1.0 line.

    ``source`` is the source element, already quoted for a shell.
    """
    words = " ".join(["vbgfilter", *changed(element, files)])
    return (
        f"gst-launch-1.0 {source} ! decodebin ! videoconvert ! {words} "
        "! queue ! videoconvert ! autovideosink"
    )
