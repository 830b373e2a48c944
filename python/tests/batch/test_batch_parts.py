"""Parts of ``vbgfilter batch``: places, what comes late, and what others write."""

import subprocess
import sys

import pytest

from vbgfilter.commands.batch import task
from vbgfilter.commands.batch.places import Clip, Place
from vbgfilter.commands.batch.plan import check_places
from vbgfilter.commands.batch.records import Choices
from vbgfilter.commands.batch.report import Report
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.settings import Settings


def make_task(run: str) -> task.Task:
    clip = Clip("a.mp4", 1000, "1")
    return task.Task(run, "/nowhere", "/nowhere/else", clip, "a.mp4", Choices(Settings()))


def test_local_places_are_the_same_from_everywhere(tmp_path, monkeypatch):
    (tmp_path / "talks").mkdir()
    (tmp_path / "link").symlink_to("talks")
    monkeypatch.chdir(tmp_path)
    assert Place("talks").address == Place("link").address == str(tmp_path / "talks")
    # Results would replace the sources.
    with pytest.raises(Failure, match="one lies in the other"):
        check_places(Place("talks"), Place("link"))


def test_hidden_files_are_no_videos(tmp_path):
    for name in ("a.mp4", "._a.mp4", ".vbgfilter/unfinished/b.mp4"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert list(Place(str(tmp_path)).videos()) == ["a.mp4"]


def test_a_stopped_run_starts_no_further_process(tmp_path):
    task.stop("a run")
    with pytest.raises(task.Unfinished, match="stopped"):
        task.convert_clip(make_task("a run"), lambda done, frames: None)


def test_progress_that_comes_late_takes_nothing_back():
    made = make_task("another run")
    report = Report([made.clip], as_json=True)
    report.progress("a.mp4", 5, 10)
    report.end(made.record("done", frames=10))
    report.progress("a.mp4", 6, 10)
    assert report._bar.tasks[0].completed == made.clip.size


def test_what_libraries_print_is_no_message():
    code = (
        "import os; from vbgfilter.commands.batch import child; own = child._own_output();"
        "os.write(1, b'noise'); print('message', file=own, flush=True)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (told.stdout, told.stderr) == ("message\n", "noise")
