#!/usr/bin/env python3
"""How often the metric `finesure:errors` names the kind of error that people marked, compared with the commonest kind.

    python3 scripts/measure_errors.py --data A.jsonl B.jsonl ... [--dtype int8] [--cache DIR] [--binary FILE]

Files have `document`, `summary`, `label` (0: not consistent) and `error_type`, a list of "intrinsic-NP", "extrinsic-NP",
"intrinsic-predicate", "extrinsic-predicate", "intrinsic-entire_sent", "extrinsic-entire_sent" as in AggreFact; other
entries are ignored.

- Origin: out-of-context is extrinsic, every other type is intrinsic.
- Part: the error's field `part`. It is a noun phrase for entity, circumstantial and coreference errors, the predicate for
  predicate, linking, grammatical and other errors; for out-of-context errors the classifier decides.
- People marked rows, we mark sentences: a row's kind is the commonest among its sentences in error, the earlier one in a
  tie. It is right if people marked it. Rows without a mark on an axis are ignored there; rows without a sentence in error
  are excluded from the accuracy and counted separately.

Prints accuracy, that of the commonest kind of the same rows, their difference with a 95 % interval (paired bootstrap over
rows), the balanced accuracy over rows with one kind, and the confusion table; for rows with even numbers (on those of the
first file the rules were tuned), odd numbers, and all. Writes them to benches/runs/NAME.json. Needs cargo, or --binary.
"""

import argparse
import ast
import json
import random
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bench_common import cargo_build, commit, machine, public, say, write_record

AXES = ["origin", "part", "both"]
HALVES = {"even": slice(0, None, 2), "odd": slice(1, None, 2), "all": slice(None)}
RESAMPLES = 10_000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--cache", type=Path, metavar="DIR")
    parser.add_argument("--dtype", default="f32")
    parser.add_argument("--binary", type=Path, help="a built program, instead of building it")
    parser.add_argument("--name", default="errors", help="name of the record in benches/runs/")
    arguments = parser.parse_args()
    missing = [str(path) for path in arguments.data if not path.is_file()]
    if missing:
        sys.exit(f"no such file: {', '.join(missing)}")
    binary = str(arguments.binary) if arguments.binary else cargo_build(["-p", "veridic-cli", "--bin", "veridic"])[0]
    flags = ["--dtype", arguments.dtype, *(["--set", f"cache={arguments.cache}"] if arguments.cache else [])]
    found = {}
    for path in arguments.data:
        rows = compared(path, judged(binary, path, flags))
        found[path.name] = {half: measured(rows[part]) for half, part in HALVES.items()}
        show(path.name, found[path.name])
    record = {
        "command": shlex.join(["python3", "scripts/measure_errors.py", *map(public, sys.argv[1:])]),
        "commit": commit(),
        "machine": machine(),
        "files": found,
    }
    write_record(record, arguments.name)


def judged(binary, path, flags):
    """The errors of each row's sentences, in the order of the file."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "errors.jsonl"
        command = [binary, "run", path, "-o", output, "--quiet", "--set", "metric=finesure:errors", *flags]
        if subprocess.run(command).returncode:
            sys.exit(f"cannot judge {path.name}")
        rows = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    errors = lambda row: [s["error"] for s in row["finesure"]["sentences"] if "error" in s]
    return [errors(row) if "finesure" in row else [] for row in rows]


def compared(path, errors):
    """(kinds that people marked, ours or None) of each row; None for consistent rows."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if len(rows) != len(errors):
        sys.exit(f"{path.name}: {len(errors)} results for {len(rows)} rows")
    return [(marked(row), ours(own)) if int(row["label"]) == 0 else None for row, own in zip(rows, errors)]


