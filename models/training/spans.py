#!/usr/bin/env python3
"""Marks the unsupported words of hypotheses that are not entailed, where another pair shows them.

    spans.py OUT FILE_OR_FOLDER...

Writes each file to the folder OUT, with a field `unsupported` (character spans of the hypothesis) in two kinds of rows:
- the same premise entails a hypothesis that differs in few words: the words that the entailed one lacks;
- a premise that differs in few words entails the same hypothesis: the words that this row's premise lacks.
Other rows are unchanged. Prints the number of marked rows of each file.
"""
import difflib
import json
import pathlib
import re
import sys
from collections import defaultdict

WORD = re.compile(r"\d[\d.,]*\d|\w+|[^\w\s]")
# A hypothesis that differs in a larger share of its words is a different statement, without single unsupported words.
MOST_CHANGED = 0.34
LEAST_WORDS = 4
# The same for the words of a premise.
MOST_OF_PREMISE = 0.25


def words(text):
    return [(match.group().lower(), match.span()) for match in WORD.finditer(text)]


def changed(before, after):
    """The indices of `after`'s words that are not in `before`, in order."""
    matcher = difflib.SequenceMatcher(None, [word for word, _ in before], [word for word, _ in after], autojunk=False)
    return [index for kind, _, _, start, end in matcher.get_opcodes() if kind in ("replace", "insert") for index in range(start, end)]


def joined(spans):
    """Joins spans with at most one character between them."""
    out = []
    for start, end in spans:
        if out and start - out[-1][1] <= 1:
            out[-1][1] = end
        else:
            out.append([start, end])
    return out


def beside(hypothesis, entailed):
    """The spans by the entailed hypothesis of the same premise that differs in the fewest words."""
    own, best = words(hypothesis), None
    for other in entailed:
        indices = changed(words(other), own)
        if indices and (best is None or len(indices) < len(best)):
            best = indices
    if best is None or len(own) < LEAST_WORDS or len(best) > max(1, MOST_CHANGED * len(own)):
        return None
    return joined([own[index][1] for index in best])


def gone(row, entailing):
    """The spans by the premise that entails the same hypothesis and differs in the fewest words."""
    own = words(row["premise"])
    here, best = {word for word, _ in own}, None
    for premise in entailing:
        other = words(premise)
        indices = changed(own, other)
        if len(indices) <= MOST_OF_PREMISE * len(other) and (best is None or len(indices) < len(best[1])):
            best = other, indices
    if best is None:
        return None
    lost = {best[0][index][0] for index in best[1]} - here
    return joined([span for word, span in words(row["hypothesis"]) if word in lost]) or None


def marked(rows):
    by_premise, by_hypothesis = defaultdict(list), defaultdict(list)
    for row in rows:
        if row["label"] == "entailment":
            by_premise[row["premise"]].append(row["hypothesis"])
            by_hypothesis[row["hypothesis"]].append(row["premise"])
    for row in rows:
        spans = None
        if row["label"] != "entailment":
            spans = beside(row["hypothesis"], by_premise[row["premise"]]) or gone(row, by_hypothesis[row["hypothesis"]])
        yield {**row, "unsupported": spans} if spans else row


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for path in map(pathlib.Path, sys.argv[2:]):
        for file in sorted(path.glob("*.jsonl")) if path.is_dir() else [path]:
            rows = list(marked([json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]))
            (out / file.name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
            print(file.name, sum("unsupported" in row for row in rows), "of", len(rows), flush=True)


if __name__ == "__main__":
    main()
