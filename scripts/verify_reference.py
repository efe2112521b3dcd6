#!/usr/bin/env python3
"""Checks that `veridic run --profile released` gives the same results as the Python FENICE package.

    python3 scripts/verify_reference.py --python PYTHON --package DIR     the package's own example
    python3 scripts/verify_reference.py --python PYTHON --example FILE    {"document": .., "summary": ..}

Install the package yourself, under its own non-commercial licence; none of it is included here. Clone
Babelscape/FENICE from GitHub into DIR, install it in a virtual environment of its own as its README
says, add spaCy's sentences with `PYTHON -m spacy download en_core_web_sm`, and give that
environment's interpreter as PYTHON. The first run fetches the package's models.

Veridic gets the package's sentences, spaCy's in that interpreter, so that segmentation does not differ;
an example may have them as `document_sentences`, a list of strings. Compares the total, the claims in
order, each claim's score and passage (ignoring whitespace), and for the package's own example, the text
in DIR/main.py, its total with the published one. Prints one table and a verdict. With --recorded and
--ours it compares saved outputs, such as those of --save, and runs no program.
Exit code 0: the same within the tolerance, 1: not the same, 2: error. Needs cargo, unless --ours is given.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench_common import cargo_build, say
from reference_comparison import Problem, Published, compare, parse, read_ours, read_theirs, render
from reference_example import check_sentences, find_examples, read_example

# Runs in the user's interpreter: {"document": .., "summary": ..} on stdin, {"result": ..} or {"error": ..}
# on stdout. Output of libraries goes to stderr.
CHILD = """
import importlib, json, os, sys, traceback

def sentences(row):
    import spacy
    return [sentence.text for sentence in spacy.load("en_core_web_sm")(row["document"]).sents]

def package(row, module, name):
    return getattr(importlib.import_module(module), name)().score_batch([row])

answer = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
try:
    work = {"sentences": sentences, "package": package}[sys.argv[1]]
    output = {"result": work(json.loads(sys.stdin.buffer.read()), *sys.argv[2:])}
except Exception as error:
    if sys.argv[1] == "package" and not isinstance(error, ImportError):
        traceback.print_exc()
    output = {"error": type(error).__name__ + ": " + " ".join(str(error).split())}
# Scores may be NumPy's or torch's numbers.
json.dump(output, answer, default=float)
answer.close()
"""


def main():
    arguments = parse_arguments()
    try:
        comparison = compare_both(arguments)
    except (Problem, OSError) as error:
        say(f"error: {error}")
        return 2
    print(render(comparison))
    return 0 if comparison.same else 1


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", metavar="PYTHON", help="interpreter with the FENICE package and spaCy")
    parser.add_argument("--package", type=Path, metavar="DIR", help="checkout of the package, for its example")
    parser.add_argument("--example", type=Path, metavar="FILE", help="JSON with document and summary instead")
    parser.add_argument("--recorded", type=Path, metavar="FILE", help="the package's output, instead of running it")
    parser.add_argument("--ours", type=Path, metavar="FILE", help="Veridic's output, instead of running it")
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep example.json, recorded.json and ours.jsonl")
    parser.add_argument("--import", default="metric.FENICE:FENICE", dest="scorer", metavar="MODULE:CLASS",
                        help="the package's scorer [default: metric.FENICE:FENICE]")
    parser.add_argument("--model", default="fenice", help="model for `veridic run` [default: fenice]")
    parser.add_argument("--claims", default="t5", help="claims for `veridic run` [default: t5]")
    parser.add_argument("--tolerance", type=tolerance, default=1e-3, help="largest difference of scores [default: 1e-3]")
    return parser.parse_args()


def tolerance(text):
    value = float(text)
    if not 0 <= value < 1:
        raise ValueError(text)
    return value


def compare_both(arguments):
    outputs_given = arguments.recorded and arguments.ours
    example = None if outputs_given else load_example(arguments)
    theirs = arguments.recorded.read_bytes() if arguments.recorded else run_theirs(arguments, example)
    keep(arguments, "recorded.json", theirs)
    theirs = read_theirs(parse(theirs, arguments.recorded or "the package's output"))
    ours = arguments.ours.read_bytes() if arguments.ours else run_ours(arguments, example)
    keep(arguments, "ours.jsonl", ours)
    ours, sentences = read_ours(parse(ours, arguments.ours or "Veridic's output"))
    if example and not arguments.ours:
        check_segmentation(len(example["document_sentences"]), sentences)
    published = Published() if arguments.package and not arguments.example else None
    return compare(ours, theirs, arguments.tolerance, published)


def load_example(arguments):
    """The document, the summary and the document's sentences."""
    if arguments.example:
        example = read_example(parse(arguments.example.read_bytes(), arguments.example))
    elif arguments.package:
        path = arguments.package / "main.py"
        examples = find_examples(path.read_bytes(), path)
        if len(examples) > 1:
            say(f"{path} has {len(examples)} examples: using the first")
        example = examples[0]
    else:
        raise Problem("give --package DIR (a checkout, for its own example) or --example FILE")
    if "document_sentences" not in example:
        example["document_sentences"] = ask_python(arguments, ["sentences"], example)
    check_sentences(example["document"], example["document_sentences"])
    keep(arguments, "example.json", json.dumps(example, indent=1).encode())
    return example


