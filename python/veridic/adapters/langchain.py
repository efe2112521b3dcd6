"""A runnable for LangChain: judges the answer of a chain against what it was given.

>>> chain = RunnablePassthrough.assign(answer=answer_chain) | VeridicRunnable()
>>> chain.invoke({"question": question, "context": documents})["veridic"]
{'score': 0.04, 'verdict': 'contradicted', 'passed': False, 'reason': '...', 'claims': [...]}

`veridic.adapters.langchain_evaluator` has the string evaluator, which needs the package langchain-classic.
"""

from __future__ import annotations

from typing import Any, Dict, Optional

from ..errors import TextError
from ..scorer import Scorer
from ._judge import Judge, missing

try:
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import Runnable, RunnableConfig
except ImportError as error:
    raise missing("langchain", "langchain-core", "langchain") from error

__all__ = ["VeridicRunnable"]


class VeridicRunnable(Runnable[Dict[str, Any], Dict[str, Any]]):  # type: ignore[misc, unused-ignore]
    """Takes a mapping with an answer and its context, and adds the judgement to it.

    The context is a text, a list of texts, or of Documents; the answer a text or a message.

    Args:
        answer: the key of the answer.
        context: the key of the context.
        output: the key of the judgement.
        min_score: the score from which an answer passes; by default it passes if its verdict is `supported`.
        scorer: the scorer; by default `Scorer(**settings)`.
        settings: the settings of `Scorer`.

    Raises:
        TextError (a ValueError): the input has no such key, or its texts cannot be judged.
    """

    def __init__(
        self,
        answer: str = "answer",
        context: str = "context",
        output: str = "veridic",
        min_score: Optional[float] = None,
        scorer: Optional[Scorer] = None,
        **settings: Any,
    ) -> None:
        self._judge = Judge(scorer, min_score, **settings)
        self.answer, self.context, self.output = answer, context, output

    def invoke(self, input: Dict[str, Any], config: Optional[RunnableConfig] = None, **kwargs: Any) -> Dict[str, Any]:
        """The input with the judgement."""
        judged: Dict[str, Any] = self._call_with_config(self._judged, input, config)
        return judged

    def _judged(self, input: Dict[str, Any]) -> Dict[str, Any]:
        if not isinstance(input, dict):
            raise TextError(f"the input must be a mapping with `{self.answer}` and `{self.context}`, not {type(input).__name__}")
        answer = input.get(self.answer)
        text = str(answer.text) if isinstance(answer, BaseMessage) else answer
        judgement = self._judge(text, input.get(self.context), answer_name=self.answer, contexts_name=self.context)
        return {**input, self.output: judgement.to_dict()}
