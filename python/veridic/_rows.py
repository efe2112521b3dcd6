"""Converts rows to the JSON that the engine reads. The engine decides which field is the document and which the summary; of
fields that it does not read, only the name is passed, and their values stay unchanged."""

from __future__ import annotations

import json
import math
import os
import re
import time
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._engine import ENOUGH_BYTES, FIELD_NAMES

Row = Union[Mapping[str, Any], Tuple[str, str]]
"""Fields by name, or a document and a summary."""

READ = frozenset(name for names in FIELD_NAMES.values() for name in names)
"""Fields that the engine may read."""

# How long to wait for more rows of a slow generator once there is one.
_WAIT_SECONDS = 0.5

_SURROGATE = re.compile("[\ud800-\udfff]")


def fields_of(row: Row) -> Mapping[str, Any]:
    if isinstance(row, Mapping):
        return row
    if isinstance(row, Sequence) and not isinstance(row, (str, bytes)) and len(row) == 2:
        return {"document": row[0], "summary": row[1]}
    raise TypeError(f"a row is a mapping or a (document, summary) pair, not {type(row).__name__}")


def as_json(row: Mapping[str, Any], *named: Optional[str]) -> str:
    """The fields that the engine reads; of other fields the name alone."""
    fields = {str(name): _whole(value) if name in READ or name in named else None for name, value in row.items()}
    try:
        return json.dumps(fields, allow_nan=False, default=_plain)
    except ValueError:
        # pandas has NaN for missing values.
        return json.dumps({name: None if _is_nan(value) else value for name, value in fields.items()}, default=_plain)


def document_as_json(document: Any) -> str:
    """A text or a list of sources."""
    return json.dumps(_whole(document), default=_plain)


def take(rows: Iterator[Row], most: int) -> List[Mapping[str, Any]]:
    """The next rows: at most `most`, fewer if they have enough text or if the iterator is slow."""
    taken: List[Mapping[str, Any]] = []
    size, start = 0, time.monotonic()
    for row in rows:
        fields = fields_of(row)
        taken.append(fields)
        size += sum(_size(value) for value in fields.values())
        if len(taken) >= most or size >= ENOUGH_BYTES or time.monotonic() - start > _WAIT_SECONDS:
            break
    return taken


def whole_text(text: str) -> str:
    """The text with U+FFFD for each unpaired surrogate."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, (list, tuple)):
        return [_whole(part) for part in value]
    if isinstance(value, Mapping):
        return {_whole(name): _whole(part) for name, part in value.items()}
    return value


def _size(value: Any) -> int:
    """The characters of a text, or of a list of texts or sources."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, (list, tuple)):
        return sum(_size(part) for part in value)
    return _size(value.get("text")) if isinstance(value, Mapping) else 0


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _plain(value: Any) -> Any:
    """A path as the engine reads it; the values of a numpy or Arrow object; of others the text."""
    if isinstance(value, os.PathLike):
        return {"path": os.path.abspath(value)}
    for name in ("tolist", "as_py", "to_pylist"):
        if hasattr(value, name):
            return getattr(value, name)()
    return str(value)
