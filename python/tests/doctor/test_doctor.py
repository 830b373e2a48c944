"""Reports of ``vbgfilter doctor``, with and without the element."""

import json
import os

import pytest
from click.testing import CliRunner
from conftest import run

import vbgfilter
from vbgfilter.commands import doctor
from vbgfilter.commands.doctor import advice, installed, speed


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
    assert report["recommendation"] is None


def test_measures_a_quality(monkeypatch):
    monkeypatch.setattr(speed, "_SECONDS", 0.3)
    found = speed.measure("fast", 1, (160, 90))
    assert (found.quality, found.used) == ("fast", "fast")
    assert found.network == "selfie_segmentation_landscape.tflite"
    assert found.frames_per_second > 0
    assert found.inference_ms > 0
    assert found.pixels_ms > 0


def test_names_the_command_that_installs_the_element(tmp_path):
    nothing = os.environ | {
        "GST_PLUGIN_PATH": "", "GST_REGISTRY": str(tmp_path / "registry"),
        "GST_PLUGIN_SYSTEM_PATH": "/usr/lib/x86_64-linux-gnu/gstreamer-1.0/none",
    }  # fmt: skip
    result = run("doctor", env=nothing)
    assert result.returncode == 3
    assert "apt install ./gstreamer1.0-vbgfilter_*.deb" in result.stderr
    result = run("doctor", "--json", env=nothing)
    assert (result.returncode, json.loads(result.stdout)["exit-code"]) == (3, 3)


def test_names_libraries_that_are_missing(monkeypatch):
    monkeypatch.setattr(installed, "_LIBRARIES", [("Nothing", "no_such_library", "it", "libit")])
    for kind, line in (("is_wheel", "pip install it"), ("is_debian", "apt install libit")):
        with monkeypatch.context() as patch:
            patch.setattr(vbgfilter, kind, lambda: True)
            checks = {each.what: each for each in installed.check_system()}
            assert checks["Nothing"].remedy == line


def _speed(quality, inference_ms, threads=1, used=None):
    return speed.Speed(quality, threads, used or quality, "", 0, inference_ms, 0.5)


@pytest.mark.parametrize(
    ("cores", "inference_ms", "expected"),
    [
        # With AVX-512, and with AVX2 on two cores.
        (2, (1, 17, 51), ("accurate", 1)),
        (2, (2, 50, 180), ("balanced", 1)),
        # Two threads shorten an inference that is too long with one.
        (4, (2, 50, 180), ("accurate", 2)),
        # Four threads would leave no core free.
        (4, (4, 100, 360), ("balanced", 1)),
        (8, (4, 100, 360), ("accurate", 4)),
        # Inferences would keep one of two cores busy.
        (2, (4, 100, 360), ("fast", 1)),
        # Half of the only core stays free.
        (1, (1, 30, 90), ("balanced", 1)),
        (1, (2, 50, 180), ("fast", 1)),
    ],
)
def test_recommends_the_best_quality_that_suits(cores, inference_ms, expected):
    speeds = [_speed(*each) for each in zip(speed.QUALITIES, inference_ms, strict=True)]
    of_one = dict(zip(speed.QUALITIES, inference_ms, strict=True))

    def measure(quality, threads):
        return _speed(quality, of_one[quality] / threads, threads)

    found = advice.recommend(speeds, cores, "720p", measure)
    assert (found.quality, found.threads) == expected
    assert found.reason.startswith(f"an inference takes {found.inference_ms:.3g} ms, and 720p30")
    assert "too slow" not in found.reason


def test_recommends_only_installed_qualities():
    speeds = [_speed("fast", 2)]
    speeds += [_speed(quality, 2, used="fast") for quality in ("balanced", "accurate")]
    assert advice.recommend(speeds, 8, "720p", None).quality == "fast"


def test_says_that_no_quality_suits():
    speeds = [_speed(quality, 400) for quality in speed.QUALITIES]
    found = advice.recommend(speeds, 2, "1080p", None)
    assert (found.quality, found.threads) == ("fast", 1)
    assert found.reason.endswith("of 2 cores. Even this quality may be too slow")


def test_ends_with_a_recommendation(monkeypatch):
    monkeypatch.setattr(speed, "measure", lambda quality, threads, _: _speed(quality, 2, threads))
    result = CliRunner().invoke(doctor.command)
    assert result.exit_code == 0, result.output
    last = result.output.splitlines()[-1].split(maxsplit=1)
    assert last[0] == "recommended"
    assert last[1].startswith("vbgfilter quality=accurate threads=1: an inference takes 2 ms, ")
    report = json.loads(CliRunner().invoke(doctor.command, "--json").stdout)
    assert report["recommendation"]["quality"] == "accurate"
    assert report["recommendation"]["threads"] == 1
    assert [each["threads"] for each in report["speed"]] == [1, 1, 1]
