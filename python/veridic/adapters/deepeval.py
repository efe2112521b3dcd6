"""A metric for DeepEval: whether `actual_output` is supported by the test case's contexts.

>>> metric = VeridicMetric()
>>> metric.measure(LLMTestCase(input=question, actual_output=answer, retrieval_context=contexts))
>>> metric.score, metric.success, metric.reason
"""

from __future__ import annotations

import asyncio
from typing import Any, Optional

from ..errors import VeridicError
from ..scorer import Scorer
from ._judge import Judge, missing

try:
    from deepeval.errors import DeepEvalError
    from deepeval.metrics import BaseMetric
    from deepeval.metrics.utils import check_llm_test_case_params
    from deepeval.test_case import LLMTestCase, SingleTurnParams
except ImportError as error:
    raise missing("deepeval", "deepeval", "deepeval") from error

__all__ = ["VeridicMetric"]

_NEEDED = [SingleTurnParams.ACTUAL_OUTPUT]


class VeridicMetric(BaseMetric):  # type: ignore[misc, no-untyped-call, unused-ignore]
    """The score of a test case's `actual_output`; `reason` has its claims that are not supported.

    Contexts are `retrieval_context`, or else `context`; the reason names the `source` of RetrievedContextData. Nothing is
    sent anywhere, and `evaluation_cost` is 0.

    Args:
        threshold: the score from which a test case passes; by default it passes if its verdict is `supported`, and the threshold is
            the scorer's own limit.
        scorer: the scorer; by default `Scorer(**settings)`, which metrics share.
        async_mode: whether `evaluate` measures test cases concurrently.
        strict_mode: a score that does not pass is 0.
        settings: the settings of `Scorer`.

    Raises:
        MissingTestCaseParamsError: a test case has no output or no context.
        DeepEvalError: its texts cannot be judged.
    """

    def __init__(
        self,
        threshold: Optional[float] = None,
        scorer: Optional[Scorer] = None,
        async_mode: bool = True,
        strict_mode: bool = False,
        **settings: Any,
    ) -> None:
        # DeepEval copies a metric by the attributes that have the names of these arguments, so that a copy is given the limit.
        judge = Judge(scorer, None, **settings)
        self._judge = judge if threshold is None or threshold == judge.limit else Judge(judge.scorer, threshold)
        self.scorer, self.threshold = judge.scorer, self._judge.limit
        self.async_mode, self.strict_mode = async_mode, strict_mode
        self.evaluation_model = f"veridic {self.scorer.models.nli.id}"
        self.evaluation_cost = 0.0
        self.include_reason, self.verbose_mode = True, False

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        """Judges a test case and returns its score."""
        self.score = self.reason = self.success = self.error = None
        check_llm_test_case_params(test_case, _NEEDED, None, None, self)
        name = "context" if test_case.retrieval_context is None else "retrieval_context"
        if getattr(test_case, name) is None:
            check_llm_test_case_params(test_case, [SingleTurnParams.RETRIEVAL_CONTEXT], None, None, self)
        try:
            judgement = self._judge(
                test_case.actual_output, _sources(getattr(test_case, name)), answer_name="actual_output", contexts_name=name
            )
        except VeridicError as error:
            self.error, self.success = str(error), False
            raise DeepEvalError(f"{error} ({self.__name__} metric)") from error
        self.success, self.reason = judgement.passed, judgement.reason
        self.score = 0.0 if self.strict_mode and not judgement.passed else judgement.score
        self.score_breakdown = {claim.text: claim.score for claim in judgement.result.judged_claims}
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        """The same in a thread, while the event loop goes on."""
        return await asyncio.get_running_loop().run_in_executor(None, self.measure, test_case)

    def is_successful(self) -> bool:
        """Whether the last test case passed."""
        return bool(self.success) and self.error is None

    @property
    def __name__(self) -> str:
        return "Veridic"


def _sources(contexts: Any) -> Any:
    """The contexts, with the source of those that name it (RetrievedContextData) as their id."""
    if not isinstance(contexts, list):
        return contexts
    return [{"id": each.source, "text": each.context} if hasattr(each, "source") else each for each in contexts]
