"""Records in the target folder: the outcome, source and settings of each conversion."""

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field, fields
from typing import Any, get_origin

from vbgfilter.commands.batch.places import NOTES, Clip, Place
from vbgfilter.commands.names import with_ending
from vbgfilter.commands.settings import Settings

_FOLDER = f"{NOTES}/clips"
_BASE64 = re.compile("[A-Za-z0-9+/]*={0,2}")
_NUMBER_LIMIT = 1 << 63


@dataclass(frozen=True)
class Choices:
    """The settings of a conversion, as in a ``Job`` of convert."""

    settings: Settings
    codec: str | None = None
    bitrate: int | None = None
    encoder: str | None = None

    @property
    def digest(self) -> str:
        """A digest that identifies these choices."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass
class Record:
    """The outcome of a clip. ``status`` is done or failed.

    If it is done, the frames, the duration and the sound of the result match the source.
    """

    name: str
    output: str
    status: str
    source_size: int
    source_version: str
    choices: str  # the digest of the choices
    output_size: int = 0  # the size of this command's latest result, in bytes
    frames: int = 0
    hidden: int = 0  # frames without a matte, which were hidden completely
    seconds: float = 0.0  # the time that the conversion took
    cpu_seconds: float = 0.0  # the CPU time of all threads
    encoder: str = ""
    host: str = ""
    statistics: dict[str, Any] = field(default_factory=dict)  # the element's
    notes: list[str] = field(default_factory=list)
    error: str = ""
    exit_code: int = 0
    thumbnail: str = ""  # a JPEG of the result, in base 64

    def as_json(self) -> dict[str, Any]:
        """Returns the fields for a line of ``--json``."""
        plain = {name.replace("_", "-"): value for name, value in asdict(self).items()}
        del plain["thumbnail"], plain["choices"], plain["source-version"]
        return plain

    def is_current(self, clip: Clip, choices: Choices, result: Clip | None) -> bool:
        """Whether this record's conversion created the result from this clip with these choices."""
        return (
            self.status == "done"
            and (self.source_size, self.source_version) == (clip.size, clip.version)
            and self.choices == choices.digest
            and self.made(result)
        )

    def made(self, result: Clip | None) -> bool:
        """Whether this record's conversion created the result. Compares only the sizes."""
        return result is not None and result.size == self.output_size


def save(place: Place, record: Record) -> None:
    """Writes a record to the target folder."""
    place.write(_file(record.name), json.dumps(asdict(record)).encode())


def load(place: Place, name: str) -> Record | None:
    """Returns the record of a clip, or None if there is no valid record."""
    try:
        return _parse(place.read(_file(name)))
    except FileNotFoundError:
        return None


def load_all(place: Place) -> dict[str, Record]:
    """Returns all valid records of a place, by the names of their clips."""
    found = map(_parse, place.read_all(_FOLDER, ".json"))
    return {record.name: record for record in found if record is not None}


def _file(name: str) -> str:
    folder, slash, last = name.rpartition("/")
    return f"{_FOLDER}/{folder}{slash}{with_ending(last, '.json')}"


def _parse(data: bytes) -> Record | None:
    """Parses a record. Returns None if it is damaged or from an incompatible version."""
    try:
        record = Record(**json.loads(data))
    except (ValueError, TypeError, RecursionError):
        return None
    return record if _is_sound(record) else None


def _is_sound(record: Record) -> bool:
    """Whether all values have valid types. Other programs may write to the target folder."""
    for each in fields(record):
        value = getattr(record, each.name)
        kinds = (int, float) if each.type is float else get_origin(each.type) or each.type
        if not isinstance(value, kinds):
            return False
        if isinstance(value, (int, float)) and not 0 <= value < _NUMBER_LIMIT:
            return False
    texts = all(isinstance(note, str) for note in record.notes)
    return texts and _BASE64.fullmatch(record.thumbnail) is not None
