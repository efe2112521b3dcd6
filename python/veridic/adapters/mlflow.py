"""A scorer for MLflow: whether outputs are supported by the context of their row, or by what a trace retrieved.

>>> mlflow.genai.evaluate(data=rows, scorers=[VeridicScorer()])
>>> VeridicScorer()(inputs={"context": texts}, outputs=answer).rationale
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

from ..errors import VeridicError
from ._judge import Judge, missing

try:
    from mlflow.entities import AssessmentSource, AssessmentSourceType, Feedback, SpanType
    from mlflow.exceptions import MlflowException
    from mlflow.genai.scorers import Scorer
    from pydantic import PrivateAttr
except ImportError as error:
    raise missing("mlflow", "mlflow (3 or newer)", "mlflow") from error

__all__ = ["VeridicScorer"]


class VeridicScorer(Scorer):  # type: ignore[misc, unused-ignore]
    """A feedback with the score as its value and the claims that are not supported as its rationale.

    The context is the field `context` of the row's `expectations` or `inputs`, or else what the trace's retrievers returned.

    Args:
        name: the name of the feedback.
        context: the field of the context.
        answer: the field of the answer, where outputs are a mapping.
        min_score: the score from which an answer passes (`metadata["passed"]`); by default its verdict must be `supported`.
        settings: the settings of `veridic.Scorer`, by name.

    Raises:
        MlflowException: a row has no context, or its texts cannot be judged. `evaluate` records it as the row's error.
    """

    name: str = "veridic"
    context: str = "context"
    answer: str = "answer"
    min_score: Optional[float] = None
    settings: Dict[str, Any] = {}
    _judge: Judge = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Checks the settings; the model is loaded at the first row."""
        super().model_post_init(context)
        try:
            self._judge = Judge(None, self.min_score, **self.settings)
        except VeridicError as error:
            raise MlflowException.invalid_parameter_value(str(error)) from error

    def __call__(
        self, *, inputs: Any = None, outputs: Any = None, expectations: Optional[Dict[str, Any]] = None, trace: Any = None
    ) -> Feedback:
        """Judges a row."""
        answer = outputs.get(self.answer) if isinstance(outputs, Mapping) else outputs
        contexts = _field(expectations, self.context)
        contexts = _field(inputs, self.context) if contexts is None else contexts
        contexts = _retrieved(trace) if contexts is None and trace is not None else contexts
        try:
            judgement = self._judge(answer, contexts, answer_name="outputs", contexts_name=self.context)
        except VeridicError as error:
            raise MlflowException.invalid_parameter_value(f"{self.name}: {error}") from error
        nli = judgement.result.models.nli
        return Feedback(
            name=self.name,
            value=judgement.score,
            rationale=judgement.reason,
            source=AssessmentSource(source_type=AssessmentSourceType.CODE, source_id=f"veridic/{nli.id}@{nli.sha256[:16]}"),
            metadata={"verdict": judgement.verdict, "passed": str(judgement.passed).lower(), "limit": f"{self._judge.limit:g}"},
        )


def _field(row: Any, name: str) -> Any:
    return row.get(name) if isinstance(row, Mapping) else None


def _retrieved(trace: Any) -> Optional[List[Any]]:
    """What the retrievers of a trace returned."""
    found: List[Any] = []
    for span in trace.search_spans(span_type=SpanType.RETRIEVER):
        found += span.outputs if isinstance(span.outputs, list) else []
    return found or None
