"""The description of the properties, settable properties, and the gst-launch-1.0 line."""

import shlex
from types import SimpleNamespace
from typing import Any

import pytest

from vbgfilter.commands import errors, gstreamer, properties
from vbgfilter.commands.studio import needs

NASTY = [
    "person,dog", "two words", "it's", 'a "quoted" word', "back\\slash", "$(touch x)",
    "a;b!c ! fakesink", "=", "ä€ 日本", "-x", "tab\there",
]  # fmt: skip


@pytest.fixture
def element() -> Any:
    gstreamer.start()
    return gstreamer.make("vbgfilter")


def test_describes_all_properties_of_the_element(element: Any) -> None:
    described = {each["name"]: each for each in properties.describe(element)}
    own = {spec.name for spec in element.list_properties() if spec.owner_type == element.__gtype__}
    assert set(described) == own - {"stats", "skip-still"}
    assert "name" not in described
    radius = described["blur-radius"]
    assert (radius["kind"], radius["minimum"], radius["maximum"]) == ("double", 0, 100)
    assert radius["when"] == "playing"
    assert described["device"]["when"] == "start"
    assert described["person-present"]["when"] == "never"
    assert described["background-color"]["kind"] == "color"
    assert {"nick": "blur", "blurb": "Blur the room"} in described["effect"]["choices"]
    assert described["effect"]["default"] == "auto"


def test_knows_defaults_that_are_plain_numbers(element: Any) -> None:
    spec = element.find_property("quality")
    plain = SimpleNamespace(name=spec.name, value_type=spec.value_type, default_value=1)
    assert properties.default(element, plain) == properties.default(element, spec) == "balanced"


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [("effect", "matte", "matte"), ("blur-radius", 12.5, 12.5), ("despill", False, False),
     ("background-color", 0xFF102030, 0xFF102030), ("threads", 2, 2), ("model", "u2netp.onnx",
     "u2netp.onnx")],
)  # fmt: skip
def test_sets_values_from_a_page(element: Any, name: str, value: Any, read: Any) -> None:
    properties.set_from_page(element, name, value)
    assert properties.plain(element.get_property(name)) == read


@pytest.mark.parametrize(
    ("name", "value"),
    [("effect", "nothing"), ("blur-radius", 101), ("blur-radius", "much"), ("blur-radius", []),
     ("despill", "perhaps"), ("stats", "x"), ("no-such", 1), ("name", "x"), ("qos", True),
     ("background-path", "/etc/passwd"), ("model", "/etc/passwd"), ("model", "http://x/y"),
     ("model", "..\\x"), ("blur-radius", float("nan")), ("threads", 1.5), ("effect", None)],
)  # fmt: skip
def test_refuses_values_that_a_page_may_not_set(element: Any, name: str, value: Any) -> None:
    with pytest.raises(ValueError):
        properties.set_from_page(element, name, value)


@pytest.mark.parametrize("text", NASTY)
def test_line_survives_shell_and_parser(element: Any, text: str) -> None:
    from gi.repository import Gst

    element.set_property("subjects", text)
    element.set_property("blur-radius", 1 / 3)
    element.set_property("background-color", 0xFF010203)
    source = f"filesrc name=source {properties.assignment('location', 'my ' + text)}"
    line = properties.launch_line(element, source, {})
    words = shlex.split(line.replace("vbgfilter", "vbgfilter name=effect", 1))
    assert words[0] == "gst-launch-1.0"
    pipeline = Gst.parse_launchv(words[1:])
    made = pipeline.get_by_name("effect")
    assert made.get_property("subjects") == text
    assert made.get_property("blur-radius") == pytest.approx(1 / 3)
    assert made.get_property("background-color") == 0xFF010203
    assert pipeline.get_by_name("source").get_property("location") == "my " + text


def test_line_has_only_changed_properties(element: Any) -> None:
    line = properties.launch_line(element, "v4l2src", {})
    assert "! vbgfilter !" in line
    element.set_property("background-path", "/tmp/x/1234")
    line = properties.launch_line(element, "v4l2src", {"/tmp/x/1234": "wall.png"})
    assert "! vbgfilter background-path=wall.png !" in line


@pytest.mark.parametrize(
    ("factory", "package"),
    [
        ("nicesrc", "gstreamer1.0-nice"),
        ("webrtcbin", "gstreamer1.0-plugins-bad"),
        ("vp8enc", "gstreamer1.0-plugins-good"),
    ],
)
def test_names_the_package_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, factory: str, package: str
) -> None:
    has = gstreamer.has
    monkeypatch.setattr(gstreamer, "has", lambda name: name != factory and has(name))
    with pytest.raises(errors.Failure, match=f"{factory}.*apt install {package}") as failure:
        needs.check_installed()
    assert failure.value.exit_code == errors.NOT_INSTALLED
