"""Turns the hand-written documents of this folder into labelled pairs, and checks them.

    pairs.py [FILE.txt]... [--out PAIRS.jsonl]      without FILE: every train_*.txt of this folder

A file holds documents, each closed by a line `===`:

    # ID GENRE
    The fund raised {4.2|2.4} million euros.        the document; {x|y} is x in version a and y in version b
    ---
    number EC The fund raised 4.2 million euros.    kind, label in version a, label in version b, claim

Labels: E entailment, N neutral, C contradiction. A claim is labelled for both versions, so that the claim alone does not give its label away.
"""
import argparse
import json
import pathlib
import re
import sys
from collections import Counter

KINDS = {
    "number": "a number, date, place or name that differs from the document's",
    "other": "a number, date or place of another thing in the document",
    "speaker": "a statement, view or act given to the wrong person or body",
    "roles": "who did what to whom, exchanged inside the claim",
    "modality": "denied, refused, proposed, planned or possible, stated as fact",
    "scope": "a condition, an 'all', an 'only', an 'experimental' dropped or added",
    "comparison": "more and less, rise and fall, earlier and later, exchanged",
    "arithmetic": "durations, shares, differences, totals that follow from the document",
    "synthesis": "a claim that joins two or three sentences",
    "paraphrase": "a claim in different words from the document's",
}
LABELS = {"E": "entailment", "N": "neutral", "C": "contradiction"}
CHOICE = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


class Malformed(Exception):
    pass


def version(text, which):
    """The document of version 0 (a) or 1 (b)."""
    plain = CHOICE.sub(lambda found: found.group(which + 1), text)
    if re.search(r"[{}|]", plain):
        raise Malformed("a brace or bar is left over")
    return re.sub(r"[ \t]+", " ", plain).replace(" .", ".").replace(" ,", ",").strip()


def documents(path):
    """Yields (id, genre, text, claims) of each document of a file; a claim is (kind, labels, text)."""
    for number, block in enumerate(re.split(r"(?m)^===\s*$", path.read_text(encoding="utf-8"))):
        if not block.strip():
            continue
        where = f"{path.name}, document {number + 1}"
        head, _, rest = block.strip().partition("\n")
        text, separator, lines = rest.partition("\n---\n")
        name = re.fullmatch(r"# (\S+) (.+)", head)
        if not name or not separator:
            raise Malformed(f"{where}: expected '# ID GENRE', the document, '---', the claims")
        claims = []
        for line in filter(None, map(str.strip, lines.splitlines())):
            found = re.fullmatch(r"(\w+) ([ENC])([ENC]) (.+)", line)
            if not found or found.group(1) not in KINDS:
                raise Malformed(f"{where}: not a claim: {line[:60]}")
            claims.append((found.group(1), found.group(2) + found.group(3), found.group(4)))
        if not CHOICE.search(text) and any(labels[0] != labels[1] for _, labels, _ in claims):
            raise Malformed(f"{where}: the labels differ, but the versions do not")
        yield name.group(1), name.group(2), text, claims


def pairs(path):
    """Yields the pairs of a file, both versions."""
    seen = set()
    for name, genre, text, claims in documents(path):
        if name in seen:
            raise Malformed(f"{path.name}: {name} twice")
        seen.add(name)
        for which, letter in enumerate("ab"):
            try:
                premise = version(text, which)
            except Malformed as fault:
                raise Malformed(f"{path.name}, {name}: {fault}") from None
            for kind, labels, claim in claims:
                yield {"premise": premise, "hypothesis": claim, "label": LABELS[labels[which]], "kind": kind,
                       "document": name, "version": letter, "genre": genre, "source": path.stem}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    given = parser.parse_args()
    files = given.files or sorted(pathlib.Path(__file__).parent.glob("train_*.txt"))
    try:
        rows = [row for path in files for row in pairs(path)]
    except Malformed as fault:
        sys.exit(str(fault))
    if given.out:
        given.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(len({(row["source"], row["document"]) for row in rows}), "documents,", len(rows), "pairs", dict(Counter(row["label"] for row in rows)))
    for kind in KINDS:
        print(f"  {kind:<11}", dict(sorted(Counter(row["label"] for row in rows if row["kind"] == kind).items())))


if __name__ == "__main__":
    main()