def marked(row):
    kinds = ast.literal_eval(row["error_type"]) if row["error_type"].startswith("[") else []
    pairs = [kind.split("-", 1) for kind in kinds if kind.startswith(("intrinsic-", "extrinsic-"))]
    whole = [(origin, part) for origin, part in pairs if part != "entire_sent"]
    return {
        "origin": {origin for origin, _ in pairs},
        "part": {part for _, part in whole},
        "both": {" ".join(pair) for pair in whole},
    }


def ours(errors):
    if not errors:
        return None
    origins = ["extrinsic" if error["type"] == "out-of-context" else "intrinsic" for error in errors]
    parts = [{"noun-phrase": "NP", "predicate": "predicate"}[error["part"]] for error in errors]
    # A Counter keeps insertion order, so the earlier kind wins a tie.
    most = lambda kinds: Counter(kinds).most_common(1)[0][0]
    both = most([f"{origin} {part}" for origin, part in zip(origins, parts)])
    return {"origin": most(origins), "part": most(parts), "both": both, "type": most(error["type"] for error in errors)}


def measured(rows):
    rows = [row for row in rows if row]
    predicted = [(people, own) for people, own in rows if own]
    result = {"in_error": len(rows), "told": len(predicted), "types": Counter(own["type"] for _, own in predicted)}
    return {**result, **{axis: on_axis(predicted, axis) for axis in AXES}}


def on_axis(predicted, axis):
    pairs = [(people[axis], own[axis]) for people, own in predicted if people[axis]]
    if not pairs:
        return None
    counts = Counter(kind for people, _ in pairs for kind in people)
    commonest = min(counts, key=lambda kind: (-counts[kind], kind))
    right = [own in people for people, own in pairs]
    baseline = [commonest in people for people, _ in pairs]
    share = lambda values: sum(values) / len(values)
    single = [(next(iter(people)), own) for people, own in pairs if len(people) == 1]
    recalls = [share([own == kind for person, own in single if person == kind]) for kind in {kind for kind, _ in single}]
    return {
        "rows": len(pairs),
        "accuracy": share(right),
        "commonest": commonest,
        "commonest_accuracy": share(baseline),
        "difference": share(right) - share(baseline),
        "interval": interval([one - other for one, other in zip(right, baseline)]),
        "balanced_accuracy": share(recalls) if recalls else None,
        "balanced_chance": 1 / len(recalls) if recalls else None,
        "confusion": Counter(f"{' + '.join(sorted(people))} -> {own}" for people, own in pairs),
    }


def interval(differences):
    """The bootstrap interval of their mean."""
    draw = random.Random(0)
    means = sorted(sum(draw.choices(differences, k=len(differences))) / len(differences) for _ in range(RESAMPLES))
    return [means[round(0.025 * RESAMPLES)], means[round(0.975 * RESAMPLES) - 1]]


def show(name, halves):
    for half, found in halves.items():
        print(f"\n{name}, {half}: {found['told']} of {found['in_error']} rows in error have a predicted type; ", end="")
        print(", ".join(f"{kind} {count}" for kind, count in found["types"].most_common()))
        print("| axis | rows | accuracy | commonest kind | difference (95 %) | balanced (chance) |")
        for axis in AXES:
            if found[axis]:
                show_axis(axis, found[axis])
    for axis in AXES:
        if halves["all"][axis]:
            print(f"\n{name}, {axis}: people -> ours")
            for pair, count in sorted(halves["all"][axis]["confusion"].items()):
                print(f"  {count:>3}  {pair}")
    sys.stdout.flush()
    say(name)


def show_axis(axis, found):
    low, high = found["interval"]
    balanced = "-" if found["balanced_accuracy"] is None else \
        f"{found['balanced_accuracy']:.3f} ({found['balanced_chance']:.3f})"
    print(
        f"| {axis} | {found['rows']} | {found['accuracy']:.3f} | {found['commonest_accuracy']:.3f} {found['commonest']} "
        f"| {found['difference']:+.3f} ({low:+.3f} to {high:+.3f}) | {balanced} |"
    )


if __name__ == "__main__":
    main()
