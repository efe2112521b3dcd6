"""The interface of the package `summac`, on an Evaluator."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

from ._engine import sentences
from .evaluator import Evaluator

__all__ = ["SummaCZS"]


class SummaCZS:
    """`SummaCZS(...).score([document], [summary])["scores"]`, Laban et al. 2022.

    For each summary sentence, the maximum entailment over the document's units minus the maximum contradiction; the mean over
    sentences. The units are paragraphs, or sentences with `granularity="sentence"`.

    Raises:
        ValueError: an argument has a value that only the original computes.
    """

    def __init__(
        self,
        granularity: str = "paragraph",
        model_name: str = "base",
        op1: str = "max",
        op2: str = "mean",
        use_ent: bool = True,
        use_con: bool = True,
        **settings: Any,
    ) -> None:
        if granularity not in ("paragraph", "sentence"):
            raise ValueError(f"granularity {granularity}: known are paragraph, sentence")
        if (op1, op2, use_ent, use_con) != ("max", "mean", True, True):
            raise ValueError("only the published form of SummaC-ZS is supported: max, mean, use_ent and use_con")
        self.granularity = granularity
        self.evaluator = Evaluator("summac-zs", model=model_name, settings=settings)

    def score(self, sources: Sequence[str], generateds: Sequence[str]) -> Dict[str, List[float]]:
        """`{"scores": [...]}`, one for each source and its text.

        Raises:
            ValueError: the lists have different lengths.
        """
        if len(sources) != len(generateds):
            raise ValueError(f"{len(sources)} sources cannot be paired with {len(generateds)} texts")
        units = sources if self.granularity == "paragraph" else [_as_paragraphs(source) for source in sources]
        rows = [{"document": source, "summary": text} for source, text in zip(units, generateds)]
        return {"scores": [result["score"] for result in self.evaluator.run(rows)]}


def _as_paragraphs(text: str) -> str:
    """The text with each of its sentences in a paragraph of its own."""
    return "\n\n".join(text[start:end] for start, end in sentences(text))
