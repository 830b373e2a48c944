"""The options that configure the element, and the properties that they set."""

import functools
import pathlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from vbgfilter.commands import gstreamer
from vbgfilter.commands.names import is_utf8, shown

if TYPE_CHECKING:
    from gi.repository import Gst

# CSS's basic colours.
COLORS = {
    "black": 0x000000, "silver": 0xC0C0C0, "gray": 0x808080, "white": 0xFFFFFF,
    "maroon": 0x800000, "red": 0xFF0000, "purple": 0x800080, "fuchsia": 0xFF00FF,
    "green": 0x008000, "lime": 0x00FF00, "olive": 0x808000, "yellow": 0xFFFF00,
    "navy": 0x000080, "blue": 0x0000FF, "teal": 0x008080, "aqua": 0x00FFFF,
}  # fmt: skip
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_URI = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
# Properties that --set must not change, because --background sets them.
_RESERVED = {"effect", "background-path", "background-color"}


def parse_color(text: str) -> int | None:
    """Parses a colour's name, #rrggbb or #rgb. Returns 0xAARRGGBB, or None for other texts."""
    found = _HEX.fullmatch(text)
    rgb = COLORS.get(text.lower())
    if found:
        digits = found[1]
        rgb = int(digits if len(digits) == 6 else "".join(2 * each for each in digits), 16)
    return None if rgb is None else 0xFF000000 | rgb


def background_properties(text: str) -> dict[str, str]:
    """Returns the element's properties for a value of --background.

    The value is an effect (blur or transparent), a colour, a URI or an existing file. Raises
    click.BadParameter for other values.
    """
    if text.lower() in ("blur", "transparent"):
        return {"effect": text.lower()}
    color = parse_color(text)
    if color is not None:
        return {"effect": "color", "background-color": str(color)}
    if _URI.match(text):
        return {"background-path": text, "effect": "replace"}
    path = pathlib.Path(text).expanduser()
    if not path.is_file():
        names = ", ".join(COLORS)
        raise click.BadParameter(
            f"{text} is neither a file nor one of: blur, transparent, #rrggbb, #rgb, {names}.",
            param_hint="--background",
        )
    found = str(path.resolve())
    if not is_utf8(found):
        text = f"{shown(found)} has a name that is not UTF-8: rename it."
        raise click.BadParameter(text, param_hint="--background")
    # In this order a running element never has the effect without its picture.
    return {"background-path": found, "effect": "replace"}


@dataclass(frozen=True)
class Settings:
    """The user's settings for the element."""

    properties: dict[str, str] = field(default_factory=dict)
    preset: str | None = None

    @property
    def transparent(self) -> bool:
        """Whether the output has an alpha channel."""
        return self.properties.get("effect") == "transparent"

    def check(self, is_live: bool = False) -> None:
        """Raises click.UsageError for invalid settings.

        These are all settings that ``apply`` rejects, and quality=auto unless ``is_live``.
        """
        gstreamer.start()
        element = gstreamer.make("vbgfilter")
        self.apply(element)
        if not is_live and element.get_property("quality").value_nick == "auto":
            raise click.UsageError(
                "quality auto is only for cameras: for files choose fast, balanced or accurate."
            )

    def apply(self, element: "Gst.Element") -> None:
        """Sets the element's properties. Raises click.UsageError for invalid settings."""
        if self.preset is not None and not element.load_preset(self.preset):
            known = ", ".join(element.get_preset_names()) or "none"
            raise click.UsageError(f"There is no preset {self.preset}; known: {known}.")
        # Without --background, blur, even if the preset has another effect.
        for name, value in (background_properties("blur") | self.properties).items():
            set_property(element, name, value)
        element.set_property("active", True)
        check_hidden(element)


def check_hidden(element: "Gst.Element") -> None:
    """Raises click.UsageError if the element's settings show the room."""
    if not element.get_property("active"):
        raise click.UsageError("active=false shows the room.")
    if element.get_property("effect").value_nick == "none":
        raise click.UsageError("effect=none shows the room.")
    if element.get_property("blur-radius") <= 0:
        raise click.UsageError("blur-radius=0 shows the room: use a larger value.")


