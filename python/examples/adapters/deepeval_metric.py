"""DeepEval: which claims of an answer its retrieval context does not support."""

from __future__ import annotations

from deepeval.test_case import LLMTestCase
from veridic.adapters.deepeval import VeridicMetric


def main() -> None:
    metric = VeridicMetric()
    case = LLMTestCase(
        input="What would repairs cost?",
        actual_output="The pool closes in March. Repairs would cost 2.4 million euros.",
        retrieval_context=["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."],
    )
    metric.measure(case)
    print(f"{metric.score:.2f}", metric.is_successful())
    print(metric.reason)


if __name__ == "__main__":
    main()
