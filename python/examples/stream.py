"""Streams the rows of a JSONL file through one scorer, with a progress bar; rows that cannot be judged are counted.

    python python/examples/stream.py rows.jsonl > scores.jsonl
"""

from __future__ import annotations

import json
import sys
from typing import Any, Dict, Iterator

import veridic


def rows_of(file: str) -> Iterator[Dict[str, Any]]:
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            row: Dict[str, Any] = json.loads(line)
            yield row


def main(file: str) -> None:
    scorer = veridic.Scorer()
    failed = 0
    for result in scorer.run(rows_of(file), on_error="record", progress=True):
        failed += isinstance(result, veridic.FailedRow)
        print(json.dumps(result.to_dict(), ensure_ascii=False))
    print(f"{failed} rows failed", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: stream.py ROWS.jsonl")
    main(sys.argv[1])
