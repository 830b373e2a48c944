"""Draws pictures that show the errors of a matte."""

import cv2
import numpy as np

from failure import Failure

# The maximum side of pictures on the page. Larger pictures are scaled down.
LONGEST_SIDE = 1280
# In OpenCV's order: blue, green, red.
TOO_MUCH, TOO_LITTLE = np.float32([60, 60, 255]), np.float32([255, 120, 40])


def busy(width=1280, height=720):
    """Returns a background with stripes, squares and noise, which reveals flaws at edges."""
    y, x = np.mgrid[:height, :width]
    is_stripe = ((x + y) // 24 % 2 == 1)[..., None]
    is_square = ((x // 80 + y // 80) % 2 == 1)[..., None]
    picture = np.where(is_stripe, np.float32([40, 200, 250]), np.float32([150, 40, 60]))
    picture = np.where(is_square, picture, picture[..., ::-1])
    noise = np.random.default_rng(1).normal(0, 28, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def gray(matte):
    return np.round(matte * 255).astype(np.uint8)


def tinted(truth, amount):
    """Draws the truth in dark grey and marks excess and missing areas on it."""
    base = (30 + 70 * truth)[..., None]
    strength = np.clip(np.abs(amount), 0, 1)[..., None]
    color = np.where((amount > 0)[..., None], TOO_MUCH, TOO_LITTLE)
    return np.clip(base * (1 - strength) + color * strength, 0, 255).astype(np.uint8)


def write(path, picture):
    path.parent.mkdir(parents=True, exist_ok=True)
    is_encoded, data = cv2.imencode(path.suffix, picture)
    if not is_encoded:
        raise Failure(f"{path} cannot be written")
    path.write_bytes(data.tobytes())


def write_for_page(path, picture):
    height, width = picture.shape[:2]
    scale = LONGEST_SIDE / max(height, width)
    if scale < 1:
        size = max(1, round(width * scale)), max(1, round(height * scale))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    write(path, picture)
