"""An evaluator for LlamaIndex: whether a response is supported by its contexts.

>>> VeridicEvaluator().evaluate(query=question, response=answer, contexts=texts)
>>> VeridicEvaluator().evaluate_response(query=question, response=query_engine.query(question))
EvaluationResult(passing=False, score=0.04, feedback='...')
"""

from __future__ import annotations

import asyncio
from typing import Any, Optional, Sequence

from ..scorer import Scorer
from ._judge import Judge, missing

try:
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    from llama_index.core.prompts.mixin import PromptDictType
except ImportError as error:
    raise missing("llama_index", "llama-index-core", "llama-index") from error

__all__ = ["VeridicEvaluator"]


class VeridicEvaluator(BaseEvaluator):  # type: ignore[misc, unused-ignore]
    """The score of a response; `feedback` has its claims that are not supported.

    Args:
        min_score: the score from which a response passes; by default it passes if its verdict is `supported`.
        scorer: the scorer; by default `Scorer(**settings)`.
        settings: the settings of `Scorer`.

    Raises:
        ValueError: response or contexts are missing, or cannot be judged.
    """

    def __init__(self, min_score: Optional[float] = None, scorer: Optional[Scorer] = None, **settings: Any) -> None:
        self._judge = Judge(scorer, min_score, **settings)

    def evaluate(
        self,
        query: Optional[str] = None,
        response: Optional[str] = None,
        contexts: Optional[Sequence[str]] = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        """Judges a response; the query is not judged."""
        judgement = self._judge(response, contexts, answer_name="response")
        return EvaluationResult(
            query=query,
            contexts=[contexts] if isinstance(contexts, str) else contexts,
            response=response,
            passing=judgement.passed,
            score=judgement.score,
            feedback=judgement.reason,
        )

    async def aevaluate(
        self,
        query: Optional[str] = None,
        response: Optional[str] = None,
        contexts: Optional[Sequence[str]] = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        """The same in a thread, while the event loop goes on."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, self.evaluate, query, response, contexts)

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        """It has no prompts."""
