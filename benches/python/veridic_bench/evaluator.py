"""Metrics of texts, as `veridic-bench run --metric` computes them."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence

from ._engine import Engine

# The rows that are evaluated together: it affects speed and memory, never a result.
_ROWS_TOGETHER = 64


class EvaluationError(ValueError):
    """A row cannot be evaluated."""


class Evaluator:
    """Evaluates summaries by one or several metrics.

    >>> Evaluator("rouge").evaluate("A dog ran.", "A dog ran.", reference="A dog ran.")["rouge1"]
    1.0

    Args:
        metrics: names as for `--metric`, also as `NAME:AXIS,AXIS`.
        model: the NLI model: a name, a folder or a hub id.
        threads: number of compute threads; by default one per core.
        settings: all other settings by their keys, those of metrics included (docs/reference/settings.md).

    Raises:
        ValueError: a setting is invalid, or a model cannot be loaded.
    """

    def __init__(
        self,
        *metrics: str,
        model: str = "base",
        threads: Optional[int] = None,
        settings: Optional[Mapping[str, Any]] = None,
    ) -> None:
        given: Dict[str, Any] = {"model": model, "metric": list(metrics), **(settings or {})}
        self._engine = Engine(json.dumps(given), threads)

    def evaluate(self, document: str, summary: str, **inputs: Any) -> Dict[str, Any]:
        """The result of one summary: its `score`, and each metric's numbers and facts by name.

        Args:
            document: the source.
            summary: the text to evaluate.
            inputs: other fields of its row that metrics read, such as `reference`, `key_facts` or `claims`.

        Raises:
            EvaluationError: it cannot be evaluated.
        """
        return next(self.run([{"document": document, "summary": summary, **inputs}]))

    def run(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[Dict[str, Any]]:
        """Evaluates rows and yields their results in order. Rows have the fields that `veridic-bench run` reads.

        Raises:
            EvaluationError: a row cannot be evaluated; it names the row's index.
        """
        together: List[str] = []
        first = 0
        for row in rows:
            together.append(json.dumps(dict(row)))
            if len(together) == _ROWS_TOGETHER:
                yield from self._results(together, first)
                first += len(together)
                together = []
        yield from self._results(together, first)

    def _results(self, rows: Sequence[str], first: int) -> Iterator[Dict[str, Any]]:
        for index, (is_evaluated, text) in enumerate(self._engine.evaluate(list(rows)), first):
            if not is_evaluated:
                raise EvaluationError(f"row {index}: {text}")
            result: Dict[str, Any] = json.loads(text)
            yield result
