"""pytest: the second test fails and shows what the context says instead.

    pytest python/examples/adapters/test_answers.py
"""

from __future__ import annotations

from typing import Any, Callable

CONTEXT = ["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."]


def test_supported_answer(assert_supported: Callable[..., Any]) -> None:
    assert_supported("The pool closes in March.", CONTEXT)


def test_wrong_amount(assert_supported: Callable[..., Any]) -> None:
    assert_supported("Repairs would cost 2.4 million euros.", CONTEXT)
