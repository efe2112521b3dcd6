"""Verdicts on texts as people have them: meetings in five forms, minutes, a contract, a clinical note, an answer with
citations, tables, logs, mails and files of other forms, numbers in other notations, summaries as chat models write them, and summaries
by somebody who wants to be believed.

The texts and their labels are tests/fixtures/texts, written for this. Prints each wrong verdict, then, a row a set, how many
items got the right one, and the ROC AUC of the scores of what should be supported against what should not.
"""

import json
import subprocess
import tempfile
from pathlib import Path

from common import REPOSITORY, add_program, area, program, read, write

TEXTS = REPOSITORY / "tests" / "fixtures" / "texts"
FORMS = TEXTS / "forms"
WORDS_OF_A_CUE = 9
GIVEN = ("--claims", "given")


def add(parser):
    add_program(parser)
    parser.add_argument("--model", default="base")
    parser.add_argument("--only", metavar="SET", help="the rows of one set")


def main(arguments):
    rows = [row for number in (1, 2, 3) for row in meeting(number)]
    rows += [items("contract"), items("note", "clinical note"), minutes(), answer(), *forms(), *notations(), *summaries()]
    rows += adversaries()
    rows = [row for row in rows if arguments.only is None or arguments.only in row["sets"]]
    sets = {}
    for row, result in judged(arguments, rows):
        for text, expected, found, score in judgements(row, result):
            for name in row["sets"]:
                sets.setdefault(name, []).append((expected, found, score))
            if found != expected and row["shown"]:
                print(f"{row['sets'][0]}: {found}{'' if score is None else f' {score:.2f}'}, should be {expected}: {text}")
        if "cited" in row:
            cited = [is_cited_right(claim) for claim in result["claims"]]
            sets["citations"] = [(a, b, None) for a, b in zip(row["cited"], cited, strict=True)]
    print("| set | right | of | AUC |\n|---|---|---|---|")
    for name, found in sets.items():
        print(f"| {name} | {sum(a == b for a, b, _ in found)} | {len(found)} | {auc(found)} |")


# ---- the texts


def row(sets, document, expected, summary=None, flags=(), shown=True, slices=False):
    """`expected` has texts with their verdicts: all claims in order, or slices of the summary."""
    given = {"summary": "x", "claims": [text for text, _ in expected]} if summary is None else {"summary": summary}
    return {"sets": sets, "input": {"document": document, **given}, "expected": expected, "shown": shown,
            "flags": GIVEN if summary is None else flags, "slices": slices}


def verdict(is_right):
    return "supported" if is_right else "unsupported"


def fixture(path):
    return json.loads(path.read_text(encoding="utf-8"))


def labelled(items):
    return [(item["text"], verdict(item["label"] == "right")) for item in items]


def meeting(number):
    """A meeting's items, in each of its five forms."""
    held = fixture(TEXTS / f"meeting{number}.json")
    for form, document in transcripts(held["turns"]).items():
        yield row([f"meeting {number}"], document, labelled(held["items"]), shown=form == "plain")


def transcripts(turns):
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


def items(name, shown_as=None):
    held = fixture(TEXTS / f"{name}_items.json")
    held = held["items"] if isinstance(held, dict) else held
    return row([shown_as or name], (TEXTS / f"{name}.txt").read_text(encoding="utf-8"), labelled(held))


def minutes():
    """The minutes of a meeting, with headings and lists that are no claims."""
    document = transcripts(fixture(TEXTS / "meeting1.json")["turns"])["plain"]
    expected = [(label["text"], verdict(label["supported"]) if label["claim"] else "no_claim")
                for label in fixture(TEXTS / "summary_labels.json")]
    return row(["minutes"], document, expected, (TEXTS / "summary.md").read_text(encoding="utf-8"))


