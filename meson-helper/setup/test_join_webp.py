"""Joining pictures into an animation. Run by `check`."""

import struct
import unittest

import join_webp


def picture(width, height, rest=b"pixels!"):
    """Returns a lossy WebP with its frame's header, and arbitrary bytes for the rest."""
    frame = b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height) + rest
    content = b"WEBP" + join_webp.chunk(b"VP8 ", frame)
    return b"RIFF" + struct.pack("<I", len(content)) + content


class Joining(unittest.TestCase):
    def test_each_picture_becomes_a_frame(self):
        joined = join_webp.join([picture(480, 270), picture(480, 270)], 83)
        self.assertEqual(struct.unpack("<I", joined[4:8])[0], len(joined) - 8)
        chunks, rest = [], joined[12:]
        while rest:
            name, length = struct.unpack("<4sI", rest[:8])
            chunks.append((name, rest[8:8 + length]))
            rest = rest[8 + length + length % 2:]
        self.assertEqual([name for name, _ in chunks], [b"VP8X", b"ANIM", b"ANMF", b"ANMF"])
        # The stored size is the pictures' size minus one.
        self.assertEqual(chunks[0][1][4:], b"\xdf\x01\x00\x0d\x01\x00")
        frame = chunks[2][1]
        self.assertEqual(frame[6:12], chunks[0][1][4:])
        self.assertEqual(frame[12:15], b"\x53\x00\x00")
        self.assertEqual(frame[16:20], b"VP8 ")

    def test_unsuitable_pictures_are_refused(self):
        for pictures in [
            [], [picture(480, 270), picture(480, 272)], [b"no picture"],
            [picture(480, 270).replace(b"VP8 ", b"VP8L")],
        ]:
            with self.assertRaises(ValueError):
                join_webp.join(pictures, 83)


if __name__ == "__main__":
    unittest.main()
