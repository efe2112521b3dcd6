"""Reads a folder of NLI pairs: checks every line, caps each source, splits off a development set.

    python pairs.py FOLDER [--caps FILE]        prints the counts, changes nothing

Every `*.jsonl` file of the folder is read. A line is a JSON object with the texts
`premise`, `hypothesis` and `source` and a `label`: entailment, neutral, contradiction,
or not_entailment if the source does not distinguish the last two. Pairs may share a
`group`, a text: one claim against several premises, of which the most entailing one
counts. `unsupported` may list the character ranges [from, to) of the hypothesis that lack
support; the rest of it is supported. Other fields are ignored. An invalid line stops the
run with its file and line number; no line is skipped silently. Needs only Python.
"""

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from failure import Failure, run

LABELS = ("entailment", "neutral", "contradiction")
NOT_ENTAILMENT = "not_entailment"
FIELDS = ("premise", "hypothesis", "label", "source")
LARGEST_DEV_SHARE = 0.1


@dataclass(frozen=True)
class Pair:
    """A premise, a hypothesis, and their label."""

    premise: str
    hypothesis: str
    label: str
    source: str
    group: str = ""
    unsupported: tuple[tuple[int, int], ...] | None = None  # None: not known


def parse_places(row: dict, place: str) -> tuple[tuple[int, int], ...] | None:
    """The field `unsupported`: None, or pairs of whole numbers inside the hypothesis."""
    places = row.get("unsupported")
    if places is None:
        return None
    length = len(row["hypothesis"])
    right = isinstance(places, list) and all(
        isinstance(one, list) and len(one) == 2 and all(type(at) is int for at in one) and 0 <= one[0] < one[1] <= length
        for one in places)
    if not right:
        raise Failure(f"{place}: field 'unsupported' must list ranges [from, to) inside the hypothesis, found {places!r}")
    return tuple((start, end) for start, end in places)


def parse_line(line: bytes, place: str) -> Pair:
    """One line of a file; `place` is `file:line`, for messages."""
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Failure(f"{place}: not UTF-8 ({error.reason} at byte {error.start}); convert the file to UTF-8") from None
    except json.JSONDecodeError as error:
        raise Failure(f"{place}: not JSON ({error.msg} at column {error.colno}); "
                      "each line must be one JSON object") from None
    if not isinstance(row, dict):
        raise Failure(f"{place}: expected a JSON object, found {type(row).__name__}")
    for field in FIELDS:
        if not isinstance(row.get(field), str) or not row[field].strip():
            raise Failure(f"{place}: field '{field}' is missing, empty or not a string")
    if row["label"] not in (*LABELS, NOT_ENTAILMENT):
        known = ", ".join((*LABELS, NOT_ENTAILMENT))
        raise Failure(f"{place}: unknown label '{row['label']}'; use one of {known}")
    if not isinstance(row.get("group", ""), str):
        raise Failure(f"{place}: field 'group' is not a string")
    return Pair(*(row[field] for field in FIELDS), row.get("group", ""), parse_places(row, place))


def read_folder(folder: Path) -> list[Pair]:
    """All pairs of the folder's `*.jsonl` files in name order, exact repeats left out."""
    if not folder.is_dir():
        raise Failure(f"{folder}: no such folder; give the folder with the *.jsonl files of pairs")
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise Failure(f"{folder}: has no *.jsonl file; the head of this script describes a line")
    pairs, repeats = {}, 0  # (premise, hypothesis, label) -> Pair; a dict keeps the order
    for file in files:
        try:
            lines = file.read_bytes().split(b"\n")
        except OSError as error:
            raise Failure(f"{file}: cannot be read ({error.strerror})") from None
        for number, line in enumerate(lines, 1):
            if line.strip():
                pair = parse_line(line, f"{file}:{number}")
                key = (pair.premise, pair.hypothesis, pair.label)
                repeats += key in pairs
                pairs.setdefault(key, pair)
    if repeats:
        print(f"{folder}: left out {repeats} exact repeats of a pair")
    return list(pairs.values())


