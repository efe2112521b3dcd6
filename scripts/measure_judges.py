#!/usr/bin/env python3
"""Accuracy and cost of judges on labelled summaries: the table of docs/measurements/accuracy.md that the default is based on.

    measure_judges.py VERIDIC --data FILE.jsonl... --model MODEL... [--rows 40] [--out FOLDER] [-- FLAG...]

`veridic run` judges --rows evenly spaced rows of each file (document, summary, label) with each model and FLAGs. Prints for each model the ROC AUC of
the summary score on each set and their mean, the balanced accuracy of its verdicts (supported or not), the expected calibration error of its scores in 15
bins of equal width (Guo et al. 2017; rows of all sets), and milliseconds a row; below, the same of the judge's entailment alone, the minimum over a row's
claims, without caps and with the limit 0.5; and the share of rows, and of right verdicts among them, whose score is at least so far from the limit. OUT keeps the scores, and a second call reads them without a run. Needs only Python.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

BINS = 15
DISTANCES = (0.0, 0.1, 0.2, 0.3, 0.4)


def area(rows, score):
    """ROC AUC: how often a consistent row scores higher than an inconsistent one; ties count half."""
    high, low = ([score(row) for row in rows if row["input"]["label"] == label] for label in (1, 0))
    return sum((a > b) + (a == b) / 2 for a in high for b in low) / max(len(high) * len(low), 1)


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


def spaced(file, count):
    """Evenly spaced rows: number i * all / count."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    count = min(count, len(lines))
    return [lines[index * len(lines) // count] for index in range(count)]


def scores_of(program, model, file, given, flags):
    """The judged rows, and the seconds that the run took; rows that OUT already has are read."""
    out = given.out / f"{model.replace('/', '_')}.{file.stem}.{given.rows}.jsonl"
    taken = out.with_suffix(".seconds")
    if not out.exists():
        rows = out.with_suffix(".rows.jsonl")
        rows.write_text("\n".join(spaced(file, given.rows)) + "\n", encoding="utf-8")
        command = [program, "run", rows, "-o", out, "--model", model, "--keep", "label", "--quiet", *flags]
        start = time.perf_counter()
        if subprocess.run(command).returncode:
            sys.exit(f"error: {model} on {file}: its messages are above")
        taken.write_text(str(time.perf_counter() - start))
    lines = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    return [row for row in lines if "claims" in row], float(taken.read_text())


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


def measure(model, given, flags):
    judged = [scores_of(given.veridic, model, file, given, flags) for file in given.data]
    sets = [rows for rows, _ in judged]
    everything = [row for rows in sets for row in rows]
    milliseconds = 1000 * sum(seconds for _, seconds in judged) / len(everything)
    mean = lambda is_supported: sum(balanced(rows, is_supported) for rows in sets) / len(sets)  # noqa: E731
    error = calibration_error([(row["score"], row["input"]["label"]) for row in everything])
    rest = [f"{mean(lambda row: row['verdict'] == 'supported'):.3f}", f"{error:.3f}", f"{milliseconds:.0f}"]
    print(table_line(model, [area(rows, lambda row: row["score"]) for rows in sets], rest), flush=True)
    error = calibration_error([(entailment(row), row["input"]["label"]) for row in everything])
    rest = [f"{mean(lambda row: entailment(row) >= 0.5):.3f}", f"{error:.3f}", ""]
    print(table_line(f"{model}, entailment", [area(rows, entailment) for rows in sets], rest), flush=True)
    print(f"{model} by distance from the limit: {'; '.join(coverage(everything))}", flush=True)


def main():
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("veridic")
    parser.add_argument("--data", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--model", nargs="+", required=True)
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--out", type=pathlib.Path)
    given = parser.parse_args(sys.argv[1:split])
    with tempfile.TemporaryDirectory() as folder:
        given.out = given.out or pathlib.Path(folder)
        given.out.mkdir(parents=True, exist_ok=True)
        names = [file.stem for file in given.data]
        print("| " + " | ".join(["judge", *names, "mean", "verdicts", "ECE", "ms a row"]) + " |")
        print("|---" * (len(names) + 5) + "|")
        for model in given.model:
            measure(model, given, sys.argv[split + 1 :])


if __name__ == "__main__":
    main()
