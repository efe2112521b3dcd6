"""LangChain's string evaluators: the reference is the document."""

from __future__ import annotations

from veridic.adapters.langchain_evaluator import VeridicStringEvaluator


def main() -> None:
    found = VeridicStringEvaluator().evaluate_strings(
        prediction="The pool closes in March. Repairs would cost 2.4 million euros.",
        reference="The pool closes in March. Repairs would cost 4.2 million euros, the report said.",
    )
    print(f"{found['score']:.2f}", found["value"])
    print(found["reasoning"])


if __name__ == "__main__":
    main()
