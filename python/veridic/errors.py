"""The errors of this package. Each is a VeridicError."""

from __future__ import annotations

from typing import Any

__all__ = [
    "ArgumentError",
    "MissingPackage",
    "ModelError",
    "RowError",
    "SettingError",
    "TextError",
    "VeridicError",
    "VeridicWarning",
]


class VeridicError(Exception):
    """The base of all errors; the message names the cause and what to do."""


class SettingError(VeridicError, ValueError):
    """A setting is invalid, or contradicts another one or the model."""


class ArgumentError(SettingError, TypeError):
    """Scorer has no such argument; the message has the new spelling of one that it had."""


class ModelError(VeridicError):
    """A model or its tokenizer cannot be found, loaded or run."""


class TextError(VeridicError, ValueError):
    """A text cannot be judged: it is empty, has no word, or is too long."""


class MissingPackage(VeridicError, ImportError):
    """A function needs a package that is not installed; the message names it."""


class RowError(VeridicError, ValueError):
    """A row cannot be judged; the run ends there."""

    index: int
    """The index of the row, from 0."""
    id: Any
    """The row's field `id`, if it has one."""
    reason: str
    """Why it cannot be judged."""

    def __init__(self, index: int, id: Any, reason: str) -> None:
        super().__init__(index, id, reason)
        self.index, self.id, self.reason = index, id, reason

    def __str__(self) -> str:
        named = "" if self.id is None else f" (id {self.id!r})"
        return f"rows[{self.index}]{named}: {self.reason}"


class VeridicWarning(UserWarning):
    """A note on settings or results; `Scorer(quiet=True)` issues none."""