def read_caps(file: Path | None) -> dict[str, int]:
    """Source -> its most pairs. A source without a cap is taken whole; 0 excludes it."""
    if file is None:
        return {}
    try:
        caps = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{file}: cannot be read as JSON ({error})") from None
    if not isinstance(caps, dict):
        raise Failure(f"{file}: expected an object such as {{\"snli_dev\": 6000}}")
    for source, cap in caps.items():
        if type(cap) is not int or cap < 0:
            raise Failure(f"{file}: the cap of '{source}' must be a whole number of at least 0, found {cap!r}")
    return caps


def cap_sources(pairs: list[Pair], caps: dict[str, int], seed: int) -> list[Pair]:
    """Takes at most the cap of each source, with labels as balanced as possible."""
    by_source = defaultdict(list)
    for pair in pairs:
        by_source[pair.source].append(pair)
    taken = []
    for source, members in by_source.items():
        cap = caps.get(source)
        taken += members if cap is None or len(members) <= cap else take_evenly(members, cap, seed)
    return taken


def take_evenly(pairs: list[Pair], count: int, seed: int) -> list[Pair]:
    """A seeded sample of `count` pairs, taken from the labels in rotation."""
    by_label = defaultdict(list)
    for pair in pairs:
        by_label[pair.label].append(pair)
    for label, members in by_label.items():
        random.Random(f"{seed}/{pairs[0].source}/{label}").shuffle(members)
    taken = []
    while len(taken) < count:
        for label in sorted(by_label):
            if by_label[label] and len(taken) < count:
                taken.append(by_label[label].pop())
    return taken


def premise_key(pair: Pair) -> str:
    """The premise without case, spacing and punctuation: pairs with equal keys are not split."""
    return re.sub(r"[\W_]+", " ", pair.premise.casefold()).strip()


def split_dev(pairs: list[Pair], dev_size: int, seed: int) -> tuple[list[Pair], list[Pair]]:
    """(train, dev). All pairs of a premise are on the same side; dev is at most a tenth."""
    groups = defaultdict(list)
    for pair in pairs:
        groups[premise_key(pair)].append(pair)
    keys = sorted(groups)
    random.Random(f"{seed}/dev").shuffle(keys)
    room = min(dev_size, int(len(pairs) * LARGEST_DEV_SHARE))
    train, dev = [], []
    for key in keys:
        side = dev if len(dev) + len(groups[key]) <= room else train
        side += groups[key]
    if not dev or not train:
        raise Failure(f"{len(pairs)} pairs over {len(groups)} premises are too few for a development set; "
                      "give at least 10 pairs with 10 different premises, and --dev-pairs of at least 1")
    return train, dev


def load(folder: Path, caps_file: Path | None, dev_size: int, seed: int) -> tuple[list[Pair], list[Pair]]:
    """The folder's pairs after the caps, as (train, dev)."""
    return split_dev(cap_sources(read_folder(folder), read_caps(caps_file), seed), dev_size, seed)


def describe(pairs: list[Pair], kept: list[Pair]) -> str:
    """A table: per source, the pairs found, the pairs kept and the labels of those kept."""
    found = Counter(pair.source for pair in pairs)
    labels = defaultdict(Counter)
    for pair in kept:
        labels[pair.source][pair.label] += 1
    width = max(map(len, found))
    lines = [f"{'source':{width}}  {'found':>7} {'kept':>7}  labels kept"]
    for source in sorted(found):
        counts = labels[source]
        shown = ", ".join(f"{label} {count}" for label, count in sorted(counts.items()))
        lines.append(f"{source:{width}}  {found[source]:7} {counts.total():7}  {shown}")
    lines.append(f"{'all':{width}}  {len(pairs):7} {len(kept):7}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="Check a folder of NLI pairs and count them.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--caps", type=Path, help="JSON file: source -> most pairs to take")
    arguments = parser.parse_args()
    pairs = read_folder(arguments.folder)
    if not pairs:
        raise Failure(f"{arguments.folder}: its *.jsonl files have no pairs")
    print(describe(pairs, cap_sources(pairs, read_caps(arguments.caps), seed=0)))


if __name__ == "__main__":
    run(main)
