"""Writes the table of the element's properties from the element's own descriptions.

    write_properties.py ROOT            writes the table in ROOT/docs/properties.md
    write_properties.py ROOT --check    fails if the table does not match the element

GStreamer must find the plugin. The script changes only the text between the two marks of the page.
"""

import pathlib
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst  # noqa: E402

BEGIN, END = "<!-- written by write_properties.py: begin -->\n", "<!-- end -->\n"
NAMES = {"gboolean": "boolean", "gchararray": "string", "gdouble": "double", "guint": "uint"}


def shown(value):
    """Returns a value in the syntax of gst-launch-1.0."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def default_of(spec, is_color):
    value = spec.default_value
    if spec.value_type.is_a(GObject.TYPE_ENUM):
        return f"`{value.value_nick}`"
    if value in (None, ""):
        return ""
    return f"`{value:#010x}`" if is_color else f"`{shown(value)}`"


def type_of(spec, is_color):
    if spec.value_type.is_a(GObject.TYPE_ENUM):
        return "enum"
    name = NAMES.get(spec.value_type.name, spec.value_type.name)
    bounded = hasattr(spec, "minimum") and not is_color
    if bounded and spec.maximum < 2**31:
        return f"{name}, {shown(spec.minimum)} to {shown(spec.maximum)}"
    return name


def when(spec):
    if not spec.flags & GObject.ParamFlags.WRITABLE:
        return "read-only"
    if spec.flags & Gst.PARAM_MUTABLE_PLAYING:
        return "playing, by controllers too" if spec.flags & Gst.PARAM_CONTROLLABLE else "playing"
    return "before the start"


def rows(element):
    own = [spec for spec in element.list_properties() if spec.owner_type == element.__gtype__]
    for spec in own:
        is_color = spec.name.endswith("-color")
        text = spec.blurb
        if spec.value_type.is_a(GObject.TYPE_ENUM):
            values = spec.enum_class.__enum_values__.values()
            text += "".join(f"<br>`{each.value_nick}`: {each.value_name}" for each in values)
        fields = [
            f"`{spec.name}`", type_of(spec, is_color), default_of(spec, is_color), when(spec), text]
        yield "| " + " | ".join(field.replace("|", "\\|") for field in fields) + " |\n"


def main():
    Gst.init(None)
    element = Gst.ElementFactory.make("vbgfilter")
    if element is None:
        sys.exit("no element \"vbgfilter\": see gst-inspect-1.0 vbgfilter for why")
    page = pathlib.Path(sys.argv[1], "docs", "properties.md")
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    table = "| property | type | default | can be set | meaning |\n| --- | --- | --- | --- | --- |\n"
    text = before + BEGIN + table + "".join(rows(element)) + END + after
    if "--check" not in sys.argv[2:]:
        page.write_text(text)
    elif page.read_text() != text:
        sys.exit(f"{page} does not match the element: run {sys.argv[0]} {sys.argv[1]}")


if __name__ == "__main__":
    main()
