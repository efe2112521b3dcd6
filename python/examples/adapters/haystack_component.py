"""Haystack: the evaluator in a pipeline."""

from __future__ import annotations

from haystack import Pipeline
from veridic.adapters.haystack import VeridicEvaluator


def main() -> None:
    pipeline = Pipeline()
    pipeline.add_component("veridic", VeridicEvaluator())
    inputs = {
        "predicted_answers": ["The pool closes in March. Repairs would cost 2.4 million euros."],
        "contexts": [["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."]],
    }
    found = pipeline.run({"veridic": inputs})["veridic"]
    print(f"{found['score']:.2f}", found["results"][0]["verdict"])
    print(found["results"][0]["reason"])


if __name__ == "__main__":
    main()
