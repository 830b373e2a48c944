"""Reports of ``vbgfilter doctor``, with and without the element."""

import json
import os

from conftest import run

import vbgfilter
from vbgfilter.commands.doctor import installed, speed


def test_reports_installed_parts():
    result = run("doctor", "--quick", "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    checks = {each["what"]: each for each in report["checks"]}
    assert checks["element vbgfilter"]["found"].endswith("libgstvbgfilter.so")
    assert report["devices"]["CPU"] == ""
    # Each missing item has a line that installs it.
    assert all(bool(each["found"]) != bool(each["remedy"]) for each in report["checks"])
    assert report["speed"] == []


def test_measures_a_quality(monkeypatch):
    monkeypatch.setattr(speed, "_SECONDS", 0.3)
    found = speed.measure("fast", (160, 90))
    assert (found.quality, found.used) == ("fast", "fast")
    assert found.network == "selfie_segmentation_landscape.tflite"
    assert found.frames_per_second > 0
    assert found.inference_ms > 0


def test_names_the_command_that_installs_the_element(tmp_path):
    nothing = os.environ | {
        "GST_PLUGIN_PATH": "", "GST_REGISTRY": str(tmp_path / "registry"),
        "GST_PLUGIN_SYSTEM_PATH": "/usr/lib/x86_64-linux-gnu/gstreamer-1.0/none",
    }  # fmt: skip
    result = run("doctor", env=nothing)
    assert result.returncode == 3
    assert "apt install gstreamer1.0-vbgfilter" in result.stderr
    result = run("doctor", "--json", env=nothing)
    assert (result.returncode, json.loads(result.stdout)["exit-code"]) == (3, 3)


def test_names_libraries_that_are_missing(monkeypatch):
    monkeypatch.setattr(installed, "_LIBRARIES", [("Nothing", "no_such_library", "it", "libit")])
    for kind, line in (("is_wheel", 'pip install "it"'), ("is_debian", "apt install libit")):
        with monkeypatch.context() as patch:
            patch.setattr(vbgfilter, kind, lambda: True)
            checks = {each.what: each for each in installed.check_system()}
            assert checks["Nothing"].remedy == line
