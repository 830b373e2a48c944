"""Runs the commands of the pages, and checks the links of the pages.

    check_pages.py ROOT                         checks links, and queues in live pipelines
    check_pages.py ROOT FOLDER [PAGE ...]       also runs commands in FOLDER, which is emptied first

It runs every block of sh, python or c in FOLDER. The folder then contains the files that the pages
name, and the meson-helper and gst-examples of ROOT. A block must end without an error or a warning.
A clip replaces cameras, fakesink replaces windows, and no command runs as root. The command
vbgfilter is the source tree's, in the environment of command-tests. If a block cannot be run, the
line above it gives the reason, for example

    <!-- not run: needs the files of a release -->

Links to other sites are not checked.

A pipeline from a camera to a sink that waits for the clock needs a queue directly after vbgfilter.
Without it the sink blocks the element's thread until the latency has passed, and frames are lost.
"""

import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

RUN = {"sh", "python", "c"}
REASON = re.compile(r"<!-- not run: (.*\S) -->\s*$")
FENCE = re.compile(r"^```(\w*)\s*$")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
# Patterns in commands and their replacements. Test sources end after a second.
STAND_INS = [
    (r"\bv4l2src\b( device=\S+)?", "filesrc location=talk.mp4"),
    (r"\bvideotestsrc\b(?! num-buffers)", "videotestsrc num-buffers=30"),
    (r"\b(autovideosink|v4l2sink)\b( (device|sync)=[^\s\"]+)*", "fakesink"),
    (r"\bsudo modprobe\b.*", "true"),
]
SECONDS = 300
# The line continuations of shells, of manual pages, and of strings in C and Python.
CONTINUED = re.compile(r'(?:\\e?|")\n\s*"?')
LIVE = re.compile(
    r"\b(?:v4l2src|pipewiresrc)\b(?:(?!sink\b).)*?\bvbgfilter\b(?!:)[^!]*! "
    r"(?!queue\b)(?:(?!vbgfilter\b).)*?\b(?:autovideosink|pipewiresink)\b(?! sync=false)")


@dataclasses.dataclass
class Block:
    """A fenced block of a page."""

    page: pathlib.Path
    line: int
    language: str
    text: str
    reason: str | None

    @property
    def name(self):
        return f"{self.page.name}:{self.line}"

    @property
    def shown(self):
        """Returns the text with replacements for cameras and windows."""
        text = self.text
        for pattern, stand_in in STAND_INS:
            text = re.sub(pattern, stand_in, text)
        return text


def pages(root):
    """Returns the pages of a tree, except pages of examples and templates."""
    return sorted([*root.glob("*.md"), *root.glob("docs/*.md")])


def blocks(page):
    """Returns the blocks of a page, in their order."""
    found, lines = [], page.read_text().splitlines()
    begin = language = None
    for index, line in enumerate(lines):
        fence = FENCE.match(line)
        if begin is None and fence:
            begin, language = index, fence[1]
        elif begin is not None and line.rstrip() == "```":
            above = REASON.match(lines[begin - 1]) if begin else None
            text = "\n".join(lines[begin + 1:index]) + "\n"
            found.append(Block(page, begin + 1, language, text, above and above[1]))
            begin = None
    return found


