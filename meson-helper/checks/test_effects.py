"""Tests the effects for Cheese. GST_PLUGIN_PATH must contain the plugin's folder."""

import configparser
import pathlib
import subprocess
import unittest

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


class Effects(unittest.TestCase):
    def test_each_pipeline_can_be_made(self):
        files = sorted(DATA.glob("effects/*.effect"))
        self.assertTrue(files)
        for file in files:
            parser = configparser.ConfigParser(interpolation=None)
            # Keys are case-sensitive.
            parser.optionxform = str
            parser.read(file)
            effect = parser["Effect"]
            self.assertEqual(list(effect), ["Name", "Comment", "PipelineDescription"], file)
            # Cheese adds the same converters.
            pipeline = f"videoconvert ! {effect['PipelineDescription']} ! videoconvert"
            result = subprocess.run(
                ["gst-launch-1.0", "-q", "videotestsrc", "num-buffers=1", "!", "video/x-raw,format=RGB",
                 "!", *pipeline.split(), "!", "fakesink"], capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stderr), (0, ""), file)


if __name__ == "__main__":
    unittest.main()
