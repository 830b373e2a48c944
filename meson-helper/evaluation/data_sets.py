"""The data of `evaluate`: sets of pictures, or of one clip each, with masks for the truth."""

import dataclasses
import os
import pathlib

from failure import Failure

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


@dataclasses.dataclass(frozen=True)
class EvaluationSet:
    """Pictures, or the frames of one clip, and a mask for each of them in the same order."""

    # The folder's path below DATA, or its own name if DATA is the set.
    name: str
    masks: list
    pictures: list = dataclasses.field(default_factory=list)
    clip: pathlib.Path | None = None
    # Visible areas of people to hide, in the order of the masks, or an empty list.
    others: list = dataclasses.field(default_factory=list)


def pictures_and_masks(folder):
    pictures = sorted(
        path for path in (folder / "img").iterdir() if path.suffix.lower() in PICTURES
    )
    if not pictures:
        raise Failure(f"{folder}/img contains no pictures")
    masks = [folder / "mask" / f"{path.stem}.png" for path in pictures]
    for mask in masks:
        if not mask.exists():
            raise Failure(f"{mask} is missing")
    return pictures, masks


def read_others(folder, masks):
    """Returns masks of the people to hide, with the same names as the other masks."""
    others = [folder / "other" / mask.name for mask in masks]
    if not (folder / "other").is_dir():
        return []
    for other in others:
        if not other.exists():
            raise Failure(f"{other} is missing")
    return others


def read_set(folder, name):
    """Returns the set in a folder, or None if the folder is not a set."""
    if (folder / "img").is_dir():
        pictures, masks = pictures_and_masks(folder)
        others = read_others(folder, masks)
        return EvaluationSet(name, masks, pictures=pictures, others=others)
    clips = sorted(path for path in folder.glob("clip.*") if path.is_file())
    masks = sorted((folder / "mask").glob("*.png"))
    if len(clips) != 1 or not masks:
        raise Failure(f"{folder} contains neither img/ and mask/ nor one clip.* and mask/")
    return EvaluationSet(name, masks, clip=clips[0], others=read_others(folder, masks))


def find_sets(data, wanted=()):
    """Returns all sets at or below a folder, by name, or only the wanted ones.

    `wanted` contains full names or their last parts. Other sets are not read.
    """
    if not data.is_dir():
        raise Failure(f"{data} is not a folder")
    found, names = [], []

    def is_wanted(name):
        return not wanted or name in wanted or name.rpartition("/")[2] in wanted

    def complain(error):
        raise error

    for folder, subfolders, files in os.walk(data, onerror=complain):
        path = pathlib.Path(folder)
        name = path.relative_to(data).as_posix() if path != data else data.resolve().name
        looks_like_one = "img" in subfolders or "mask" in subfolders
        if looks_like_one or any(file.startswith("clip.") for file in files):
            names.append(name)
            if is_wanted(name):
                found.append(read_set(path, name))
            subfolders.clear()
        subfolders.sort()
    if not names:
        raise Failure(f"{data} contains no set: a folder with img/ or clip.*, and with mask/")
    for name in wanted:
        if not any(name in (each, each.rpartition("/")[2]) for each in names):
            raise Failure(f"{data} contains no set {name}, only {', '.join(sorted(names))}")
    return sorted(found, key=lambda each: each.name)