def prose(page):
    """Yields the lines of a page outside of its blocks, numbered from 1."""
    inside = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def anchors(page):
    """Returns the anchors that code hosts generate for the headings of a page."""
    headings = [line.lstrip("#").strip() for _, line in prose(page) if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def broken_links(root):
    """Yields a message for each link to a target that does not exist in the tree."""
    for page in pages(root):
        for number, line in prose(page):
            for target in LINK.findall(line):
                if re.match(r"https?://", target):
                    continue
                path, _, anchor = target.partition("#")
                file = (page.parent / path).resolve() if path else page
                if not file.exists():
                    yield f"{page.name}:{number}: there is no {path}"
                elif anchor and anchor not in anchors(file):
                    yield f"{page.name}:{number}: {file.name} has no heading #{anchor}"


def unqueued_pipelines(root):
    """Yields a message for each live pipeline in pages and examples that lacks the queue."""
    others = [
        *root.glob("python/README.md"), *root.glob("meson-helper/data/*.[17]"),
        *root.glob("meson-helper/quickstart"), *root.glob("gst-examples/*.[cps]*"),
        *root.glob("gst-examples/rtsp-server/*")]
    # The server's folder may contain the folder of Python's cache.
    for file in filter(pathlib.Path.is_file, [*pages(root), *others]):
        text = CONTINUED.sub(" ", file.read_text())
        for line in text.splitlines():
            if LIVE.search(re.sub(r"\s+", " ", line)):
                yield f"{file.relative_to(root)}: a live pipeline has no queue after vbgfilter"


def command(block, folder, root):
    """Returns the command line for a block, and writes the block's text into the folder."""
    source = folder / f"block.{block.language}"
    source.write_text(block.shown)
    if block.language == "sh":
        # Like an interactive shell, but end at the first failure.
        return ["bash", "-euo", "pipefail", str(source)]
    if block.language == "python":
        return ["/usr/bin/python3", str(source)]
    build = (
        f'gcc -Wall -Wextra -Werror "{source}" -o "{folder}/program" '
        f'-I "{root}/Sources/CVBGFilter/include" $(pkg-config --cflags --libs gstreamer-1.0)')
    return ["bash", "-euc", f'{build}\n"{folder}/program"']


def run(block, folder, root):
    """Runs a block. Returns the reason of a failure, or None."""
    # Keep "~" away from the user's folder.
    environment = os.environ | {"HOME": str(folder), "XDG_CACHE_HOME": str(folder.parent / "cache")}
    environment["PATH"] = f"{root}/.deps/command/bin:{environment['PATH']}"
    with subprocess.Popen(
            command(block, folder, root), cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            # The shell's children would go on, and keep the pipe open.
            os.killpg(process.pid, signal.SIGKILL)
            return f"does not end within {SECONDS} seconds"
    if process.returncode != 0:
        return f"ends with {process.returncode}:\n{output}"
    if re.search(r"^(WARNING|ERROR)\b", output, re.MULTILINE):
        return f"warns:\n{output}"
    return None


def prepare(folder, root):
    """Creates a folder with all files that the pages name."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ["meson-helper", "gst-examples"]:
        (folder / name).symlink_to(root / name)
    sample, clip = root / ".deps" / "sample", root / ".deps" / "clip" / "short.mp4"
    for name in ["office.jpg", "room.jpg", "background.jpg"]:
        shutil.copy(sample / "hubble_deep_field.jpg", folder / name)
    for name in ["photo.jpg", "hat.png"]:
        shutil.copy(sample / "astronaut.png", folder / name)
    shutil.copy(clip, folder / "talk.mp4")
    (folder / "recordings").mkdir()
    shutil.copy(clip, folder / "recordings" / "monday.mp4")


def run_all(root, folder, chosen):
    """Runs the blocks of some pages. Returns the number of failures."""
    failed = ran = 0
    # Remove the file of an earlier run.
    (folder / "clip.mp4").unlink(missing_ok=True)
    for page in chosen:
        for block in blocks(page):
            if block.language not in RUN:
                continue
            if block.reason is not None:
                print(f"not run: {block.name}: {block.reason}")
                continue
            work = folder / block.name.replace(":", "-")
            prepare(work, root)
            failure = run(block, work, root)
            ran += 1
            failed += failure is not None
            print(f"{block.name}: {failure or 'ran'}", flush=True)
    print(f"{ran} blocks were run, {failed} failed")
    return failed if ran else 1


def main(arguments):
    if not 1 <= len(arguments):
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0]).resolve()
    broken = list(broken_links(root))
    print("\n".join(broken) or f"the links of {len(pages(root))} pages are valid")
    unqueued = list(unqueued_pipelines(root))
    print("\n".join(unqueued) or "live pipelines have a queue after vbgfilter")
    failed = len(broken) + len(unqueued)
    if len(arguments) > 1:
        chosen = [root / each for each in arguments[2:]] or pages(root)
        failed += run_all(root, pathlib.Path(arguments[1]).resolve(), chosen)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(sys.argv[1:])
