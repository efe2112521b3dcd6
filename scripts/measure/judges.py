"""Accuracy and cost of judges on labelled summaries; the choice of the default model is based on it.

`veridic run` judges --rows evenly spaced rows of each file (document, summary, label) with each model; options after `--` go to it.
Prints for each model the ROC AUC of the summary score on each set and their mean, the balanced accuracy of its verdicts (supported
or not), the expected calibration error of its scores in 15 bins of equal width, and milliseconds a row; then the same of the judge's
entailment alone (minimum over a row's claims, no caps, limit 0.5); then the share of rows, and of right verdicts among them, whose
score is at least so far from the limit. OUT keeps the results, and a second call reads them without a run.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import add_data, add_program, area, program, read, spaced, write

BINS = 15
DISTANCES = (0.0, 0.1, 0.2, 0.3, 0.4)


def balanced(rows, is_supported):
    shares = []
    for label in (1, 0):
        of_label = [is_supported(row) == bool(label) for row in rows if row["input"]["label"] == label]
        shares.append(sum(of_label) / max(len(of_label), 1))
    return sum(shares) / 2


def calibration_error(scored):
    """Expected calibration error of (score, label): the mean over rows of |mean score - consistent share| of their bin."""
    bins = [[] for _ in range(BINS)]
    for score, label in scored:
        bins[min(int(max(score, 0) * BINS), BINS - 1)].append((score, label))
    gaps = (abs(sum(score - label for score, label in held)) for held in bins)
    return sum(gaps) / max(len(scored), 1)


def judged(arguments, binary, model, file):
    """The judged rows, and the seconds that the run took."""
    out = arguments.out / f"{model.replace('/', '_')}.{file.stem}.{arguments.rows}.jsonl"
    taken = out.with_suffix(".seconds")
    if not out.exists():
        rows = out.with_suffix(".rows.jsonl")
        write(rows, spaced(read(file), arguments.rows))
        command = [binary, "run", rows, "-o", out, "--model", model, "--keep", "label", "--quiet", *arguments.flags]
        start = time.perf_counter()
        if subprocess.run(command).returncode:
            sys.exit(f"error: {model} on {file}: its messages are above")
        taken.write_text(str(time.perf_counter() - start))
    return [row for row in read(out) if "claims" in row], float(taken.read_text())


def entailment(row):
    return min(claim["probabilities"]["entailment"] for claim in row["claims"])


def coverage(rows):
    """For each distance from the limit: the share of rows that far, and of right verdicts among them."""
    limit = rows[0]["limits"]["supported"]
    for distance in DISTANCES:
        far = [row for row in rows if abs(row["score"] - limit) >= distance]
        right = sum((row["score"] >= limit) == bool(row["input"]["label"]) for row in far)
        yield f"{distance}: {len(far) / len(rows):.1%}, {right / max(len(far), 1):.1%} right"


def table_line(name, areas, rest=()):
    return "| " + " | ".join([name, *(f"{area:.3f}" for area in areas), f"{sum(areas) / len(areas):.3f}", *rest]) + " |"


def measure(arguments, binary, model):
    found = [judged(arguments, binary, model, file) for file in arguments.data]
    sets = [rows for rows, _ in found]
    everything = [row for rows in sets for row in rows]
    milliseconds = 1000 * sum(seconds for _, seconds in found) / len(everything)
    mean = lambda is_supported: sum(balanced(rows, is_supported) for rows in sets) / len(sets)  # noqa: E731
    error = calibration_error([(row["score"], row["input"]["label"]) for row in everything])
    rest = [f"{mean(lambda row: row['verdict'] == 'supported'):.3f}", f"{error:.3f}", f"{milliseconds:.0f}"]
    print(table_line(model, [area(rows, lambda row: row["score"]) for rows in sets], rest), flush=True)
    error = calibration_error([(entailment(row), row["input"]["label"]) for row in everything])
    rest = [f"{mean(lambda row: entailment(row) >= 0.5):.3f}", f"{error:.3f}", ""]
    print(table_line(f"{model}, entailment", [area(rows, entailment) for rows in sets], rest), flush=True)
    print(f"{model} by distance from the limit: {'; '.join(coverage(everything))}", flush=True)


def add(parser):
    add_data(parser)
    add_program(parser)
    parser.add_argument("--model", nargs="+", required=True)
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--out", type=Path)


def main(arguments):
    binary = program(arguments)
    with tempfile.TemporaryDirectory() as folder:
        arguments.out = arguments.out or Path(folder)
        arguments.out.mkdir(parents=True, exist_ok=True)
        names = [file.stem for file in arguments.data]
        print("| " + " | ".join(["judge", *names, "mean", "verdicts", "ECE", "ms a row"]) + " |")
        print("|---" * (len(names) + 5) + "|")
        for model in arguments.model:
            measure(arguments, binary, model)
