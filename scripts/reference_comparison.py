"""Compares two outputs for one (document, summary): the FENICE package's and Veridic's. Reads both shapes
strictly, aligns the claims in order, compares, and formats the result. Runs no program and opens no file.
Refuses outputs of more than one pair, and those that lack a field."""

import json
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest


class Problem(Exception):
    """Why the comparison is impossible, in one line."""


@dataclass(frozen=True)
class Claim:
    text: str
    score: float
    passage: str


@dataclass(frozen=True)
class Output:
    score: float
    claims: list[Claim]


@dataclass(frozen=True)
class Published:
    """The result in the package's README for its own example, to four digits."""

    score: float = 0.8484
    claims: int = 7
    rounding: float = 0.00005


@dataclass(frozen=True)
class Comparison:
    ours: Output
    theirs: Output
    tolerance: float
    published: Published | None
    # Ours and theirs; one is None if only the other side has the claim.
    pairs: list[tuple[Claim | None, Claim | None]]
    differences: list[str] = field(default_factory=list)

    @property
    def same(self):
        return not self.differences


def parse(content, name):
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Problem(f"{name} is not one JSON value: {error}") from None


def read_theirs(value):
    """[{"score": .., "alignments": [{"score": .., "summary_claim": .., "source_passage": ..}]}]"""
    row = only_row(value, "the package's output")
    claims = [
        Claim(text(item, "summary_claim", where), number(item, "score", where), text(item, "source_passage", where))
        for where, item in items(row, "alignments", "the package's output")
    ]
    return Output(number(row, "score", "the package's output"), claims)


def read_ours(value):
    """The output, and the document's number of sentences by Veridic (None if missing)."""
    where = "Veridic's output"
    if isinstance(value, dict) and "error" in value:
        error = value["error"]
        raise Problem(f"Veridic cannot judge it: {error.get('reason') if isinstance(error, dict) else error}")
    claims = []
    for place, item in items(value, "claims", where):
        evidence = get(item, "evidence", dict, "an object", place)
        passage = text(evidence, "text", f"{place}, evidence")
        claims.append(Claim(text(item, "text", place), number(item, "score", place), passage))
    ledger = value.get("ledger")
    sentences = ledger.get("sentences") if isinstance(ledger, dict) else None
    return Output(number(value, "score", where), claims), sentences


def only_row(value, where):
    if not isinstance(value, list) or len(value) != 1:
        raise Problem(f"{where} is not a list of one result")
    return value[0]


def items(row, name, where):
    for index, item in enumerate(get(row, name, list, "a list", where), start=1):
        yield f"{where}, {name} {index}", item


def text(fields, name, where):
    return get(fields, name, str, "a string", where)


def number(fields, name, where):
    value = get(fields, name, (int, float), "a number", where)
    if isinstance(value, bool):
        raise Problem(f"{where}: {name} is not a number")
    try:
        return float(value)
    except OverflowError:
        raise Problem(f"{where}: {name} is too large") from None


def get(fields, name, kind, kind_in_words, where):
    if not isinstance(fields, dict):
        raise Problem(f"{where} is not an object")
    if name not in fields:
        raise Problem(f"{where}: no {name}")
    if not isinstance(fields[name], kind):
        raise Problem(f"{where}: {name} is not {kind_in_words}")
    return fields[name]


def compare(ours, theirs, tolerance, published=None):
    pairs = align(ours.claims, theirs.claims)
    differences = []
    if not near(ours.score, theirs.score, tolerance):
        differences.append(f"total {ours.score:.6f}, theirs {theirs.score:.6f}")
    if len(ours.claims) != len(theirs.claims):
        differences.append(f"{len(ours.claims)} claims, theirs {len(theirs.claims)}")
    differences += differences_of_claims(pairs, tolerance)
    if published and not near(theirs.score, published.score, tolerance + published.rounding):
        differences.append(f"the package's total here is {theirs.score:.4f}, published {published.score}")
    if published and len(theirs.claims) != published.claims:
        differences.append(f"the package has {len(theirs.claims)} claims here, published {published.claims}")
    return Comparison(ours, theirs, tolerance, published, pairs, differences)


