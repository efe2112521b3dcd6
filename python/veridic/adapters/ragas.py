"""Metrics for RAGAS: whether a response is supported by its retrieved contexts.

>>> result = await VeridicMetric().ascore(response=answer, retrieved_contexts=texts)
>>> result.value, result.reason
>>> evaluate(dataset, metrics=[VeridicSampleMetric()])           # ragas.evaluate, which has numbers only
"""

from __future__ import annotations

import asyncio
from typing import Any, Optional

from ..scorer import Scorer
from ._judge import Judge, missing

try:
    from ragas.dataset_schema import SingleTurnSample
    from ragas.metrics.base import MetricType, SingleTurnMetric
    from ragas.metrics.collections.base import BaseMetric
    from ragas.metrics.result import MetricResult
    from ragas.run_config import RunConfig
except ImportError as error:
    raise missing("ragas", "ragas (0.4 or newer)", "ragas") from error

__all__ = ["VeridicMetric", "VeridicSampleMetric"]


class VeridicMetric(BaseMetric):  # type: ignore[misc, unused-ignore]
    """The score of a response as a MetricResult, with its claims that are not supported as the reason.

    Args:
        name: the name of the metric.
        scorer: the scorer; by default `Scorer(**settings)`.
        settings: the settings of `Scorer`.

    Raises:
        ValueError: response or contexts are missing, or cannot be judged.
    """

    def __init__(self, name: str = "veridic", scorer: Optional[Scorer] = None, **settings: Any) -> None:
        super().__init__(name=name)
        self._judge = Judge(scorer, None, **settings)

    async def ascore(self, response: str, retrieved_contexts: Any, user_input: Optional[str] = None) -> MetricResult:
        """Judges a response in a thread, while the event loop goes on; `user_input` is not judged."""
        loop = asyncio.get_running_loop()
        judgement = await loop.run_in_executor(None, _judged, self._judge, response, retrieved_contexts)
        return MetricResult(value=judgement.score, reason=judgement.reason)


class VeridicSampleMetric(SingleTurnMetric):  # type: ignore[misc, unused-ignore]
    """The score of a sample, for `ragas.evaluate`. `reason(sample)` has its claims that are not supported.

    RAGAS writes NaN for samples whose metric raises an error, unless `evaluate(raise_exceptions=True)` is called.
    """

    def __init__(self, name: str = "veridic", scorer: Optional[Scorer] = None, **settings: Any) -> None:
        super().__init__(name=name, _required_columns={MetricType.SINGLE_TURN: {"response", "retrieved_contexts"}})
        self._judge = Judge(scorer, None, **settings)

    def init(self, run_config: RunConfig) -> None:
        """Loads the model."""
        self._judge.scorer

    def reason(self, sample: SingleTurnSample) -> str:
        """Why a sample has its score."""
        return str(_judged(self._judge, sample.response, sample.retrieved_contexts).reason)

    async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: Any) -> float:
        loop = asyncio.get_running_loop()
        judgement = await loop.run_in_executor(None, _judged, self._judge, sample.response, sample.retrieved_contexts)
        return float(judgement.score)


def _judged(judge: Judge, response: Any, contexts: Any) -> Any:
    return judge(response, contexts, answer_name="response", contexts_name="retrieved_contexts")
