"""Scores as columns of a Hugging Face dataset: `map` in batches, one process with all threads.

A scorer pickles by its settings, so `map` finds the results of the same settings in its cache. With `num_proc` each process
loads the model: give each `threads=1`.
"""

from __future__ import annotations

from typing import Dict, List, Optional

import datasets
import veridic

scorer = veridic.Scorer(model="mini")


def judge(batch: Dict[str, List[str]]) -> Dict[str, List[Optional[object]]]:
    results = list(scorer.run(zip(batch["document"], batch["summary"]), on_error="record"))
    return {"score": [r.score for r in results], "verdict": [r.verdict for r in results]}


def main() -> None:
    rows = datasets.Dataset.from_dict(
        {
            "document": ["The pool closed in March."] * 2,
            "summary": ["The pool closed.", "The pool opened in May."],
        }
    )
    for row in rows.map(judge, batched=True, batch_size=256):
        print(row)


if __name__ == "__main__":
    main()
