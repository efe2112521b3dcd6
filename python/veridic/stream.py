"""Judges a text while it is written: `Scorer.stream(document)`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterable, Iterator, List, Optional, Tuple

from ._rows import whole_text
from .results import Claim, PairResult, Span

if TYPE_CHECKING:
    from ._engine import EngineStream

__all__ = ["JudgedSentence", "Stream"]


@dataclass(frozen=True)
class JudgedSentence:
    """A sentence of a text that is still written, with its judged claims."""

    text: str
    span: Span
    """Its place in the text that was pushed so far; the `summary_spans` of its claims count in that text too."""
    claims: Tuple[Claim, ...]
    """None where the sentence has no word."""

    @property
    def is_supported(self) -> bool:
        return all(claim.verdict == "supported" for claim in self.claims if claim.is_claim)


class Stream:
    """A text that is judged against one document while it is written. `Scorer.stream` begins one.

    A sentence is judged as soon as the next one begins, or at the end. The document is read once.
    """

    def __init__(self, engine: "EngineStream") -> None:
        self._engine = engine
        self.result: Optional[PairResult] = None
        """The result of the whole text, once it is finished."""

    def push(self, piece: str) -> List[JudgedSentence]:
        """Adds a piece of the text and returns the sentences that are complete by it, judged."""
        if not isinstance(piece, str):
            raise TypeError(f"a piece is a text, not {type(piece).__name__}")
        return _sentences(self._engine.push(whole_text(piece)))

    def finish(self) -> List[JudgedSentence]:
        """Judges the rest of the text and returns its sentences; `result` then has the result of the whole text."""
        last, result = self._engine.finish()
        self.result = PairResult.from_dict(json.loads(result))
        return _sentences(last)

    def read(self, pieces: Iterable[str]) -> Iterator[JudgedSentence]:
        """Pushes all pieces and finishes; yields each sentence as soon as it is judged."""
        for piece in pieces:
            yield from self.push(piece)
        yield from self.finish()


def _sentences(text: str) -> List[JudgedSentence]:
    def judged(value: dict) -> JudgedSentence:  # type: ignore[type-arg]
        start, end = value["span"]
        return JudgedSentence(value["text"], (start, end), tuple(Claim.from_dict(claim) for claim in value["claims"]))

    return [judged(value) for value in json.loads(text)]
