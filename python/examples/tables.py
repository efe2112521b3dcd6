"""The same rows as a pandas frame, a polars frame and an Arrow table; each result has the same type."""

from __future__ import annotations

import pandas
import polars
import pyarrow
import veridic
from veridic import frames

ROWS = [
    {"id": 1, "document": "The pool closed in March.", "summary": "The pool closed."},
    {"id": 2, "document": "The pool closed in March.", "summary": "The pool opened in May."},
]


def main() -> None:
    scorer = veridic.Scorer()
    print(frames.score(pandas.DataFrame(ROWS), scorer)[["id", "score", "verdict"]])
    print(frames.score(polars.DataFrame(ROWS), scorer).select("id", "score", "verdict"))
    print(frames.score(pyarrow.Table.from_pylist(ROWS), scorer).select(["id", "score", "verdict"]))


if __name__ == "__main__":
    main()
