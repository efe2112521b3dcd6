#!/usr/bin/env python3
"""Runs the benchmarks on the files of the papers' authors and compares each cell with the published one.

scripts/reproduce.py DIR [--bench PROGRAM]    prints the table of docs/measurements/reproduced.md

DIR has a folder for each repository in PLACES, with its files at the paths that they have there; missing files are named.
reproduce.tsv has a row for each command: its figures (paths in its JSON), what is published (`python`: what this script
computes from the same scores), and whether that is recorded as `reproduced`, as `differs` (the note says why) or as
`awaited` (nobody had the file). MADE/ is what this script writes: rows without their texts, which the figures do not need,
and made-up scores. Exit code 1: a cell recorded as reproduced no longer comes out.
"""

import argparse
import csv
import glob
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from bisect import bisect_right
from pathlib import Path
from statistics import fmean

from common import cargo_build, say, write

CELLS = Path(__file__).with_suffix(".tsv")
# The folders of DIR: where their files come from.
PLACES = {
    "aggrefact": "github.com/Liyan06/AggreFact",
    "finesure": "github.com/DISL-Lab/FineSurE-ACL24",
    "finesure-fork-answers": "github.com/wjkim9653/FineSurE-ACL24",
    "frank": "github.com/artidoro/frank",
    "longeval/data": "github.com/megagonlabs/llm-longeval, made by data/create_benchmark.sh",
    "longeval/scores": "the authors of github.com/megagonlabs/llm-longeval, whose evaluation_tester.py writes them",
    "realsumm": "github.com/neulab/REALSumm",
    "tofueval": "github.com/amazon-science/tofueval",
    "tofueval/scores": "the authors of github.com/amazon-science/tofueval; rows with doc_id, topic, model_name, sent_idx, score",
}
FRANK = "frank/data/human_annotations.json", "frank/data/baseline_factuality_metrics_outputs.json"
TOFUEVAL = "tofueval/factual_consistency/*.csv"
AGGREFACT = "aggrefact/data/aggre_fact_final.csv"
# What `[*]` stands for in a path of figures.
FOUR = [f"dataset={dataset},topic={topic}" for dataset in ("mediasum", "meetingbank") for topic in ("main", "marginal")]


# ---- statistics, computed here


def pearson(xs, ys):
    x, y = fmean(xs), fmean(ys)
    products = sum((a - x) * (b - y) for a, b in zip(xs, ys))
    return products / (sum((a - x) ** 2 for a in xs) * sum((b - y) ** 2 for b in ys)) ** 0.5


def ranks(values):
    """Ranks from 1; equal values share their mean rank."""
    places = {}
    for place, value in enumerate(sorted(values), 1):
        places.setdefault(value, []).append(place)
    means = {value: fmean(own) for value, own in places.items()}
    return [means[value] for value in values]


def within(values, groups):
    """The values less the mean of their group: the residuals of a regression on the groups."""
    members = {}
    for value, group in zip(values, groups):
        members.setdefault(group, []).append(value)
    means = {group: fmean(own) for group, own in members.items()}
    return [value - means[group] for value, group in zip(values, groups)]


def correlations(xs, ys, groups=None):
    found = {"pearson": pearson(xs, ys), "spearman": pearson(ranks(xs), ranks(ys))}
    if groups:
        of = correlations(within(xs, groups), within(ys, groups))
        found |= {f"partial_{name}": value for name, value in of.items()}
    return found


def rates(texts, limits):
    """How pairs (score, consistent) come out when a text counts as consistent above each limit."""
    consistent, wrong = (sorted(score for score, label in texts if label == wanted) for wanted in (True, False))
    for limit in limits:
        flagged, missed = bisect_right(consistent, limit) / len(consistent), 1 - bisect_right(wrong, limit) / len(wrong)
        accuracy = 1 - (flagged + missed) / 2
        yield {"balanced_accuracy": accuracy, "false_positive_rate": flagged, "false_negative_rate": missed}


def tuned(texts):
    """The midpoint between two scores with the highest balanced accuracy."""
    scores = sorted({score for score, _ in texts})
    limits = [(a + b) / 2 for a, b in zip(scores, scores[1:])]
    return max(zip(rates(texts, limits), limits), key=lambda pair: pair[0]["balanced_accuracy"])[1]


# ---- files that are made, with the figures that belong to them


