"""Verdicts on texts as people have them: meetings in five forms, a contract, a clinical note, an answer with citations.

The texts and their labels are tests/fixtures/texts, written for this. Prints, a row a kind of text, how many items got the right
verdict ("supported" or not), and every wrong one.
"""

import json
import subprocess
import tempfile
from pathlib import Path

from common import REPOSITORY, add_program, program, read, write

TEXTS = REPOSITORY / "tests" / "fixtures" / "texts"
WORDS_OF_A_CUE = 9


def add(parser):
    add_program(parser)
    parser.add_argument("--model", default="base")


def main(arguments):
    rows = [row for number in (1, 2, 3) for row in meeting(number)]
    rows += [items("contract"), items("note"), answer()]
    counts = {}
    for row, result in zip(rows, judged(arguments, rows)):
        right, total = counts.setdefault(row["kind"], [0, 0])
        for claim, label, text in zip(result["claims"], row["labels"], row["claims"], strict=True):
            is_right = (claim["verdict"] == "supported") == label
            right, total = right + is_right, total + 1
            if not is_right and row["shown"]:
                print(f"{row['kind']}: {claim['verdict']} {claim['score']:.2f}, should be {label}: {text}")
        counts[row["kind"]] = [right, total]
        if row["kind"] == "answer":
            cited = [is_cited_right(claim) for claim in result["claims"]]
            counts["citations"] = [sum(a == b for a, b in zip(cited, row["cited"])), len(cited)]
    print("| text | right | of |\n|---|---|---|")
    for kind, (right, total) in counts.items():
        print(f"| {kind} | {right} | {total} |")


def meeting(number):
    """A meeting's items, in each of its five forms."""
    read = json.loads((TEXTS / f"meeting{number}.json").read_text(encoding="utf-8"))
    claims = [item["text"] for item in read["items"]]
    labels = [item["label"] == "right" for item in read["items"]]
    for form, document in forms(read["turns"]).items():
        yield {"kind": f"meeting {number}", "document": document, "summary": "x", "claims": claims, "labels": labels,
               "shown": form == "plain"}


def forms(turns):
    zoom, teams, srt, number = "WEBVTT\n\n", "WEBVTT\n\n", "", 0
    for turn in turns:
        words, speaker, time = turn["text"].split(), turn["speaker"], turn["time"]
        for first in range(0, len(words), WORDS_OF_A_CUE):
            number += 1
            cue = " ".join(words[first : first + WORDS_OF_A_CUE])
            zoom += f"{number}\n{time}.000 --> {time}.900\n{speaker}: {cue}\n\n"
            teams += f"{time}.000 --> {time}.900\n<v {speaker}>{cue}</v>\n\n"
            srt += f"{number}\n{time},000 --> {time},900\n{speaker}: {cue}\n\n"
    plain = "\n".join(f"{turn['speaker']}: {turn['text']}" for turn in turns)
    stamped = "\n".join(f"[{turn['time']}] {turn['speaker']}: {turn['text']}" for turn in turns)
    return {"zoom": zoom, "teams": teams, "srt": srt, "plain": plain, "stamped": stamped}


def items(name):
    read = json.loads((TEXTS / f"{name}_items.json").read_text(encoding="utf-8"))
    read = read["items"] if isinstance(read, dict) else read
    return {"kind": name, "document": (TEXTS / f"{name}.txt").read_text(encoding="utf-8"), "summary": "x",
            "claims": [item["text"] for item in read], "labels": [item["label"] == "right" for item in read], "shown": True}


def answer():
    read = json.loads((TEXTS / "answer.json").read_text(encoding="utf-8"))
    labels = read["labels"]
    return {"kind": "answer", "document": read["sources"], "summary": read["answer"], "shown": True,
            "claims": [label["sentence"] for label in labels], "labels": [label["supported"] for label in labels],
            "cited": [label["cited_right"] for label in labels]}


def is_cited_right(claim):
    """Whether no citation is wrong; of a claim that nothing supports, whether its source exists."""
    verdicts = [citation["verdict"] for citation in claim["citations"]]
    return "unknown_source" not in verdicts and "other_supports" not in verdicts


def judged(arguments, rows):
    binary, given = program(arguments), [row for row in rows if row["kind"] != "answer"]
    with tempfile.TemporaryDirectory() as folder:
        for name, some, flags in (("given", given, ["--claims", "given"]), ("answer", rows[-1:], ["--citations"])):
            fields = ("document", "summary") if name == "answer" else ("document", "summary", "claims")
            write(Path(folder, f"{name}.jsonl"), [{field: row[field] for field in fields} for row in some])
            output = Path(folder, f"{name}.out.jsonl")
            command = [binary, "run", Path(folder, f"{name}.jsonl"), "-o", output, "-q", "--model", arguments.model]
            subprocess.run(command + flags, check=True)
            yield from read(output)
