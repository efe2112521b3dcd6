"""A validator for Guardrails: a text passes if it is supported by its context.

>>> guard = Guard().use(VeridicSupported(on_fail="exception"))
>>> guard.validate(answer, metadata={"context": texts})
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Union

from ..errors import VeridicError
from ..results import PairResult
from ..scorer import Scorer
from ._judge import Judge, missing

try:
    from guardrails.errors import ValidationError
    from guardrails.validator_base import ErrorSpan, FailResult, PassResult, ValidationResult, Validator, register_validator
except ImportError as error:
    raise missing("guardrails", "guardrails-ai", "guardrails") from error

__all__ = ["VeridicSupported"]


@register_validator(name="veridic/supported", data_type="string")
class VeridicSupported(Validator):  # type: ignore[misc, unused-ignore]
    """Fails with the claims that are not supported as the message, and their places as spans.

    Where the document says something else instead of each of them, `on_fail="fix"` puts that in their place.

    Args:
        context: the context of every text; `metadata["context"]` of a call comes before it.
        min_score: the score from which a text passes; by default it passes if its verdict is `supported`.
        scorer: the scorer; by default `Scorer(**settings)`.
        on_fail: what Guardrails does with a text that does not pass: `exception` (its default), `fix`, `filter`, `noop` or others.
        settings: the settings of `Scorer`.

    Raises:
        ValidationError: there is no context, or a text cannot be judged.
    """

    def __init__(
        self,
        context: Any = None,
        min_score: Optional[float] = None,
        scorer: Optional[Scorer] = None,
        on_fail: Union[str, Callable[..., Any], None] = None,
        **settings: Any,
    ) -> None:
        super().__init__(on_fail=on_fail, context=context, min_score=min_score, **settings)
        self._judge = Judge(scorer, min_score, **settings)
        self._context = context

    def _validate(self, value: Any, metadata: Optional[Dict[str, Any]] = None) -> ValidationResult:
        contexts = (metadata or {}).get("context", self._context)
        try:
            judgement = self._judge(value, contexts, answer_name="value", contexts_name="context")
        except VeridicError as error:
            raise ValidationError(f"veridic/supported: {error}") from error
        about = {"score": judgement.score, "verdict": judgement.verdict}
        if judgement.passed:
            return PassResult(metadata=about)
        spans = [
            ErrorSpan(start=start, end=end, reason=f"{claim.verdict}, {claim.score:.2f}")
            for claim in judgement.result.judged_claims
            if claim.verdict != "supported"
            for start, end in claim.summary_spans
        ]
        return FailResult(
            error_message=judgement.reason, fix_value=_fixed(judgement.result, value), error_spans=spans, metadata=about
        )


def _fixed(result: PairResult, value: str) -> Optional[str]:
    """The text with what the document says instead, if that is known of all claims that are not supported."""
    failed = [claim for claim in result.judged_claims if claim.verdict != "supported"]
    placed = [claim for claim in failed if claim.instead is not None and claim.instead.summary_span is not None]
    return result.corrected(value) if len(placed) == len(failed) else None
