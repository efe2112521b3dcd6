"""Seconds and peak memory for a story of book length, by precision and levels.

Makes a story of --tokens tokens, counted as words and punctuation marks (FENICE's stories have 11,818 on average), and a summary of
--claims of its sentences. Every setting judges it in a new process of `veridic score`, --rounds times.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from common import add_program, program, record, say, spread

SETTINGS = {
    "f32": [],
    "int8": ["--dtype", "int8"],
    "f32, level document alone": ["--set", "levels=document"],
    "int8, level document alone": ["--dtype", "int8", "--set", "levels=document"],
}
PEOPLE = ["Ada", "Bruno", "Clara", "Dmitri", "Edith", "Farid", "Greta", "Hugo", "Irene", "Jonas", "Kezia", "Leon"]
PLACES = ["the harbour", "the mill", "the old library", "the market", "the north gate", "the orchard", "the station"]
THINGS = ["a letter", "the lantern", "a brass key", "the ledger", "a torn map", "the violin", "a sealed box"]
DEEDS = ["carried {thing} to {place}", "hid {thing} behind {place}", "waited at {place} with {thing}",
         "asked about {thing} near {place}", "lost {thing} on the way to {place}", "sold {thing} at {place}"]
ENDINGS = ["before the rain came", "although nobody had asked", "and told {other} about it", "while {other} slept",
           "because {other} had promised to come", "and did not look back"]
SENTENCES_OF_A_PARAGRAPH = 8


def add(parser):
    add_program(parser)
    parser.add_argument("--tokens", type=int, default=12_000)
    parser.add_argument("--claims", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=SETTINGS, default=list(SETTINGS), metavar="SETTING")


def main(arguments):
    binary, story = program(arguments), generated(random.Random(0), arguments.tokens)
    with tempfile.TemporaryDirectory() as folder:
        document, summary = Path(folder) / "story.txt", Path(folder) / "summary.txt"
        document.write_text(story, encoding="utf-8")
        summary.write_text(summary_of(story, arguments.claims), encoding="utf-8")
        command = [binary, "score", document, summary, "--format", "json", "--quiet"]
        command += ["--threads", str(arguments.threads)]
        runs = {name: [] for name in arguments.only}
        for _ in range(arguments.rounds):
            for name in arguments.only:
                run = judge(command + SETTINGS[name])
                say(f"{name}: {run['seconds']:.1f} s, {run['cpu_seconds']:.1f} s of CPU, {run['peak_megabytes']:.0f} MB")
                runs[name].append(run)
    settings = {name: summarized(of_setting) for name, of_setting in runs.items()}
    show(settings)
    record(arguments, "stories", story={"tokens": tokens(story), "characters": len(story)}, settings=settings)


def tokens(text):
    return len(re.findall(r"\w+|[^\w\s]", text))


def generated(chance, wanted):
    """Meaningless sentences in paragraphs, up to `wanted` tokens."""
    paragraphs, count = [[]], 0
    while count < wanted:
        person, other = chance.sample(PEOPLE, 2)
        deed = chance.choice(DEEDS).format(thing=chance.choice(THINGS), place=chance.choice(PLACES))
        sentence = f"{person} {deed} {chance.choice(ENDINGS).format(other=other)}."
        if len(paragraphs[-1]) == SENTENCES_OF_A_PARAGRAPH:
            paragraphs.append([])
        paragraphs[-1].append(sentence)
        count += tokens(sentence)
    return "\n\n".join(" ".join(paragraph) for paragraph in paragraphs)


def summary_of(story, claims):
    """The last sentences of so many paragraphs, from the first to the last."""
    paragraphs = [paragraph for paragraph in story.split("\n\n") if tokens(paragraph) >= 10]
    places = [(len(paragraphs) - 1) * claim // max(1, claims - 1) for claim in range(claims)]
    pieces = [re.findall(r"[^.!?]*\w[^.!?]*[.!?]|[^.!?]+$", paragraphs[place])[-1].strip() for place in places]
    return " ".join(piece if piece[-1] in ".!?" else piece + "." for piece in pieces)


def judge(command):
    """One process: its result, wall-clock and CPU seconds, and peak memory."""
    start = time.perf_counter()
    with subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True) as process:
        result = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"veridic ended with status {process.returncode}")
    seconds = time.perf_counter() - start
    # ru_maxrss is in kilobytes, on macOS in bytes.
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return {
        "result": json.loads(result),
        "seconds": seconds,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_megabytes": usage.ru_maxrss / scale,
    }


def summarized(runs):
    results = {json.dumps(run["result"], sort_keys=True) for run in runs}
    if len(results) > 1:
        sys.exit("two runs of one setting differ")
    result = runs[0]["result"]
    return {
        "claims": len(result["claims"]),
        "score": result["score"],
        "ledger": result["ledger"],
        "seconds": spread([run["seconds"] for run in runs]),
        "cpu_seconds": median(run["cpu_seconds"] for run in runs),
        "peak_megabytes": median(run["peak_megabytes"] for run in runs),
        "runs": [[round(run["seconds"], 3), round(run["peak_megabytes"])] for run in runs],
    }


def show(settings):
    print("| setting | claims | premises | split | s a story (least, most) | s of CPU | peak memory | score |")
    print("|---|---|---|---|---|---|---|---|")
    for name, found in settings.items():
        ledger, seconds = found["ledger"], found["seconds"]
        spread_of = f"{seconds['median']:.1f} ({seconds['least']:.1f}, {seconds['most']:.1f})"
        counts = f"{found['claims']} | {ledger['premises']} | {ledger['premises_split']}"
        cost = f"{spread_of} | {found['cpu_seconds']:.0f} | {found['peak_megabytes']:.0f} MB"
        print(f"| {name} | {counts} | {cost} | {found['score']:.2f} |")
