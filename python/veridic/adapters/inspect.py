"""A scorer for Inspect: whether a model's output is supported by the context in its sample's metadata.

>>> Task(dataset=[Sample(input=question, metadata={"context": texts})], solver=generate(), scorer=veridic_support())
"""

from __future__ import annotations

from functools import partial
from typing import Any, Dict, Optional

from ._judge import Judge, missing

try:
    from anyio import to_thread
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import TaskState
except ImportError as error:
    raise missing("inspect", "inspect-ai", "inspect") from error

__all__ = ["veridic_support"]


@scorer(metrics=[mean(), stderr()])  # type: ignore[untyped-decorator, unused-ignore]
def veridic_support(context: str = "context", min_score: Optional[float] = None, settings: Optional[Dict[str, Any]] = None) -> Scorer:
    """The score of a sample's output, with its claims that are not supported as the explanation.

    Verdict, `passed` and the claims are the score's metadata. Nothing is loaded before the first sample.

    Args:
        context: the field of the sample's metadata with its context, a text or a list; `target` is the sample's target.
        min_score: the score from which an output passes; by default it passes if its verdict is `supported`.
        settings: the settings of `veridic.Scorer`, by name.

    Raises:
        ValueError: the sample has no context, or its texts cannot be judged; the sample's error says which.
    """
    judge = Judge(None, min_score, **(settings or {}))

    async def score(state: TaskState, target: Target) -> Score:
        contexts: Any = list(target) if context == "target" else state.metadata.get(context)
        name = "target" if context == "target" else f"metadata[{context!r}]"
        answer = state.output.completion
        judgement = await to_thread.run_sync(partial(judge, answer, contexts, answer_name="output", contexts_name=name))
        judged = judgement.to_dict()
        return Score(value=judged.pop("score"), answer=answer, explanation=judged.pop("reason"), metadata=judged)

    return score