def align(ours, theirs):
    """Pairs in order: equal texts are aligned, and the claims between them in order."""
    texts = [[one_spaced(claim.text) for claim in side] for side in (ours, theirs)]
    pairs = []
    for _, a, b, c, d in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        pairs += zip_longest(ours[a:b], theirs[c:d])
    return pairs


def differences_of_claims(pairs, tolerance):
    """One phrase a kind, with the numbers of the table's rows."""
    kinds = {"only ours": [], "only theirs": [], "other text": [], "other score": [], "other passage": []}
    for row, (ours, theirs) in enumerate(pairs, start=1):
        if ours is None or theirs is None:
            kinds["only theirs" if ours is None else "only ours"].append(row)
        elif not same_text(ours, theirs):
            kinds["other text"].append(row)
        else:
            if not near(ours.score, theirs.score, tolerance):
                kinds["other score"].append(row)
            if not same_passage(ours, theirs):
                kinds["other passage"].append(row)
    return [f"{kind} in row {', '.join(map(str, rows))}" for kind, rows in kinds.items() if rows]


def near(a, b, tolerance):
    """False if one is NaN, as the package's total without claims is."""
    return abs(a - b) <= tolerance


def same_text(ours, theirs):
    return one_spaced(ours.text) == one_spaced(theirs.text)


def same_passage(ours, theirs):
    """Ignores all whitespace: the package joins sentences by a space even where the document has none."""
    return "".join(ours.passage.split()) == "".join(theirs.passage.split())


def one_spaced(words):
    return " ".join(words.split())


def render(comparison):
    rows = [("row", "claim", "ours", "theirs", "difference", "same passage")]
    notes = []
    for index, (ours, theirs) in enumerate(comparison.pairs, start=1):
        rows += rows_of_pair(str(index), ours, theirs)
        if ours and theirs and not same_passage(ours, theirs):
            notes.append(f"row {index}, our passage:   {one_spaced(ours.passage)}")
            notes.append(f"row {index}, their passage: {one_spaced(theirs.passage)}")
    ours, theirs = comparison.ours.score, comparison.theirs.score
    rows.append(("", "total", f"{ours:.6f}", f"{theirs:.6f}", f"{ours - theirs:+.6f}", ""))
    return "\n".join([*table(rows), "", *notes, *([""] if notes else []), verdict(comparison)])


def rows_of_pair(index, ours, theirs):
    if theirs is None:
        return [(index, f"only ours: {one_spaced(ours.text)}", f"{ours.score:.6f}", "", "", "")]
    if ours is None:
        return [(index, f"only theirs: {one_spaced(theirs.text)}", "", f"{theirs.score:.6f}", "", "")]
    scores = (f"{ours.score:.6f}", f"{theirs.score:.6f}", f"{ours.score - theirs.score:+.6f}")
    passage = "yes" if same_passage(ours, theirs) else "no"
    if same_text(ours, theirs):
        return [(index, one_spaced(ours.text), *scores, passage)]
    return [
        (index, f"ours: {one_spaced(ours.text)}", *scores, passage),
        ("", f"theirs: {one_spaced(theirs.text)}", "", "", "", ""),
    ]


def table(rows):
    """A Markdown table with padded columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


def verdict(comparison):
    if not comparison.same:
        return f"NOT THE SAME (tolerance {comparison.tolerance:g}): " + "; ".join(comparison.differences)
    gaps = [abs(ours.score - theirs.score) for ours, theirs in comparison.pairs]
    largest = max([abs(comparison.ours.score - comparison.theirs.score), *gaps])
    line = f"THE SAME: {len(gaps)} claims, their passages, and scores within {comparison.tolerance:g}"
    line += f" (largest difference {largest:.2g})"
    published = comparison.published
    return line + (f"; as published: {published.score}, {published.claims} claims" if published else "")
