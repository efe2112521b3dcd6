"""A plugin of pytest: asserts that an answer is supported by its context.

    def test_answer(assert_supported):
        assert_supported(answer, context)

The fixture `assert_supported` uses one scorer a session, the fixture `veridic_scorer`. Its settings are what the fixture
`veridic_settings` returns; a conftest.py may define that anew. The function `assert_supported` does the same outside of fixtures.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Set

import pytest

from .adapters import Judge, Judgement
from .scorer import Scorer

__all__ = ["assert_supported", "veridic_scorer", "veridic_settings"]

# The scorers of calls outside of fixtures, so that none is loaded twice.
_kept: Set[Scorer] = set()


def assert_supported(
    answer: str,
    context: Any,
    *,
    min_score: Optional[float] = None,
    scorer: Optional[Scorer] = None,
    **settings: Any,
) -> Judgement:
    """Fails, with the claims and the evidence against them, unless the answer is supported by its context.

    Args:
        answer: the text to judge.
        context: its source, or a list of them.
        min_score: the score from which it passes; by default its verdict must be `supported`.
        scorer: the scorer; by default `Scorer(**settings)`, loaded once.

    Returns:
        The judgement: score, verdict, reason and the whole result.

    Raises:
        AssertionError: it is not supported.
        VeridicError: it cannot be judged.
    """
    __tracebackhide__ = True
    judge = Judge(scorer, min_score, **settings)
    _kept.add(judge.scorer)
    judgement = judge(answer, context, contexts_name="context")
    if not judgement.passed:
        limit = "" if min_score is None else f" (min_score {min_score})"
        raise AssertionError(f"the answer is not supported{limit}\n{judgement.reason}")
    return judgement


@pytest.fixture(scope="session")
def veridic_settings() -> Dict[str, Any]:
    """The settings of the session's scorer; a conftest.py may define them anew."""
    return {}


@pytest.fixture(scope="session")
def veridic_scorer(veridic_settings: Dict[str, Any]) -> Scorer:
    """The session's scorer."""
    return Scorer(**veridic_settings)


@pytest.fixture(scope="session", name="assert_supported")
def _assert_supported(veridic_scorer: Scorer) -> Callable[..., Judgement]:
    def check(answer: str, context: Any, *, min_score: Optional[float] = None) -> Judgement:
        __tracebackhide__ = True
        return assert_supported(answer, context, min_score=min_score, scorer=veridic_scorer)

    return check
