"""Rows as people have them to the JSON that the engine reads. Which field is what, the engine decides; here only what
it looks at is written, and everything else stays as it is."""

from __future__ import annotations

import json
import math
import re
import time
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._engine import ENOUGH_BYTES, FIELD_NAMES

Row = Union[Mapping[str, Any], Tuple[str, str]]
"""Fields by name, or a document and a summary."""

READ = frozenset(name for names in FIELD_NAMES.values() for name in names)
"""Fields that the engine may look at."""

# A generator that takes its time is not waited for longer than this once there is a row.
_PATIENCE_SECONDS = 0.5

_HALF = re.compile("[\ud800-\udfff]")


def fields_of(row: Row) -> Mapping[str, Any]:
    if isinstance(row, Mapping):
        return row
    if isinstance(row, Sequence) and not isinstance(row, (str, bytes)) and len(row) == 2:
        return {"document": row[0], "summary": row[1]}
    raise TypeError(f"a row is a mapping or a (document, summary) pair, not {type(row).__name__}")


def as_json(row: Mapping[str, Any], *named: Optional[str]) -> str:
    """What the engine looks at; of other fields the name."""
    looked = {str(name): _whole(value) if name in READ or name in named else None for name, value in row.items()}
    try:
        return json.dumps(looked, allow_nan=False, default=_plain)
    except ValueError:
        # pandas says NaN where a table says nothing.
        return json.dumps({name: None if _is_nan(value) else value for name, value in looked.items()}, default=_plain)


def take(rows: Iterator[Row], most: int) -> List[Mapping[str, Any]]:
    """The next rows: at most so many, of enough text, or what comes within a moment."""
    taken: List[Mapping[str, Any]] = []
    size, start = 0, time.monotonic()
    for row in rows:
        fields = fields_of(row)
        taken.append(fields)
        size += sum(len(value) for value in fields.values() if isinstance(value, str))
        if len(taken) >= most or size >= ENOUGH_BYTES or time.monotonic() - start > _PATIENCE_SECONDS:
            break
    return taken


def whole_text(text: str) -> str:
    """The text, with U+FFFD for each half of a surrogate pair, which is no character that could be read."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, (list, tuple)):
        return [_whole(part) for part in value]
    if isinstance(value, dict):
        return {_whole(name): _whole(part) for name, part in value.items()}
    return value


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _plain(value: Any) -> Any:
    """Arrays of numpy and Arrow say what they hold."""
    for name in ("tolist", "as_py", "to_pylist"):
        if hasattr(value, name):
            return getattr(value, name)()
    return str(value)
