"""One summary against its document, claim by claim.

    python python/examples/score.py examples/article.txt examples/summary.txt
"""

from __future__ import annotations

import sys
from pathlib import Path

import veridic


def main(document_file: str, summary_file: str) -> None:
    scorer = veridic.Scorer(model="base", profile="veridic")
    document = Path(document_file).read_text(encoding="utf-8")
    result = scorer.score(document, Path(summary_file).read_text(encoding="utf-8"))
    print(f"{result.score:.2f} {result.verdict}")
    for claim in result.claims:
        start, end = claim.evidence.span
        print(f"{claim.score:5.2f} {claim.verdict:12} {claim.text}")
        print(f"{'':19}[{start}, {end}] {document[start:end][:80]!r}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: score.py DOCUMENT_FILE SUMMARY_FILE")
    main(sys.argv[1], sys.argv[2])
