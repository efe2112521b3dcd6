#!/usr/bin/env python3
"""How often a contradicted claim is in a summary that people call inconsistent, by test and limit.

    python3 scripts/measure_contradictions.py --data A.jsonl B.jsonl ... --cache DIR [--rows 120] [--dtype int8]
        [--binary FILE] [--name NAME]

The test is how many of a claim's words a sentence must share to be about the same thing (`shared_words`). The limit is the probability of contradiction above which such a sentence contradicts a claim
that is not supported (`contradicted`). Files have `document`, `summary` and `label` (1: consistent). Of each, --rows
evenly spaced rows are judged by `mini` under every test, with a limit of 0, so that each claim's result has the contradiction above which it counts as contradicted. The model computes every pair of texts
once, into the score cache DIR.

Prints, by test and limit, the precision and the number of contradicted claims over all files; the test and limit with the
most contradicted claims whose precision is at least 0.85 there and at every higher limit with ten or more of them; and,
for each file, the result of the choice made on the other files. Writes all to benches/runs/NAME.json. Needs cargo, or
--binary.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from bench_common import cargo_build, commit, machine, public, say, write_record

WORDS = [1, 2, 3, 4, 5]
LIMITS = [0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]
WANTED = 0.85
FEWEST = 10


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--cache", type=Path, required=True, metavar="DIR")
    parser.add_argument("--rows", type=int, default=120, help="of each file")
    parser.add_argument("--dtype", default="f32")
    parser.add_argument("--binary", type=Path, help="a built program, instead of building it")
    parser.add_argument("--name", default="contradictions", help="name of the record in benches/runs/")
    arguments = parser.parse_args()
    missing = [str(path) for path in arguments.data if not path.is_file()]
    if missing:
        sys.exit(f"no such file: {', '.join(missing)}")
    binary = str(arguments.binary) if arguments.binary else cargo_build(["-p", "veridic-cli", "--bin", "veridic"])[0]
    how = ["--model", "mini", "--dtype", arguments.dtype, "--set", f"cache={arguments.cache}", "--quiet"]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        files = [spaced(path, arguments.rows, folder) for path in arguments.data]
        claims = {words: judged(binary, files, words, how, folder) for words in WORDS}
    record = {
        "command": shlex.join(["python3", "scripts/measure_contradictions.py", *map(public, sys.argv[1:])]),
        "commit": commit(),
        "machine": machine(),
        "claims": len(claims[WORDS[0]]),
        "in_inconsistent_summaries": share_of_inconsistent(claims[WORDS[0]]),
        "table": table(claims),
        "chosen": chosen(claims),
        "left_out": {path.name: left_out(claims, path.name) for path in arguments.data},
    }
    show(record)
    write_record(record, arguments.name)


def spaced(path, count, folder):
    """A file of evenly spaced rows."""
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    count = min(count, len(rows))
    target = folder / path.name
    target.write_text("".join(rows[number * len(rows) // count] + "\n" for number in range(count)), encoding="utf-8")
    return target


def judged(binary, files, words, how, folder):
    """(file, whether the summary is inconsistent, contradiction) of each claim; the contradiction is None if the claim is
    supported, or no sentence is about the same thing."""
    limits = ["--set", "contradicted=0", "--set", f"shared_words={words}"]
    claims = []
    for path in files:
        say(f"{path.name}: sentences with {words} of a claim's words")
        output = folder / "judged.jsonl"
        command = [binary, "run", path, "-o", output, *limits, *how]
        if subprocess.run(command, stdout=subprocess.DEVNULL).returncode not in (0, 2):
            sys.exit(f"cannot judge {path.name}")
        for line in output.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            for claim in row.get("claims", []):
                counter = claim["counter_evidence"]
                claims.append((path.name, not row["input"]["label"], counter and counter["contradiction"]))
        for leftover in folder.glob("judged.jsonl*"):
            leftover.unlink()
    return claims


def share_of_inconsistent(claims):
    return sum(inconsistent for _, inconsistent, _ in claims) / max(len(claims), 1)


def measured(claims, limit):
    called = [claim for claim in claims if claim[2] is not None and claim[2] > limit]
    return {"limit": limit, "called": len(called), "precision": share_of_inconsistent(called) if called else None}


def table(claims):
    return {words: [measured(of_words, limit) for limit in LIMITS] for words, of_words in claims.items()}


def chosen(claims):
    """The test and limit with the most contradicted claims and at least the wanted precision there and at higher limits."""
    best = None
    for words, of_words in claims.items():
        from_here = True
        for limit in reversed(LIMITS):
            row = measured(of_words, limit)
            if row["called"] < FEWEST:
                continue
            from_here = from_here and row["precision"] >= WANTED
            if from_here and (best is None or row["called"] > best["called"]):
                best = {"shared_words": words, **row}
    return best


def left_out(claims, name):
    """The result on this file of the choice made on the other files."""
    choice = chosen({words: [claim for claim in rows if claim[0] != name] for words, rows in claims.items()})
    if choice is None:
        return None
    own = [claim for claim in claims[choice["shared_words"]] if claim[0] == name]
    return {"shared_words": choice["shared_words"], **measured(own, choice["limit"])}


def show(record):
    cell = lambda row: "-" if row["precision"] is None else f"{row['precision']:.2f} ({row['called']})"
    print(f"{record['claims']} claims, {record['in_inconsistent_summaries']:.2f} of them in inconsistent summaries")
    print("| words | " + " | ".join(f"above {limit}" for limit in LIMITS) + " |")
    print("|---|" + "---|" * len(LIMITS))
    for words, rows in record["table"].items():
        print(f"| {words} | " + " | ".join(map(cell, rows)) + " |")
    choice = record["chosen"]
    print(f"chosen: {choice and (choice['shared_words'], choice['limit'], cell(choice))}")
    for name, row in record["left_out"].items():
        print(f"left out {name}: {row and (row['shared_words'], row['limit'], cell(row))}")
    rows = [row for row in record["left_out"].values() if row and row["called"]]
    called = sum(row["called"] for row in rows)
    print(f"left out, all: {sum(row['precision'] * row['called'] for row in rows) / max(called, 1):.2f} ({called})")


if __name__ == "__main__":
    main()
