"""A component for Haystack: whether answers are supported by the contexts or documents that they were made from.

>>> VeridicEvaluator().run(predicted_answers=[answer], contexts=[[text, text]])
{'score': 0.04, 'individual_scores': [0.04], 'results': [{'verdict': 'contradicted', 'reason': '...', ...}]}
"""

from typing import Any, Dict, List, Optional

from ..errors import TextError
from ..scorer import Scorer
from ._judge import Judge, missing

try:
    from haystack import component, default_from_dict, default_to_dict
except ImportError as error:
    raise missing("haystack", "haystack-ai", "haystack") from error

__all__ = ["VeridicEvaluator"]


@component
class VeridicEvaluator:
    """The scores of answers, their mean, and for each its verdict, reason and claims; as Haystack's FaithfulnessEvaluator.

    Args:
        min_score: the score from which an answer passes; by default it passes if its verdict is `supported`.
        settings: the settings of `Scorer`, by name.

    Raises:
        ValueError: the lists have different lengths, or a text cannot be judged.
    """

    def __init__(self, min_score: Optional[float] = None, settings: Optional[Dict[str, Any]] = None) -> None:
        self.min_score, self.settings = min_score, settings
        self._judge = Judge(None, min_score, **(settings or {}))

    def warm_up(self) -> None:
        """Loads the model."""
        self._judge.scorer

    def to_dict(self) -> Dict[str, Any]:
        """The component as a pipeline stores it."""
        return default_to_dict(self, min_score=self.min_score, settings=self.settings)  # type: ignore[no-any-return, unused-ignore]

    @classmethod
    def from_dict(cls, data: Dict[str, Any]) -> "VeridicEvaluator":
        """The component that `to_dict` stored."""
        return default_from_dict(cls, data)  # type: ignore[no-any-return, unused-ignore]

    @component.output_types(  # type: ignore[untyped-decorator, unused-ignore]
        score=float, individual_scores=List[float], results=List[Dict[str, Any]]
    )
    def run(
        self, predicted_answers: List[str], contexts: List[List[str]], questions: Optional[List[str]] = None
    ) -> Dict[str, Any]:
        """Judges answers.

        Args:
            predicted_answers: the texts to judge.
            contexts: for each its contexts: texts or Documents.
            questions: not judged; taken so that it can replace FaithfulnessEvaluator.
        """
        for name, values in [("predicted_answers", predicted_answers), ("contexts", contexts)]:
            if not isinstance(values, (list, tuple)):
                raise TextError(f"`{name}` must be a list, not {type(values).__name__}")
        if len(predicted_answers) != len(contexts):
            raise TextError(f"{len(predicted_answers)} predicted_answers cannot be paired with {len(contexts)} lists of contexts")
        if not predicted_answers:
            raise TextError("`predicted_answers` is an empty list: there is nothing to judge")
        judged = [
            self._judge(answer, texts, answer_name=f"predicted_answers[{index}]", contexts_name=f"contexts[{index}]").to_dict()
            for index, (answer, texts) in enumerate(zip(predicted_answers, contexts))
        ]
        scores = [each["score"] for each in judged]
        return {"score": sum(scores) / len(scores), "individual_scores": scores, "results": judged}
