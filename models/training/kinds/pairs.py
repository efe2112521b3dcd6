"""Turns the hand-written documents of this folder into labelled pairs, and checks them.

    pairs.py [FILE.txt]... [--out PAIRS.jsonl] [--held-out OTHERS.jsonl]      without FILE: every train_*.txt of this folder

--held-out takes a tenth of the documents, by a hash of their names, out of PAIRS.

A file holds documents, each closed by a line `===`:

    # ID GENRE
    The fund raised {4.2|2.4} million euros.        the document; {x|y} is x in version a and y in version b
    ---
    number EC The fund raised 4.2 million euros.    kind, label in version a, label in version b, claim

Documents whose layout matters (../structured) are in files with the marks ⟦x¦y⟧, in which spaces, bars and braces stand as
they are; they are closed by `=====` and their claims begin after `-----`.

Labels: E entailment, N neutral, C contradiction. A claim is labelled for both versions, so that the claim alone does not give its label away.
A claim may begin with the sentences before it in square brackets; its label is for the rest, read with them.
"""
import argparse
import json
import pathlib
import re
import sys
import zlib
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
    "gist": "what a passage or several amount to, in other words",
    "extra": "a plausible detail that the document does not state",
    "merge": "facts of two things or people, joined",
    "cause": "the reason or consequence of something",
    "copy": "nearly a sentence of the document, a word or two exchanged",
    "long": "a claim of four to six facts",
    "context": "a claim that refers to the sentence before it",
}
# What the claims about tables, records, logs, diffs, mails, chats and talks need.
NEEDS = set(
    "attribution average bound cause change condition count decision duration extra fiction gist lookup negation number oneline order"
    " quantifier question refusal retraction share status sum threshold time trend unit who".split()
)
LABELS = {"E": "entailment", "N": "neutral", "C": "contradiction"}
CHOICE = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
CHOICE_IN_LAYOUT = re.compile(r"⟦([^⟦⟧¦]*)¦([^⟦⟧¦]*)⟧")


class Malformed(Exception):
    pass


def has_layout(text):
    """Whether a document keeps its spaces and line ends."""
    return "⟦" in text


def version(text, which):
    """The document of version 0 (a) or 1 (b)."""
    if has_layout(text):
        plain = CHOICE_IN_LAYOUT.sub(lambda found: found.group(which + 1), text)
        if re.search("[⟦⟧¦]", plain):
            raise Malformed("a mark is left over")
        return plain
    plain = CHOICE.sub(lambda found: found.group(which + 1), text)
    if re.search(r"[{}|]", plain):
        raise Malformed("a brace or bar is left over")
    return re.sub(r"[ \t]+", " ", plain).replace(" .", ".").replace(" ,", ",").strip()


def documents(path):
    """Yields (id, genre, text, claims) of each document of a file; a claim is (kind, labels, text)."""
    content = path.read_text(encoding="utf-8")
    layout = has_layout(content)
    known = NEEDS if layout else KINDS
    end, line = (r"(?m)^=====\s*$", "\n-----\n") if layout else (r"(?m)^===\s*$", "\n---\n")
    for number, block in enumerate(re.split(end, content)):
        if not block.strip():
            continue
        where = f"{path.name}, document {number + 1}"
        head, _, rest = block.strip("\n").partition("\n")
        text, separator, lines = rest.partition(line)
        name = re.fullmatch(r"# (\S+) (.+)", head)
        if not name or not separator:
            raise Malformed(f"{where}: expected '# ID GENRE', the document, '{line.strip()}', the claims")
        claims = []
        for written in filter(None, map(str.strip, lines.splitlines())):
            found = re.fullmatch(r"(\w+) ([ENC])([ENC]) (.+)", written)
            if not found or found.group(1) not in known:
                raise Malformed(f"{where}: not a claim: {written[:60]}")
            claims.append((found.group(1), found.group(2) + found.group(3), found.group(4)))
        if not (CHOICE_IN_LAYOUT if layout else CHOICE).search(text) and any(labels[0] != labels[1] for _, labels, _ in claims):
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


def is_held_out(row):
    return zlib.crc32(row["document"].encode()) % 10 == 0


def write(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--held-out", type=pathlib.Path)
    given = parser.parse_args()
    files = given.files or sorted(pathlib.Path(__file__).parent.glob("train_*.txt"))
    try:
        rows = [row for path in files for row in pairs(path)]
    except Malformed as fault:
        sys.exit(str(fault))
    if given.held_out:
        write(given.held_out, filter(is_held_out, rows))
        rows = [row for row in rows if not is_held_out(row)]
    if given.out:
        write(given.out, rows)
    print(len({(row["source"], row["document"]) for row in rows}), "documents,", len(rows), "pairs", dict(Counter(row["label"] for row in rows)))
    for kind in [*KINDS, *sorted(NEEDS - KINDS.keys())]:
        labels = Counter(row["label"] for row in rows if row["kind"] == kind)
        if labels:
            print(f"  {kind:<11}", dict(sorted(labels.items())))


if __name__ == "__main__":
    main()