def run_theirs(arguments, example):
    module, _, name = arguments.scorer.partition(":")
    if not (module and name):
        raise Problem(f"--import {arguments.scorer} is not MODULE:CLASS")
    row = {"document": example["document"], "summary": example["summary"]}
    return json.dumps(ask_python(arguments, ["package", module, name], row)).encode()


def ask_python(arguments, work, row):
    if not arguments.python:
        raise Problem(f"give --python PYTHON: the {work[0]} must come from there (see --help)")
    # Links are not resolved: a virtual environment's interpreter is one.
    python = shutil.which(arguments.python)
    if not python:
        raise Problem(f"no such program: {arguments.python}")
    say(f"{arguments.python}: {' '.join(work)}")
    result = subprocess.run(
        [os.path.abspath(python), "-c", CHILD, *work],
        cwd=arguments.package,
        input=json.dumps(row).encode(),
        stdout=subprocess.PIPE,
    )
    if result.returncode:
        raise Problem(f"{arguments.python} ended with status {result.returncode}; its messages are above")
    answer = parse(result.stdout, f"the answer of {arguments.python}")
    if "error" in answer:
        raise Problem(f"{' '.join(work)} in {arguments.python}: {answer['error']} (see --help)")
    return answer["result"]


def check_segmentation(given, scored):
    if scored is not None and scored != given:
        raise Problem(f"Veridic was given {given} sentences and scored {scored}: document_sentences was not read")


def run_ours(arguments, example):
    try:
        [binary] = cargo_build(["-p", "veridic-cli", "--bin", "veridic"])
    except SystemExit as end:
        raise Problem(end.code) from None
    with tempfile.TemporaryDirectory() as folder:
        rows, output = Path(folder) / "rows.jsonl", Path(folder) / "ours.jsonl"
        rows.write_text(json.dumps(example) + "\n", encoding="utf-8")
        command = [binary, "run", rows, "-o", output, "--profile", "released", "--dtype", "f32"]
        command += ["--model", arguments.model, "--claims", arguments.claims]
        status = subprocess.run(command, stdout=2).returncode
        # If a row cannot be judged, the status is 2 and the row has the error.
        if status and not (output.is_file() and output.read_bytes().strip()):
            raise Problem(f"veridic run ended with status {status}; its messages are above")
        return output.read_bytes()


def keep(arguments, name, content):
    if arguments.save:
        arguments.save.mkdir(parents=True, exist_ok=True)
        (arguments.save / name).write_bytes(content)


if __name__ == "__main__":
    sys.exit(main())
