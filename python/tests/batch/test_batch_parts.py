"""Parts of ``vbgfilter batch``: folders, late progress, and damaged or hostile records."""

import dataclasses
import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from vbgfilter.commands import main
from vbgfilter.commands.batch import page, records, slurm, task
from vbgfilter.commands.batch.places import Clip, Place
from vbgfilter.commands.batch.plan import check_places
from vbgfilter.commands.batch.records import Choices
from vbgfilter.commands.batch.report import Report
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.settings import Settings


def make_task(run: str) -> task.Task:
    clip = Clip("a.mp4", 1000, "1")
    return task.Task(run, "/nowhere", "/nowhere/else", clip, "a.mp4", Choices(Settings()))


def test_links_do_not_change_the_address_of_a_folder(tmp_path, monkeypatch):
    (tmp_path / "talks").mkdir()
    (tmp_path / "link").symlink_to("talks")
    monkeypatch.chdir(tmp_path)
    assert Place("talks").address == Place("link").address == str(tmp_path / "talks")
    # Results would replace the sources.
    with pytest.raises(Failure, match="one contains the other"):
        check_places(Place("talks"), Place("link"))


def test_hidden_files_are_skipped(tmp_path):
    for name in ("a.mp4", "._a.mp4", ".vbgfilter/unfinished/b.mp4"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert list(Place(str(tmp_path)).videos()) == ["a.mp4"]


def test_a_stopped_run_starts_no_further_process(tmp_path):
    task.stop("a run")
    with pytest.raises(task.Unfinished, match="stopped"):
        task.convert_clip(make_task("a run"), lambda done, frames: None)


def test_progress_after_the_end_of_a_clip_is_ignored():
    made = make_task("another run")
    report = Report([made.clip], as_json=True)
    report.progress("a.mp4", 5, 10)
    report.end(made.record("done", frames=10))
    report.progress("a.mp4", 6, 10)
    assert report._bar.tasks[0].completed == made.clip.size


def test_output_of_libraries_goes_to_stderr():
    code = (
        "import os; from vbgfilter.commands.batch import child; own = child._own_output();"
        "os.write(1, b'noise'); print('message', file=own, flush=True)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (told.stdout, told.stderr) == ("message\n", "noise")


def test_the_page_escapes_texts_of_records(tmp_path):
    place = Place(str(tmp_path))
    mark = '"><script>alert(1)</script>'
    done = make_task("run").record("done", frames=1, seconds=1.0, notes=[mark], error=mark)
    record = dataclasses.replace(done, name=mark + os.fsdecode(b"\xff.mp4"), thumbnail="/9j/")
    text = page.make_page(mark, mark, [record, record], mark).decode()
    assert "<script" not in text and "&lt;script&gt;" in text
    text = page.make_page("a", "b", [dataclasses.replace(record, thumbnail=mark)], "").decode()
    assert "<script" not in text
    records.save(place, record)
    assert records.load_all(place) == {record.name: record}


@pytest.mark.parametrize(
    "changed",
    [
        {"thumbnail": '"><script>'},
        {"thumbnail": None},
        {"frames": "<b>"},
        {"frames": 10**400},
        {"frames": -1},
        {"seconds": float("nan")},
        {"seconds": [1]},
        {"notes": "text"},
        {"notes": [{}]},
        {"name": 7},
        {"further": 1},
    ],
)
def test_a_record_with_wrong_values_is_ignored(tmp_path, changed):
    place, record = Place(str(tmp_path)), make_task("run").record("done")
    records.save(place, record)
    file = next((tmp_path / ".vbgfilter/clips").iterdir())
    file.write_text(json.dumps(dataclasses.asdict(record) | changed))
    assert records.load_all(place) == {} and records.load(place, "a.mp4") is None


def test_a_deeply_nested_list_or_record_is_not_accepted(tmp_path):
    place = Place(str(tmp_path))
    records.save(place, make_task("run").record("done"))
    next((tmp_path / ".vbgfilter/clips").iterdir()).write_text("[" * 100_000)
    assert records.load_all(place) == {}
    (tmp_path / ".vbgfilter/array.json").write_text("[" * 100_000)
    with pytest.raises(Failure, match="not a list of clips"):
        slurm.read_name(place, 0)


@pytest.mark.parametrize("length", [200, 247, 250, 255])
def test_records_of_long_names_are_kept(tmp_path, length):
    place, name = Place(str(tmp_path)), f"folder/{'é' * (length // 2)}"
    record = dataclasses.replace(make_task("run").record("done"), name=name)
    records.save(place, record)
    assert records.load(place, name) == record


def test_refuses_web_servers():
    with pytest.raises(Failure, match="s3://bucket/folder"):
        Place("http://127.0.0.1/talks")


def test_refuses_places_that_are_not_folders(tmp_path):
    for arguments, code, words in [
        ((__file__, tmp_path), 2, f"{__file__}: is not a folder"),
        ((tmp_path, __file__), 2, f"{__file__}: is not a folder"),
        ((tmp_path / "nothing", tmp_path / "out"), 4, "nothing: does not exist"),
        (("nix://talks", tmp_path), 2, "use a folder, or s3://bucket/folder"),
    ]:
        result = CliRunner().invoke(main, ["batch", *map(str, arguments)])
        assert (result.exit_code, words in result.output) == (code, True), result.output
