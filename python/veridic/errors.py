"""What can go wrong. Every error of this package is a VeridicError."""

from __future__ import annotations

from typing import Any

__all__ = [
    "CacheError",
    "MissingPackage",
    "ModelError",
    "RowError",
    "SettingError",
    "TextError",
    "VeridicError",
    "VeridicWarning",
]


class VeridicError(Exception):
    """Something that this package could not do; the message says what to do about it."""


class SettingError(VeridicError, ValueError):
    """A setting has no meaning, or contradicts another one or the model."""


class ModelError(VeridicError):
    """A model, its tokenizer or its calibration cannot be found, loaded or run."""


class TextError(VeridicError, ValueError):
    """A text is not one that can be judged: empty, binary, or too long."""


class CacheError(VeridicError, OSError):
    """The folder that keeps scores between runs cannot be used."""


class MissingPackage(VeridicError, ImportError):
    """Something needs a package that is not installed; the message names it."""


class RowError(VeridicError, ValueError):
    """A row cannot be judged, and the run ends there."""

    index: int
    """Its index among the rows, from 0."""
    id: Any
    """Its field `id`, if it has one."""
    reason: str
    """What is wrong with it."""

    def __init__(self, index: int, id: Any, reason: str) -> None:
        super().__init__(index, id, reason)
        self.index, self.id, self.reason = index, id, reason

    def __str__(self) -> str:
        named = "" if self.id is None else f" (id {self.id!r})"
        return f"rows[{self.index}]{named}: {self.reason}"


class VeridicWarning(UserWarning):
    """Something that one should know about results; `Scorer(quiet=True)` says nothing."""
