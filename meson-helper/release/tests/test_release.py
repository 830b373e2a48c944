"""The metadata of packages, and the install script of the tarball. Run by `check`."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree

from release import bill
from setup import pins

ROOT = bill.ROOT
DEBIAN = ROOT / "debian"
PACKAGES = re.findall(r"^Package: (\S+)$", (DEBIAN / "control").read_text(), re.MULTILINE)


class Version(unittest.TestCase):
    def test_contains_only_three_numbers(self):
        self.assertRegex(bill.version(), r"\A\d+\.\d+\.\d+\Z")

    def test_the_changelog_begins_with_the_version(self):
        first = (DEBIAN / "changelog").read_text().partition("\n")[0]
        self.assertTrue(first.startswith(f"vbgfilter ({bill.version()}) "), first)

    def test_the_metadata_begin_with_the_version(self):
        component = tree.parse(ROOT / "meson-helper/data/vbgfilter.metainfo.xml").getroot()
        self.assertEqual(component.find("releases/release").get("version"), bill.version())


class Bills(unittest.TestCase):
    def components(self, package):
        parts = list(bill.parts_of(package, "x86_64"))
        text = bill.bill(package, parts, 0)
        self.assertEqual(text, bill.bill(package, parts, 0))
        found = json.loads(text)
        self.assertEqual(found["metadata"]["component"]["version"], bill.version())
        return {each["name"]: each for each in found.get("components", [])}

    def test_each_package_has_a_bill(self):
        self.assertLessEqual(set(PACKAGES), set(bill.PACKAGES))

    def test_each_network_is_in_one_package(self):
        named = [name for package in PACKAGES for name in self.components(package)]
        for network in pins.MODELS:
            self.assertEqual(named.count(network), 1, network)

    def test_the_wheel_and_the_tarball_have_all_networks(self):
        for package in "wheel", "tarball":
            self.assertLessEqual(set(pins.MODELS), set(self.components(package)))

    def test_the_wheel_without_gpl_has_none(self):
        licenses = {
            each["licenses"][0]["expression"]
            for each in self.components("wheel--without-gpl").values()}
        self.assertEqual(licenses, {"Apache-2.0", "Apache-2.0 WITH Swift-exception", "MIT"})

    def test_the_digests_are_those_of_the_files(self):
        for name, each in self.components("tarball").items():
            if name in pins.MODELS:
                self.assertEqual(each["hashes"][0]["content"], pins.MODELS[name][1])

    def test_only_the_models_gpl_package_contains_gpl(self):
        for package in PACKAGES:
            licenses = {
                each["licenses"][0]["expression"] for each in self.components(package).values()}
            self.assertEqual(
                "GPL-3.0-only" in licenses, package.endswith("models-gpl"), (package, licenses))

    def test_each_architecture_has_its_own_digests(self):
        one, other = (bill.openvino(machine)[0] for machine in pins.OPENVINO)
        self.assertNotEqual(one.hashes, other.hashes)


class PackageScript(unittest.TestCase):
    """Tests single functions of the script `package`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, text, **variables):
        script = (ROOT / "meson-helper/package").read_text()
        functions = "".join(re.findall(r"^\w+\(\) \{\n.*?^\}\n", script, re.MULTILINE | re.DOTALL))
        return subprocess.run(
            ["bash", "-euc", functions + text], cwd=self.folder, capture_output=True, text=True,
            env=dict(os.environ, **variables))

    def test_the_sums_list_only_this_version(self):
        names = [
            "vbgfilter_1.2.3_all.deb", "gstreamer1.0-vbgfilter_1.2.3_amd64.deb",
            "vbgfilter-1.2.3-py3-none-any.whl", "vbgfilter-1.2.3+without.gpl-py3-none-any.whl",
            "vbgfilter-1.2.3-linux-x86_64.tar.xz", "vbgfilter-1.2.3-linux-x86_64.oci.tar.xz"]
        others = ["vbgfilter_1.2.2_all.deb", "vbgfilter-1.2.30-py3-none-any.whl", "notes.txt"]
        for name in names + others:
            (self.folder / name).write_text(name)
        (self.folder / "work").mkdir()
        result = self.call("write_sums", version="1.2.3", output=".", work=str(self.folder / "work"))
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = (self.folder / "SHA256SUMS").read_text().splitlines()
        self.assertEqual(sorted(line.split("  ")[1] for line in lines), sorted(names))

    def test_libraries_of_the_system_are_not_used(self):
        # A Python with an older `packaging` than setuptools needs.
        subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", self.folder / "system"], check=True)
        site = next(self.folder.glob("system/lib/python3*/site-packages"))
        (site / "packaging").mkdir()
        (site / "packaging" / "__init__.py").write_text('__version__ = "23.0"\n')
        source = self.folder / "source"
        source.mkdir()
        (source / "pyproject.toml").write_text(
            '[project]\nname = "example"\nversion = "1"\nlicense = "MIT"\n')
        result = self.call(
            "cd source; run_release release.wheel ../built manylinux_2_35_x86_64",
            python=str(self.folder / "system" / "bin" / "python"), helper=str(ROOT / "meson-helper"),
            packaging_path=os.environ["PYTHONPATH"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(list(self.folder.glob("built/*.whl")))


class InstallScript(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        self.tree = root / "a tree"
        self.plugin = self.tree / "lib" / "gstreamer-1.0" / "libgstvbgfilter.so"
        self.presets = self.tree / "share" / "gstreamer-1.0" / "presets" / "GstVBGFilter.prs"
        for each in (self.plugin, self.presets):
            each.parent.mkdir(parents=True)
            each.write_bytes(b"")
        (self.tree / "install.sh").write_bytes(
            (ROOT / "meson-helper/release/install.sh").read_bytes())
        self.data = root / "data"
        self.link = self.data / "gstreamer-1.0" / "plugins" / self.plugin.name
        self.preset_link = self.data / "gstreamer-1.0" / "presets" / self.presets.name

    def run_script(self, *arguments):
        return subprocess.run(
            ["sh", self.tree / "install.sh", *arguments], capture_output=True, text=True,
            env=dict(os.environ, XDG_DATA_HOME=str(self.data)))

    def test_adds_and_removes_links(self):
        for _ in range(2):
            self.assertEqual(self.run_script().returncode, 0)
            self.assertEqual(self.link.resolve(), self.plugin.resolve())
            self.assertEqual(self.preset_link.resolve(), self.presets.resolve())
        self.assertEqual(self.run_script("--remove").returncode, 0)
        self.assertFalse(os.path.lexists(self.link) or os.path.lexists(self.preset_link))
        self.assertEqual(self.run_script("--remove").returncode, 0)

    def test_does_not_replace_files(self):
        self.link.parent.mkdir(parents=True)
        self.link.write_text("another's")
        found = self.run_script()
        self.assertEqual(found.returncode, 1)
        self.assertIn(f"{self.link} already exists and is not a link", found.stderr)
        self.assertEqual(self.run_script("--remove").returncode, 0)
        self.assertEqual(self.link.read_text(), "another's")

    def test_keeps_presets_that_the_user_saved(self):
        self.preset_link.parent.mkdir(parents=True)
        self.preset_link.write_text("the user's")
        for arguments in ((), ("--remove",)):
            self.assertEqual(self.run_script(*arguments).returncode, 0)
            self.assertEqual(self.preset_link.read_text(), "the user's")

    def test_refuses_unknown_arguments(self):
        found = self.run_script("--prefix=/usr")
        self.assertEqual(found.returncode, 2)
        self.assertIn("--remove", found.stderr)
        self.assertFalse(self.data.exists())


class Wheel(unittest.TestCase):
    """The module on a system without GStreamer, and without OpenVINO."""

    def run_module(self, text, **modules):
        source = "import importlib.metadata as m; m.version = lambda name: '1'\n"
        stubs = "import sys, types\n" + "".join(
            f"sys.modules[{name!r}] = {value}\n" for name, value in modules.items())
        return subprocess.run(
            [sys.executable, "-B", "-c", source + stubs + text], capture_output=True, text=True,
            env=dict(os.environ, PYTHONPATH=str(ROOT / "python")))

    def test_without_pygobject_it_names_the_package(self):
        found = self.run_module("import vbgfilter; vbgfilter.enable()", gi=None)
        self.assertNotEqual(found.returncode, 0)
        self.assertIn("apt install python3-gi", found.stderr)

    def test_without_openvino_it_reports_that(self):
        found = self.run_module(
            "import vbgfilter; vbgfilter._openvino_folder()", openvino=None)
        self.assertNotEqual(found.returncode, 0)
        self.assertIn("pip install openvino", found.stderr)

    def test_its_sources_do_not_contain_the_version(self):
        for path in (ROOT / "python").rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                self.assertNotIn(bill.version(), path.read_text(errors="replace"), path)


if __name__ == "__main__":
    unittest.main()
