"""The studio in a real browser, with a simulated camera."""

import pathlib
import shlex
import subprocess
from collections.abc import Callable

from conftest import run_program
from studio.support import CLIP, Server, Studio, is_near, wait_for

BLUE, PINK, GREEN = (32, 64, 192), (224, 64, 160), (0, 255, 0)
FACE = (0.5, 0.45)

Start = Callable[..., Server]
Open = Callable[[str], Studio]


def solid_picture(path: pathlib.Path, color: tuple[int, int, int]) -> pathlib.Path:
    """Makes a PNG of one colour."""
    number = f"0xff{color[0]:02x}{color[1]:02x}{color[2]:02x}"
    made = path.with_name("made.png")
    subprocess.run(
        f"gst-launch-1.0 -q videotestsrc num-buffers=1 pattern=solid-color "
        f"foreground-color={number} ! video/x-raw,format=RGB,width=320,height=180 ! pngenc "
        f"! filesink location={made}",
        shell=True, check=True,
    )  # fmt: skip
    return made.rename(path)


def test_camera_and_changed_properties_return(studio: Start, open_page: Open) -> None:
    server = studio()
    page = open_page(server.address)
    page.choose("effect", "color")
    page.start_camera()
    page.wait_for_corner(GREEN)
    # Only this machine can reach the media: 127.0.0.1.
    assert server.udp_addresses() == {"0100007F"}
    assert not is_near(page.pixel(*FACE), GREEN)

    page.page.fill("#property-background-color", "#2040c0")
    page.wait_for_corner(BLUE)
    assert not is_near(page.pixel(*FACE), BLUE)

    page.choose("effect", "transparent")
    wait_for("a warning", lambda: "alpha" in page.text("#notices"))
    page.wait_for_corner(BLUE)

    before = page.page.evaluate("() => document.getElementById('stages').toDataURL()")
    wait_for(
        "a plot that moves",
        lambda: page.page.evaluate("() => document.getElementById('stages').toDataURL()") != before,
    )
    for legend in ["#stages-legend", "#rates-legend"]:
        wait_for("inferences", lambda legend=legend: float(page.text(f"{legend} .stage-2 b")) > 0)
    # The page loads nothing from elsewhere.
    own = page.page.url
    assert all(
        each.startswith((own, own.replace("http", "ws"), "blob:")) for each in page.addresses
    )
    page.page.click("#stop")
    wait_for("an empty result", lambda: page.page.is_visible("#waiting"))


def test_dropped_background_is_shown_and_the_line_runs(
    studio: Start, open_page: Open, tmp_path: pathlib.Path
) -> None:
    server = studio()
    page = open_page(server.address)
    page.start_camera()
    picture = solid_picture(tmp_path / "it's a wall.png", PINK)
    page.drop(picture)
    page.wait_for_corner(PINK)
    assert not is_near(page.pixel(*FACE), PINK)
    assert page.text("#notices") == ""

    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.page.click("#copy")
    wait_for("a copy", lambda: page.text("#copy") == "Copied")
    line = page.page.evaluate("() => navigator.clipboard.readText()")
    assert "quality=fast" in line
    line = line.replace("v4l2src", f"filesrc location={CLIP}").replace("autovideosink", "fakesink")
    done = run_program(["sh", "-c", line], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stdout + done.stderr
    assert "ERROR" not in done.stdout + done.stderr

    page.page.close()
    wait_for("no file left", lambda: not list(server.folder.rglob("*")))


def test_two_pages_show_different_pictures(studio: Start, open_page: Open) -> None:
    server = studio("--sessions", "2")
    pages = [open_page(server.address) for _ in range(2)]
    for page, color in zip(pages, ["#2040c0", "#e040a0"], strict=True):
        page.choose("effect", "color")
        page.page.fill("#property-background-color", color)
        page.start_camera()
    pages[0].wait_for_corner(BLUE)
    pages[1].wait_for_corner(PINK)
    pages[0].wait_for_corner(BLUE)

    third = pages[0].page.context.new_page()
    third.goto(server.address)
    wait_for("a refusal", lambda: "2 pages are already open" in third.inner_text("#notices"))
    pages[0].wait_for_frames()


def test_file_of_the_page_and_of_the_command(
    studio: Start, open_page: Open, tmp_path: pathlib.Path
) -> None:
    clip = tmp_path / "a talk.mkv"
    subprocess.run(
        f"gst-launch-1.0 -q filesrc location={CLIP} ! decodebin ! identity eos-after=20 "
        "! videoscale ! video/x-raw,width=320,height=180 ! jpegenc ! matroskamux "
        f"! filesink location={tmp_path}/talk.mkv",
        shell=True, check=True,
    )  # fmt: skip
    (tmp_path / "talk.mkv").rename(clip)
    server = studio(str(clip))
    page = open_page(server.address)
    page.wait_for_frames()
    assert page.page.is_visible("#unseen")
    assert shlex.quote(f'location="{clip}"') in page.text("#line")

    page.drop(clip, "#original")
    wait_for("the file's name", lambda: page.text("#original-note") == "a talk.mkv")
    page.wait_for_frames()
    assert "'location=\"a talk.mkv\"'" in page.text("#line")
    # Playback passes the end of the file and starts again.
    wait_for("more than the file has", lambda: page.position() > 1.5)
    # The file has no name in a folder, so it disappears even if the process is killed.
    assert not [each for each in server.folder.rglob("*") if each.is_file()]


def test_unusable_files_and_models_are_refused(
    studio: Start, open_page: Open, tmp_path: pathlib.Path
) -> None:
    page = open_page(studio().address)
    text = tmp_path / "notes.txt"
    text.write_text("no picture\n" * 1000)
    page.drop(text)
    wait_for("a refusal", lambda: "notes.txt is text/plain" in page.text("#notices"))

    page.page.fill("#property-model", "/etc/passwd")
    page.page.press("#property-model", "Enter")
    wait_for("a refusal", lambda: "without a folder" in page.text("#notices"))
    assert page.page.input_value("#property-model") == ""

    broken = tmp_path / "broken.mp4"
    broken.write_bytes(CLIP.read_bytes()[:50_000])
    page.drop(broken, "#original")
    # A start removes older notices.
    wait_for("why", lambda: page.text("#notices") and "folder" not in page.text("#notices"))
    wait_for("the beginning", lambda: page.page.is_visible("#begin-camera"))
    # The page still works.
    page.start_camera()


def test_closed_pages_leave_no_threads_or_files(studio: Start, open_page: Open) -> None:
    server = studio()
    counts = []
    for _ in range(5):
        page = open_page(server.address)
        page.start_camera()
        assert server.threads() > 10
        # This also ends the connections that a browser keeps open.
        page.page.context.close()
        # The session removes the folder of the page's files last.
        wait_for("the session's end", lambda: not list(server.folder.iterdir()))
        wait_for("few threads", lambda: server.threads() < 10)
        counts.append(server.descriptors())
    assert max(counts) == counts[0]
    assert server.interrupt() == 0
    assert server.errors() == []


def test_interrupt_ends_a_running_stream(studio: Start, open_page: Open) -> None:
    server = studio()
    page = open_page(server.address)
    page.start_camera()
    assert server.interrupt() == 0
    assert server.errors() == []
    wait_for("the notice", lambda: "closed the connection" in page.text("#notices"))
    assert not list(server.folder.rglob("*"))


def test_page_fits_its_window(studio: Start, open_page: Open) -> None:
    page = open_page(studio().address)
    for width in [1280, 390]:
        page.page.set_viewport_size({"width": width, "height": 800})
        assert page.page.evaluate("() => document.documentElement.scrollWidth") <= width
