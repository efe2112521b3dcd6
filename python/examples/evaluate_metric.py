"""The metric of Hugging Face's `evaluate`: predictions are summaries, references their documents."""

from __future__ import annotations

from veridic.evaluate_metric import Factuality


def main() -> None:
    documents = ["The pool closed in March.", "The pool closed in March."]
    summaries = ["The pool closed.", "The pool opened in May."]
    print(Factuality().compute(predictions=summaries, references=documents, quiet=True))


if __name__ == "__main__":
    main()
