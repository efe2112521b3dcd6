"""RAGAS: the score of a response and the reasons for it."""

from __future__ import annotations

from veridic.adapters.ragas import VeridicMetric


def main() -> None:
    metric = VeridicMetric()
    result = metric.score(
        response="The pool closes in March. Repairs would cost 2.4 million euros.",
        retrieved_contexts=["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."],
    )
    print(f"{result.value:.2f}")
    print(result.reason)


if __name__ == "__main__":
    main()