def answer():
    held = fixture(TEXTS / "answer.json")
    expected = [(label["sentence"], verdict(label["supported"])) for label in held["labels"]]
    cited = [label["cited_right"] for label in held["labels"]]
    return {**row(["answer"], held["sources"], expected, held["answer"], ("--citations",)), "cited": cited}


def forms():
    """Texts of other forms than prose, and files of other kinds than text; the program reads them itself."""
    for labels in sorted(FORMS.glob("*.claims.json")):
        name = labels.name.removesuffix(".claims.json")
        [file] = (file for file in FORMS.glob(f"{name}.*") if file != labels)
        expected = [(claim["text"], verdict(claim["right"])) for claim in fixture(labels)]
        kind = name.rsplit("-", 1)[0]
        is_text = kind != "utf16" and file.suffix not in (".pdf", ".docx", ".html", ".eml", ".rtf")
        yield row([kind, "all forms" if is_text else "all files"], {"path": str(file)}, expected)


def notations():
    for held in fixture(FORMS / "notations.json"):
        yield row(["notations"], held["document"], [(held["claim"], verdict(held["right"]))])


def summaries():
    for held in fixture(FORMS / "summaries.json"):
        expected = [(part["text"], part["verdict"]) for part in held["expected"]]
        yield row(["summaries"], held["document"], expected, held["summary"], slices=True)


def adversaries():
    """Summaries by somebody who wants to be believed, and honest counterparts; the summary's verdict counts."""
    for held in read(TEXTS / "adversaries.jsonl"):
        expected = [(held["summary"], verdict(held["supported"]))]
        kind = f"adversaries: {held['kind']}"
        yield {**row([kind, "all adversaries"], held["document"], expected, held["summary"]), "whole": True}


# ---- the verdicts


def judged(arguments, rows):
    """The rows with their results, after one run for all that have the same flags."""
    binary = program(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for number, flags in enumerate(dict.fromkeys(row["flags"] for row in rows)):
            some = [row for row in rows if row["flags"] == flags]
            given, output = Path(folder, f"{number}.jsonl"), Path(folder, f"{number}.out.jsonl")
            write(given, [row["input"] for row in some])
            subprocess.run([binary, "run", given, "-o", output, "-q", "--model", arguments.model, *flags, *arguments.flags],
                           check=True)
            yield from zip(some, read(output), strict=True)


def judgements(row, result):
    """What a row expects, each with the verdict that was found and its score."""
    if "whole" in row:
        [(text, expected)] = row["expected"]
        yield text, expected, verdict(result["verdict"] == "supported"), result["score"]
        return
    claims = [[claim] for claim in result["claims"]]
    if row["slices"]:
        claims = [within(row["input"]["summary"], text, result["claims"]) for text, _ in row["expected"]]
    for (text, expected), held in zip(row["expected"], claims, strict=True):
        held = [claim for claim in held if claim["verdict"]]
        scores = [claim["score"] for claim in held if claim.get("score") is not None]
        yield text, expected, together([claim["verdict"] for claim in held]), min(scores, default=None)


def within(summary, text, claims):
    """The claims that cover a part of this slice of the summary."""
    start = summary.index(text)
    end = start + len(text)
    return [claim for claim in claims if any(a < end and start < b for a, b in claim["summary_spans"])]


def together(verdicts):
    """The verdict on a part of a summary, of which each of these claims has one."""
    if not verdicts:
        return "no_claim"
    return "no_answer" if "no_answer" in verdicts else verdict(set(verdicts) == {"supported"})


def auc(found):
    scored = [(score, expected == "supported") for expected, _, score in found if score is not None]
    if len({label for _, label in scored}) < 2:
        return ""
    return f"{area(scored, lambda pair: pair[0], lambda pair: pair[1]):.3f}"


def is_cited_right(claim):
    """Whether no citation is wrong; of a claim that nothing supports, whether its source exists."""
    verdicts = [citation["verdict"] for citation in claim["citations"]]
    return "unknown_source" not in verdicts and "other_supports" not in verdicts
