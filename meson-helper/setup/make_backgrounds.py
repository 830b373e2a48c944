"""Draws the bundled backgrounds of `vbgfilter app`: make_backgrounds.py FOLDER.

Needs numpy and OpenCV, as `evaluate` does. The pictures are works of this project.
"""

import pathlib
import sys

import cv2
import numpy as np

WIDTH, HEIGHT = 1280, 720
Y, X = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32) / HEIGHT


def mix(one, other, share):
    """Blends two colours (red, green, blue) or pictures."""
    return np.asarray(one) + (np.asarray(other) - np.asarray(one)) * np.asarray(share)[..., None]


def hills(random):
    """Ridges at dusk, paler with the distance."""
    picture = mix((250, 206, 160), (88, 120, 172), np.clip(1.15 - 1.6 * Y, 0, 1))
    for layer in range(5):
        ridge = np.full(WIDTH, 0.48 + 0.1 * layer)
        for octave in range(1, 6):
            phase = random.uniform(0, 7)
            ridge += 0.07 / octave * np.sin(X[0] * (1 + layer * 0.3) * 1.7**octave + phase)
        color = mix((150, 146, 170), (24, 44, 56), layer / 4)
        picture = mix(picture, color, np.clip((Y - ridge) * 400, 0, 1))
    return picture


def lights(random):
    """Lamps of a town at night, out of focus."""
    picture = mix((14, 20, 42), (38, 32, 58), Y)
    for _ in range(70):
        x, y, radius = random.uniform(0, 1.78), random.normal(0.58, 0.2), random.uniform(0.02, 0.06)
        color = [(255, 190, 110), (255, 226, 170), (140, 190, 255), (255, 130, 110)][random.integers(4)]
        distance = np.hypot(X - x, Y - y) / radius
        picture = mix(picture, color, np.clip((1 - distance) * 12, 0, 1) * random.uniform(0.1, 0.5))
    return cv2.GaussianBlur(picture, (0, 0), 2)


def shelf(random):
    """A shelf with books in a bright room, out of focus."""
    picture = mix((236, 228, 214), (206, 192, 172), np.hypot(X - 0.4, Y - 0.2))
    for row in range(4):
        bottom, x = 190 + row * 170, 40
        while x < WIDTH - 60:
            width, height = int(random.integers(16, 46)), int(random.integers(80, 132))
            color = random.uniform(0.55, 1.05) * np.array([(150, 90, 70), (70, 100, 120), (200, 180, 140),
                (96, 116, 90), (226, 220, 208)][random.integers(5)])  # fmt: skip
            if random.uniform() < 0.82:
                picture[bottom - height : bottom, x : x + width] = color
            x += width + int(random.integers(2, 9))
        picture[bottom : bottom + 14] = (168, 132, 96)
    return cv2.GaussianBlur(picture, (0, 0), 9)


def window(random):
    """The light of a window on a plain wall."""
    picture = mix((214, 219, 220), (166, 176, 182), 0.5 * X + 0.4 * Y)
    across, down = X + 0.35 * Y, Y + 0.12 * X
    panes = np.zeros_like(X)
    for column in range(3):
        for row in range(2):
            inside = (np.abs(across - 0.62 - 0.3 * column) < 0.13) & (np.abs(down - 0.3 - 0.38 * row) < 0.17)
            panes[inside] = 1
    panes = cv2.GaussianBlur(panes, (0, 0), 14)
    return mix(picture, (255, 240, 206), 0.75 * panes)


def main():
    folder = pathlib.Path(sys.argv[1])
    for draw in (hills, lights, shelf, window):
        random = np.random.default_rng(7)
        # Noise prevents bands in the gradients.
        picture = draw(random) + random.normal(0, 1.2, (HEIGHT, WIDTH, 1))
        file = str(folder / f"{draw.__name__}.jpg")
        cv2.imwrite(file, np.clip(picture, 0, 255).astype(np.uint8)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 82])


main()
