#!/usr/bin/env python3
"""Samples claims of `veridic claims` to read by hand: one of each of many summaries, from a seed.

    python3 scripts/sample_claims.py --data FILE... --half odd --seed 1 --count 300 --program target/debug/veridic

A summary is in the half `even` or `odd` by the digest of its document, so that rules are written on one half and read on
the other. A second summary of a document is drawn only after one of each document. The groups are the files and, last,
bullet lists: summaries of all files whose sentences got list marks, numbers or quotation marks. Prints Markdown: each
claim, and with `--sentences` the sentence that it came from. `--not-beside` names samples printed with `--sentences`;
summaries that contain one of their sentences are excluded. If a file has too few summaries, the largest files give more.
"""
import argparse
import hashlib
import itertools
import json
import pathlib
import random
import re
import subprocess
import tempfile

MARKS = ["- {}", "* {}", "• {}", "– {}", "{n}. {}", "{n}) {}", "({n}) {}", "{letter}. {}", "- “{}”", '* "{}"']

MOST_OF_A_DOCUMENT = 3


def half_of(row):
    digest = hashlib.sha256(row["document"].encode()).digest()
    return "odd" if digest[0] % 2 else "even"


def sentences_of(path):
    """The sentences of a sample that was printed with `--sentences`, without the marks of bullet lists."""
    lines = path.read_text(encoding="utf-8").splitlines()
    bare = (re.sub(r'^([-*•–]|\(?\w\)|\w\.) ', "", line[6:]) for line in lines if line.startswith("    - "))
    return {line.strip('“”"').rstrip(". ") for line in bare}


def rows_of(path, half, chance, read, known):
    """The half's summaries that are not in `read` and contain no sentence of `known`, in random order: one of each document,
    then a second of each."""
    by_document = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if half_of(row) != half or row["summary"] in read:
            continue
        text = " ".join(row["summary"].split())
        if not any(sentence in text for sentence in known):
            by_document.setdefault(row["document"], []).append(row["summary"])
    documents = sorted(by_document)
    chance.shuffle(documents)
    for summaries in by_document.values():
        chance.shuffle(summaries)
    rounds = itertools.zip_longest(*(by_document[document][:MOST_OF_A_DOCUMENT] for document in documents))
    return [summary for drawn in rounds for summary in drawn if summary is not None]


def as_list(summary, chance):
    mark = chance.choice(MARKS)
    sentences = [part for part in re.split(r"(?<=[.!?])\s+", summary.strip()) if part]
    lines = (
        mark.format(sentence, n=number + 1, letter="abcdefghijklmnopqrstuvwxyz"[number % 26])
        for number, sentence in enumerate(sentences)
    )
    return "\n".join(lines)


def draw(args, seed, read):
    """The summaries of each group."""
    chance = random.Random(seed)
    known = set().union(*map(sentences_of, args.not_beside))
    groups = {path.stem: rows_of(path, args.half, chance, read, known) for path in args.data}
    share = -(-args.count // (len(groups) + 1))
    quarter = {name: len(rows) // 4 for name, rows in groups.items()}
    listed = {name: rows[len(rows) - quarter[name] :] for name, rows in groups.items()}
    groups = {name: rows[: len(rows) - quarter[name]] for name, rows in groups.items()}
    shares = filled({name: len(rows) for name, rows in groups.items()}, share)
    groups = {name: rows[: shares[name]] for name, rows in groups.items()}
    lists = [summary for rows in listed.values() for summary in rows[:share]]
    chance.shuffle(lists)
    return groups, lists, chance


def filled(available, share):
    """The size of each group: `share`, or what it has; the largest groups fill the difference."""
    shares = {name: min(count, share) for name, count in available.items()}
    for _ in range(share * len(available) - sum(shares.values())):
        fullest = max(available, key=lambda name: available[name] - shares[name])
        shares[fullest] += available[fullest] > shares[fullest]
    return shares


def claims_of(program, summaries):
    if not summaries:
        return []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "summaries.jsonl")
        path.write_text("".join(json.dumps({"id": i, "summary": text}) + "\n" for i, text in enumerate(summaries)))
        command = [program, "claims", str(path), "--claims", "clause", "--format", "json"]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line)["claims"] for line in output.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", type=pathlib.Path, required=True)
    parser.add_argument("--half", choices=["even", "odd"], required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--not-in", nargs="*", type=int, default=[], help="seeds of samples whose summaries are excluded")
    parser.add_argument(
        "--not-beside", nargs="*", type=pathlib.Path, default=[], help="samples whose sentences a summary must not share"
    )
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--program", default="target/debug/veridic")
    parser.add_argument("--sentences", action="store_true")
    args = parser.parse_args()
    read = set()
    for seed in args.not_in:
        groups, lists, _ = draw(args, seed, read)
        read.update(lists, *groups.values())
    groups, lists, chance = draw(args, args.seed, read)
    groups["bullet lists"] = [as_list(summary, chance) for summary in lists]
    number, drawn = 0, set()
    for name, summaries in groups.items():
        print(f"\n## {name}")
        for claims in claims_of(args.program, summaries):
            claims = [claim for claim in claims if claim["text"] not in drawn]
            if number == args.count or not claims:
                continue
            number += 1
            claim = chance.choice(claims)
            drawn.add(claim["text"])
            print(f"{number}. {' '.join(claim['text'].split())}")
            if args.sentences:
                print(f"    - {' '.join(claim['sentence'].split())}")


if __name__ == "__main__":
    main()
