"""A string evaluator for LangChain (package langchain-classic): whether a prediction is supported by its reference.

>>> VeridicStringEvaluator().evaluate_strings(prediction=answer, reference=document)
{'score': 0.04, 'value': 'contradicted', 'reasoning': '...', 'passed': False, 'claims': [...]}
"""

from __future__ import annotations

from typing import Any, Dict, Optional

from ..scorer import Scorer
from ._judge import Judge, missing

try:
    from langchain_classic.evaluation import StringEvaluator
except ImportError as error:
    raise missing("langchain_evaluator", "langchain-classic", "langchain-evaluator") from error

__all__ = ["VeridicStringEvaluator"]


class VeridicStringEvaluator(StringEvaluator):  # type: ignore[misc, unused-ignore]
    """The score of a prediction, with its verdict as `value` and its claims that are not supported as `reasoning`.

    The reference is the document: a text, or a list of texts. `input`, the question, is not judged.

    Args:
        min_score: the score from which an answer passes; by default it passes if its verdict is `supported`.
        scorer: the scorer; by default `Scorer(**settings)`.
        settings: the settings of `Scorer`.

    Raises:
        ValueError: the reference is missing, or a text cannot be judged.
    """

    def __init__(self, min_score: Optional[float] = None, scorer: Optional[Scorer] = None, **settings: Any) -> None:
        self._judge = Judge(scorer, min_score, **settings)

    @property
    def requires_reference(self) -> bool:
        """The document is needed."""
        return True

    @property
    def evaluation_name(self) -> str:
        """The name of its score."""
        return "veridic"

    def _evaluate_strings(self, *, prediction: Any, reference: Any = None, input: Any = None, **kwargs: Any) -> Dict[str, Any]:
        judged = self._judge(prediction, reference, answer_name="prediction", contexts_name="reference").to_dict()
        verdict, reason = judged.pop("verdict"), judged.pop("reason")
        return {"score": judged.pop("score"), "value": verdict, "reasoning": reason, **judged}