def set_property(element: "Gst.Element", name: str, value: str) -> None:
    """Sets a property from a text, like gst-launch-1.0.

    Raises click.UsageError if the property or the value is invalid.
    """
    from gi.repository import GObject, Gst

    pspec = element.find_property(name)
    is_plain = pspec is not None and pspec.value_type.fundamental not in (
        GObject.TYPE_OBJECT, GObject.TYPE_BOXED
    )  # fmt: skip
    if not is_plain or not pspec.flags & GObject.ParamFlags.WRITABLE:
        raise click.UsageError(
            f"vbgfilter has no writable property {name}: gst-inspect-1.0 vbgfilter lists them."
        )
    if pspec.value_type.is_a(GObject.TYPE_ENUM):
        nicks = [each.value_nick for each in enum_values(element, name)]
        if value not in nicks:
            raise click.UsageError(f"{name} must be one of {', '.join(nicks)}, not {value}.")
    elif pspec.value_type != GObject.TYPE_STRING:
        _check_plain(pspec, name, value)
    Gst.util_set_object_arg(element, name, value)


def enum_values(element: "Gst.Element", name: str) -> list[Any]:
    """Returns all values of the enumeration type of a property."""
    kind = type(element.get_property(name))
    # Since PyGObject 3.52 such types are Python enumerations.
    known = getattr(kind, "__enum_values__", None)
    return list(known.values()) if known else list(kind)


def _check_plain(pspec: Any, name: str, value: str) -> None:
    from gi.repository import GObject

    if pspec.value_type == GObject.TYPE_BOOLEAN:
        if value not in ("true", "false"):
            raise click.UsageError(f"{name} must be true or false, not {value}.")
        return
    whole = pspec.value_type != GObject.TYPE_DOUBLE
    try:
        number = int(value, 0) if whole else float(value)
    except ValueError:
        number = None
    if number is None or not pspec.minimum <= number <= pspec.maximum:
        kind = "a whole number" if whole else "a number"
        raise click.UsageError(
            f"{name} must be {kind} from {pspec.minimum} to {pspec.maximum}, not {value}."
        )


def parse_assignments(texts: Iterable[str]) -> dict[str, str]:
    """Parses the values of ``--set NAME=VALUE``."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{text} is not NAME=VALUE.", param_hint="--set")
        if name in _RESERVED:
            raise click.BadParameter(
                f"{name} is set by --background: use that option.", param_hint="--set"
            )
        if name == "active":
            raise click.BadParameter(
                "active cannot be set, because active=false shows the room.", param_hint="--set"
            )
        found[name] = value
    return found


_OPTIONS = [
    click.option(
        "--background", "-b", metavar="WHAT",
        help="blur (the default), transparent (files), a picture, a video, "
        "#rrggbb or a colour's name.",
    ),
    click.option(
        "--quality", "-q", type=click.Choice(["fast", "balanced", "accurate", "auto"]),
        metavar="LEVEL", help="fast, balanced (default), accurate, auto (cameras).",
    ),
    click.option(
        "--keep", type=click.Choice(["everyone", "nearest", "tracked"]), metavar="WHO",
        help="everyone (the default), nearest or tracked.",
    ),
    click.option(
        "--preset", metavar="NAME",
        help="meeting, low-power, studio; cameras: your own, too.",
    ),
    click.option(
        "--set", "assignments", multiple=True, metavar="NAME=VALUE",
        help="Another property of the element. Can be repeated.",
    ),
]  # fmt: skip


def make_settings(
    background: str | None = None,
    quality: str | None = None,
    keep: str | None = None,
    preset: str | None = None,
    assignments: Iterable[str] = (),
) -> Settings:
    """Creates settings from the values of the options."""
    properties = parse_assignments(assignments)
    if quality is not None:
        properties["quality"] = quality
    if keep is not None:
        properties["keep"] = keep
    if background is not None:
        properties |= background_properties(background)
    return Settings(properties, preset)


def element_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options to a command and passes their values as one argument ``settings``."""

    @functools.wraps(command)
    def run(*args: Any, **values: Any) -> Any:
        names = ("background", "quality", "keep", "preset", "assignments")
        chosen = {name: values.pop(name) for name in names}
        return command(*args, settings=make_settings(**chosen), **values)

    for option in reversed(_OPTIONS):
        run = option(run)
    return run
