#!/usr/bin/env python3
"""The contribution of each part of the score: `veridic bench jsonl` under many settings, on several labelled files.

    python3 scripts/measure_ablations.py --data A.jsonl B.jsonl ... --cache DIR [--dtype int8] [--only NAME ...]

The model computes every pair of texts once, into the score cache DIR; the settings differ in how its outputs are used.
Word overlap (scripts/score_overlap.py) is included for comparison. Prints the ROC AUC of the summary score, a row a
setting and a column a file, and writes them to benches/runs/NAME.json. Files have `document`, `summary` and `label`.
Needs cargo.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean

from bench_common import REPOSITORY, cargo_build, commit, machine, public, say, write_record



def plain(*how, score="e-t", over_claims="mean"):
    """FENICE's score under our profile, every premise read, no rule applied."""
    rules = {"score": score, "over_claims": over_claims, "screen": "off", "epsilon": 0, "contrast": "off"}
    rules |= dict.fromkeys(("quantity_nowhere", "date_nowhere", "instead"), "off")
    return [*(f"--set={key}={value}" for key, value in rules.items()), *(f"--set={part}" for part in how)]


SETTINGS = {
    **{f"profile {name}": ["--profile", name, "--coref", "off"] for name in ("paper", "released")},
    "veridic, plain rule": plain(),
    "coref off": plain("coref=off"),
    **{f"level {level}": plain(f"levels={level}") for level in ("sentence", "window", "document")},
    "levels sentence, document": plain("levels=sentence,document"),
    **{f"{levels}: s = {rule}": plain(*how, score=rule)
       for levels, how in (("all levels", []), ("level sentence", ["levels=sentence"])) for rule in ("e", "e-n")},
    **{f"{levels}: {over}": plain(*how, over_claims=over)
       for levels, how in (("all levels", []), ("level sentence", ["levels=sentence"]))
       for over in ("minimum", "soft-minimum")},
    "level sentence: s = e, soft-minimum": plain("levels=sentence", score="e", over_claims="soft-minimum"),
    "NLI_sent (claims sentence, level sentence)": plain("claims=sentence", "levels=sentence"),
    "claims sentence": plain("claims=sentence"),
    **{f"windows of {size} (claims sentence, levels sentence, window)":
       plain("claims=sentence", "levels=sentence,window", f"window={size}") for size in (2, 3, 5, 8)},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--cache", type=Path, required=True, metavar="DIR")
    parser.add_argument("--dtype", default="f32")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only settings whose names begin with this")
    parser.add_argument("--name", default="ablations", help="name of the record in benches/runs/")
    arguments = parser.parse_args()
    missing = [str(path) for path in arguments.data if not path.is_file()]
    if missing:
        sys.exit(f"no such file: {', '.join(missing)}")
    [binary] = cargo_build(["-p", "veridic-cli", "--bin", "veridic"])
    wanted = lambda name: not arguments.only or any(name.startswith(part) for part in arguments.only)
    rows = {}
    for name, flags in SETTINGS.items():
        if wanted(name):
            flags = [*flags, "--dtype", arguments.dtype, "--set", f"cache={arguments.cache}"]
            rows[name] = [auc(binary, path, flags) for path in arguments.data]
            show(name, rows[name])
    for part in ("sentence", "document"):
        name = f"word overlap with the {'best sentence' if part == 'sentence' else 'document'}"
        if wanted(name):
            rows[name] = [overlap(binary, path, part) for path in arguments.data]
            show(name, rows[name])
    record = {
        "command": shlex.join(["python3", "scripts/measure_ablations.py", *map(public, sys.argv[1:])]),
        "commit": commit(),
        "machine": machine(),
        "files": [path.name for path in arguments.data],
        "roc_auc": rows,
    }
    write_record(record, arguments.name)


def auc(binary, path, flags):
    command = [binary, "bench", "jsonl", "--data", path, "--format", "json", "--quiet", *flags]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        # Documents shorter than a window have no premises on that level.
        say(f"{path.name}: {result.stderr.strip()}")
        return None
    return json.loads(result.stdout)["roc_auc"]


def overlap(binary, path, part):
    with tempfile.TemporaryDirectory() as folder:
        scores = Path(folder) / "scores.jsonl"
        script = REPOSITORY / "scripts" / "score_overlap.py"
        subprocess.run([sys.executable, script, "--data", path, "--with", part, "-o", scores], check=True)
        return auc(binary, path, ["--scores", scores])


def show(name, values):
    values = [*values, None if None in values else mean(values)]
    print(f"| {name} | " + " | ".join("-" if value is None else f"{value:.3f}" for value in values) + " |", flush=True)
    say(name)


if __name__ == "__main__":
    main()
