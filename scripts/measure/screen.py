"""What a screen costs in accuracy and what it saves.

Judges --rows evenly spaced rows of each file (document, summary, and label where people gave one) with every screen and without one.
`accuracy` prints the ROC AUC of the summary score for each set with labels, their mean, the share of claims whose verdict (and whose
support) differs from reading everything (`--set screen=off --set epsilon=0`), and the pairs that the judge and the small model read.
`time` judges the rows, round after round with every screen once a round, and prints seconds a row, without loading, and the ratio to
reading everything. Options after `--` go to `veridic run`.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean, median

from common import add_data, add_program, area, program, read, record, say, spaced, write

METHODS = ("words", "mini", "mini+words")
SENTENCES = (2, 4, 6, 8, 16)
EVERYTHING = "everything"
SCREENS = [EVERYTHING, "off", *(f"{method}:{most}" for method in METHODS for most in SENTENCES)]
def judge(given, rows, screen, out, flags):
    """The judged rows and the seconds of the run."""
    chosen = ["--set", "screen=off", "--set", "epsilon=0"] if screen == EVERYTHING else ["--set", f"screen={screen}"]
    command = [given.program, "run", rows, "-o", out, "--model", given.model, *chosen, "--keep", "label", "--quiet", *flags]
    for old in out.parent.glob(f"{out.name}*"):
        old.unlink()
    start = time.perf_counter()
    if subprocess.run([str(part) for part in command]).returncode:
        sys.exit(f"error: {screen} on {rows}: its messages are above")
    seconds = time.perf_counter() - start
    return read(out), seconds


def write_rows(given, folder):
    """Evenly spaced rows of those of each file whose document is long enough."""
    files = []
    for file in given.data:
        long_enough = [row for row in read(file) if len(row["document"].split()) >= given.min_words]
        if long_enough:
            files.append(folder / f"{file.stem}.jsonl")
            write(files[-1], spaced(long_enough, given.rows))
    return files


def differing(full, screened, same):
    """The share of claims for which `same` does not hold."""
    pairs = [pair for a, b in zip(full, screened) for pair in zip(a["claims"], b["claims"])]
    return sum(not same(a, b) for a, b in pairs) / max(len(pairs), 1)


def accuracy(given, flags, folder):
    files = write_rows(given, folder)
    record, full = {}, None
    for screen in given.screens:
        judged = {file.stem: [row for row in judge(given, file, screen, folder / "scores.jsonl", flags)[0] if "claims" in row] for file in files}
        rows = [row for of_set in judged.values() for row in of_set]
        full = full or rows
        labelled = {name: of_set for name, of_set in judged.items() if all(row["input"].get("label") is not None for row in of_set)}
        claims = sum(len(row["claims"]) for row in rows)
        counted = lambda field: sum(row["ledger"][field] for row in rows) / claims  # noqa: E731
        record[screen] = {
            "auc": {name: round(area(of_set, lambda row: row["score"]), 4) for name, of_set in labelled.items()},
            "verdicts_changed": differing(full, rows, lambda a, b: a["verdict"] == b["verdict"]),
            "support_changed": differing(full, rows, lambda a, b: (a["verdict"] == "supported") == (b["verdict"] == "supported")),
            "pairs_a_claim": counted("premises"),
            "screen_pairs_a_claim": counted("screen_pairs"),
            "claims": claims,
            "rows": len(rows),
        }
        line(screen, record)
    return record


def line(screen, record):
    of_screen, full = record[screen], record[EVERYTHING]
    if screen == EVERYTHING:
        print("| " + " | ".join(["screen", *of_screen["auc"], "mean AUC", "difference", "verdicts changed", "support changed", "pairs a claim", "by mini"]) + " |")
        print("|---" * (len(of_screen["auc"]) + 7) + "|")
    average = mean(of_screen["auc"].values())
    cells = [screen, *(f"{value:.3f}" for value in of_screen["auc"].values()), f"{average:.4f}", f"{average - mean(full['auc'].values()):+.4f}"]
    cells += [f"{100 * of_screen[share]:.1f}%" for share in ("verdicts_changed", "support_changed")]
    cells += [f"{of_screen[pairs]:.1f}" for pairs in ("pairs_a_claim", "screen_pairs_a_claim")]
    print("| " + " | ".join(cells) + " |", flush=True)


def times(given, flags, folder):
    """Seconds a row of each screen, of each round; loading is measured with a row of two sentences and left out."""
    everything = folder / "everything.jsonl"
    rows = [row for file in write_rows(given, folder) for row in read(file)]
    write(everything, rows)
    tiny = folder / "tiny.jsonl"
    write(tiny, [{"document": "It rained.", "summary": "It rained."}])
    count = len(rows)
    seconds = {screen: [] for screen in given.screens}
    for number in range(given.rounds):
        for screen in given.screens:
            loading = judge(given, tiny, screen, folder / "scores.jsonl", flags)[1]
            taken = judge(given, everything, screen, folder / "scores.jsonl", flags)[1]
            seconds[screen].append((taken - loading) / count)
            say(f"round {number + 1}: {screen} {seconds[screen][-1]:.3f} s a row")
    full = median(seconds[EVERYTHING])
    print("| screen | seconds a row (least to most) | of reading everything |\n|---|---|---|")
    for screen, taken in seconds.items():
        print(f"| {screen} | {median(taken):.3f} ({min(taken):.3f} to {max(taken):.3f}) | {median(taken) / full:.3f} |")
    return {"rows": count, "seconds_a_row": seconds}


def add(parser):
    parser.add_argument("what", choices=["accuracy", "time"])
    add_data(parser)
    add_program(parser)
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--min-words", type=int, default=0, help="rows whose document has fewer words are left out")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--model", default="base")
    parser.add_argument("--screens", nargs="+", default=SCREENS)


def main(given):
    given.program = program(given)
    with tempfile.TemporaryDirectory() as folder:
        screens = {"accuracy": accuracy, "time": times}[given.what](given, given.flags, Path(folder))
    record(given, f"screen-{given.what}-{given.model}", screens=screens)