def made_frank(made):
    """FRANK's rows without texts, each with a score that means nothing; the figures are of the authors' own metrics."""
    humans, outputs = (json.loads(Path(path).read_text(encoding="utf-8")) for path in FRANK)
    texts = dict.fromkeys(("article", "summary", "reference"), "x")
    rows = [{key: row[key] for key in ("hash", "model_name", "split")} | texts for row in outputs]
    (made / "benchmark_data.json").write_text(json.dumps(rows))
    (made / "frank.txt").write_text("".join(f"{number % 7}\n" for number in range(len(rows))))
    rating = {(row["hash"], row["model_name"]): row["Factuality"] for row in humans}
    metrics = []
    for metric in (name for name, value in outputs[0].items() if isinstance(value, float)):
        own = [row for row in outputs if isinstance(row.get(metric), (int, float))]
        keys = [(row["hash"], row["model_name"]) for row in own]
        found = correlations([row[metric] for row in own], [rating[key] for key in keys], [system for _, system in keys])
        metrics.append({"metric": metric} | found)
    return {"parts": [{"part": "all", "other_metrics": metrics}]}


def tofueval_sentences():
    """Each sentence of the paper's five systems, with a score that chance makes higher where people find it consistent."""
    chance = random.Random(0)
    for path in sorted(glob.glob(TOFUEVAL)):
        dataset, split = re.match(r"(\w+)_factual_eval_(\w+)\.csv", Path(path).name).groups()
        kinds = json.loads(Path(f"tofueval/topic_category/{dataset}_topic_category.json").read_text(encoding="utf-8"))
        with open(path, encoding="utf-8", newline="") as file:
            for row in (row for row in csv.DictReader(file) if row["model_name"] != "Model-Extra"):
                key = {name: row[name] for name in ("doc_id", "topic", "model_name")}
                kind, label = kinds[row["topic"]], row["sent_label"] == "yes"
                text = {"key": key | {"sent_idx": row["sent_idx"]}, "split": split, "dataset": dataset, "topic": kind}
                yield tuple(key.values()), text | {"label": label, "score": chance.random() + 0.4 * label}


def tofueval_cells(texts, threshold):
    """The rates of the test texts of each corpus and kind of topic."""
    wanted = [{"split": "test"} | dict(part.split("=") for part in cell.split(",")) for cell in FOUR]
    own = [[(text["score"], text["label"]) for text in texts if cell.items() <= text.items()] for cell in wanted]
    return [cell | next(rates(pairs, [threshold])) for cell, pairs in zip(wanted, own)]


def made_tofueval(made):
    """Scores of the sentences, and those of summaries (the lowest of their sentences)."""
    sentences, summaries = [], {}
    for name, text in tofueval_sentences():
        sentences.append(text)
        key = {field: value for field, value in text["key"].items() if field != "sent_idx"}
        summary = summaries.setdefault(name, text | {"key": key})
        summary |= {field: min(summary[field], text[field]) for field in ("label", "score")}
    levels, texts = [], [*sentences, *summaries.values()]
    for level, own in (("sentence", sentences), ("summary", list(summaries.values()))):
        limit = tuned([(text["score"], text["label"]) for text in own if text["split"] == "dev"])
        figures = {"cells": tofueval_cells(own, limit), "summaries": tofueval_cells(summaries.values(), limit)}
        levels.append({"level": level, "thresholds": [{"dataset": None, "threshold": limit}]} | figures)
    write(made / "tofueval.jsonl", [text["key"] | {"score": text["score"]} for text in texts])
    return {"levels": levels}


