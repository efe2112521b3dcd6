"""Guardrails: a text is corrected where its context says something else, and refused where it does not."""

from __future__ import annotations

from guardrails import Guard
from guardrails.errors import ValidationError
from veridic.adapters.guardrails import VeridicSupported

CONTEXT = ["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."]


def main() -> None:
    answer = "The pool closes in March. Repairs would cost 2.4 million euros."
    fixed = Guard().use(VeridicSupported(on_fail="fix")).validate(answer, metadata={"context": CONTEXT})
    print(fixed.validated_output)
    try:
        Guard().use(VeridicSupported(on_fail="exception")).validate(answer, metadata={"context": CONTEXT})
    except ValidationError as error:
        print(error)


if __name__ == "__main__":
    main()