def made_longeval(made):
    """Forty ratings and scores by chance, with ties."""
    chance = random.Random(0)
    scores = [round(chance.random(), 1) for _ in range(40)]
    ratings = [round(1 + 2 * score + 2 * chance.random()) for score in scores]
    keys = [{"doc_id": str(number // 4), "system_id": str(number % 4)} for number in range(40)]
    texts = dict.fromkeys(("source", "reference", "system_output"), "x")
    rows = [key | texts | {"scores": {"consistency": rating, "relevance": 3}} for key, rating in zip(keys, ratings)]
    (made / "arxiv_benchmark.json").write_text(json.dumps(rows))
    (made / "longeval.json").write_text(json.dumps([key | {"model_score": score} for key, score in zip(keys, scores)]))
    return {"datasets": [{"dataset": "arxiv"} | correlations(scores, ratings)]}


def made_aggrefact(made):
    """AggreFact's own columns of scores, one file each."""
    csv.field_size_limit(1 << 30)
    with open(AGGREFACT, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for column in (name for name in rows[0] if name.endswith("_score")):
        (made / f"{column.removesuffix('_score')}.txt").write_text("".join(f"{row[column]}\n" for row in rows))


MAKERS = {"frank": made_frank, "tofueval": made_tofueval, "longeval": made_longeval, "aggrefact": made_aggrefact}


# ---- cells


def figure(found, path):
    """The number at a path such as `parts[part=all].pearson`, or the quotient of two; None if there is none."""
    if "/" in path:
        above, below = (figure(found, part) for part in path.split("/"))
        return above / below if above is not None and below else None
    for name, _, chosen in re.findall(r"(\w+)(\[([^]]*)\])?", path):
        found = found.get(name) if isinstance(found, dict) else None
        wanted = [part.split("=") for part in chosen.split(",") if part]
        if wanted:
            fits = (one for one in found or [] if all(str(one.get(key)).replace(" ", "_") == value for key, value in wanted))
            found = next(fits, None)
    return found.get("value") if isinstance(found, dict) else found


def compare(ours, published):
    """Ours as published figures are written, and whether it is the published one, rounded or cut to its digits."""
    if ours is None:
        return "-", False
    if isinstance(published, float):
        return f"{ours:.4f}", abs(ours - published) < 1e-9
    value, sign = (ours * 100, "%") if published.endswith("%") else (ours, "")
    digits = len(published.rstrip("%").partition(".")[2])
    if f"{value:.{digits}f}{sign}" == published:
        return published, True
    longer = f"{value:.{digits + 2}f}"
    return f"{value:.{digits + 1}f}{sign}", digits > 0 and longer[:-2] + sign == published


def missing(command):
    """The files of DIR that a command names and that are not there."""
    return [word for word in shlex.split(command) if "/" in word and not word.startswith("MADE/") and not glob.glob(word)]


def run(bench, command, made):
    """The figures that a command prints as JSON, or what it says instead."""
    words = [word.replace("MADE", str(made)) for word in shlex.split(command)]
    words = [path for word in words for path in (sorted(glob.glob(word)) if "*" in word else [word])]
    result = subprocess.run([bench, *words, "--quiet", "--format", "json"], capture_output=True, text=True)
    try:
        return json.loads(result.stdout)
    except ValueError:
        return {"said": (result.stderr.strip().splitlines() or ["it prints nothing"])[-1]}


def table_row(row, found, own):
    """The row of the table, and whether it is as recorded."""
    paths = [path.replace("*", cell) for path in row["figures"].split() for cell in (FOUR if "[*]" in path else [""])]
    published = row["published"].split()
    if published == ["python"]:
        published = [figure(own, path) for path in paths]
    cells = [compare(figure(found, path), cell) for path, cell in zip(paths, published, strict=True)]
    comes_out, is_recorded = all(fits for _, fits in cells), row["recorded"] == "reproduced"
    if comes_out:
        came_out = "agrees" if row["published"] == "python" else "reproduced"
        state = came_out if is_recorded else "comes out; record it as reproduced"
    else:
        reason = found.get("said") or row["note"] or "not looked into"
        state = ("**no longer comes out**: " if is_recorded else "differs: ") + reason
    data = re.search(r"--data (\S+)", row["command"])[1]
    command = row["command"].replace(f"--data {data}", "--data FILE", 1)
    ours = " ".join(text for text, _ in cells)
    beside = " ".join(f"{cell:.4f}" if isinstance(cell, float) else cell for cell in published)
    line = [row["paper"], row["cells"], f"`{data}`", f"`{command}`", ours, beside, state]
    return "| " + " | ".join(line) + " |", comes_out or not is_recorded


def report(rows, bench, made):
    """Prints the table, and on stderr which files are missing; returns the exit code."""
    own, found, absent, lost = {}, {}, {}, 0
    print("| paper | cells | file | command | ours | published | state |", "|---" * 7 + "|", sep="\n")
    for row in rows:
        command, name = row["command"], row["command"].split()[0]
        without = missing(command)
        for path in without:
            absent[path] = absent.get(path, 0) + len(row["published"].split())
        if without:
            continue
        if "MADE/" in command and name not in own:
            try:
                own[name] = MAKERS[name](made)
            except (OSError, ValueError, LookupError) as fault:
                sys.exit(f"{row['paper']}: a file that `{command}` needs is not as published: {fault!r}")
        if command not in found:
            found[command] = run(bench, command, made)
        line, as_recorded = table_row(row, found[command], own.get(name))
        print(line, flush=True)
        lost += not as_recorded
    for path, cells in absent.items():
        place = next(place for folder, place in reversed(PLACES.items()) if path.startswith(f"{folder}/"))
        say(f"missing: {path} ({cells} cells), from {place}; put it there under DIR")
    say(f"{lost} rows recorded as reproduced no longer come out")
    return 1 if lost else 0


def main():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("dir", type=Path, metavar="DIR", help="the authors' files")
    parser.add_argument("--bench", metavar="PROGRAM", help="a built `veridic-bench`; default: build it")
    arguments = parser.parse_args()
    if not any((arguments.dir / folder).is_dir() for folder in PLACES):
        sys.exit(f"{arguments.dir} has none of the folders {', '.join(PLACES)}")
    bench = str(Path(arguments.bench).resolve()) if arguments.bench else cargo_build(["-p", "veridic-bench"])[0]
    os.chdir(arguments.dir)
    with CELLS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    with tempfile.TemporaryDirectory(prefix="veridic-reproduce-") as folder:
        sys.exit(report(rows, bench, Path(folder)))


if __name__ == "__main__":
    main()
