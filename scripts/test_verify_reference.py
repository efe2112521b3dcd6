"""Tests of verify_reference.py and what it imports, without the FENICE package and without network:

    python3 -m unittest discover -s scripts -p "test_verify_reference.py"
"""

import contextlib
import copy
import io
import json
import os
import stat
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import verify_reference
from reference_comparison import Problem, Published, compare, parse, read_ours, read_theirs, render
from reference_example import check_sentences, find_examples, read_example

SENTENCES = ["The ferry left at noon.", "It carried\n   forty people.", "The captain was new."]
DOCUMENT = "\n   ".join(SENTENCES)
THEIRS = [
    {
        "score": 0.6,
        "alignments": [
            {"score": 0.99, "summary_claim": "A ferry left at noon.", "source_passage": SENTENCES[0]},
            {"score": 0.81, "summary_claim": "Forty people were on it.", "source_passage": " ".join(SENTENCES)},
            {"score": 0.0, "summary_claim": "The captain was old.", "source_passage": SENTENCES[2]},
        ],
    }
]
OURS = {
    "schema": 1,
    "id": None,
    "score": 0.6002,
    "claims": [
        {"text": "A ferry left at noon.", "score": 0.9903, "evidence": {"text": SENTENCES[0], "span": [0, 23]}},
        {"text": "Forty people were on it.", "score": 0.8102, "evidence": {"text": DOCUMENT, "span": [0, 77]}},
        {"text": "The captain was old.", "score": 0.0001, "evidence": {"text": SENTENCES[2], "span": [57, 77]}},
    ],
    "ledger": {"sentences": 3},
}

MAIN = '''
import something

def main():
    rows = [
        {
            "id": 1,
            "document": """
            The ferry left at noon.
              It carried\\tforty people.
            """,
            "summary": "A ferry "
            "left.",
        }
    ]
'''
MAIN_TEXTS = {
    "document": "\n            The ferry left at noon.\n              It carried\tforty people.\n            ",
    "summary": "A ferry left.",
}


def comparison(change_ours=None, change_theirs=None, tolerance=1e-3, published=None):
    ours, theirs = copy.deepcopy(OURS), copy.deepcopy(THEIRS)
    for change, value in ((change_ours, ours), (change_theirs, theirs)):
        if change:
            change(value)
    return compare(read_ours(ours)[0], read_theirs(theirs), tolerance, published)


class Comparing(unittest.TestCase):
    def differs(self, *expected, **changes):
        found = comparison(**changes)
        self.assertEqual(found.differences, list(expected))
        self.assertIn("NOT THE SAME", render(found))
        return render(found)

    def test_the_same(self):
        found = comparison()
        self.assertTrue(found.same)
        shown = render(found)
        self.assertIn("THE SAME: 3 claims, their passages, and scores within 0.001 (largest difference 0.0003)", shown)
        self.assertNotIn("NOT", shown)
        lines = shown.splitlines()
        self.assertEqual(lines[2].split(" | ")[2:4], ["0.990300", "0.990000"])
        self.assertEqual(len(set(map(len, lines[:6]))), 1)

    def test_tolerance_is_kept(self):
        self.differs("total 0.600200, theirs 0.600000", "other score in row 1, 2, 3", tolerance=1e-5)

    def test_total(self):
        self.differs("total 0.700000, theirs 0.600000", change_ours=lambda row: row.update(score=0.7))

    def test_total_of_no_claims(self):
        def empty(rows):
            rows[0].update(score=float("nan"), alignments=[])

        shown = self.differs("total 0.600200, theirs nan", "3 claims, theirs 0", "only ours in row 1, 2, 3",
                             change_theirs=empty)
        self.assertIn("only ours: A ferry left at noon.", shown)

    def test_claim_score(self):
        self.differs("other score in row 2", change_ours=lambda row: row["claims"][1].update(score=0.9))

    def test_claim_missing_in_the_middle(self):
        shown = self.differs("2 claims, theirs 3", "only theirs in row 2", change_ours=lambda row: row["claims"].pop(1))
        self.assertIn("only theirs: Forty people were on it.", shown)

    def test_claim_text(self):
        shown = self.differs("other text in row 3", change_ours=lambda row: row["claims"][2].update(text="He is old."))
        self.assertIn("ours: He is old.", shown)
        self.assertIn("theirs: The captain was old.", shown)

    def test_passage(self):
        def move(rows):
            rows[0]["alignments"][0]["source_passage"] = "The captain was new."

        shown = self.differs("other passage in row 1", change_theirs=move)
        self.assertIn("row 1, our passage:   The ferry left at noon.", shown)
        self.assertIn("row 1, their passage: The captain was new.", shown)

    def test_published(self):
        found = comparison(published=Published(score=0.6, claims=3))
        self.assertIn("as published: 0.6, 3 claims", render(found))
        self.differs("the package's total here is 0.6000, published 0.8484",
                     "the package has 3 claims here, published 7", published=Published())


class Reading(unittest.TestCase):
    def refused(self, read, value, *words):
        with self.assertRaises(Problem) as caught:
            read(value)
        for word in words:
            self.assertIn(word, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_not_json(self):
        for content in (b"", b"{", b"\xff", b"{}\n{}", b"[" * 100000):
            self.refused(lambda content: parse(content, "a.json"), content, "a.json is not one JSON value")

    def test_their_keys(self):
        for key in ("score", "alignments"):
            value = copy.deepcopy(THEIRS)
            del value[0][key]
            self.refused(read_theirs, value, f"the package's output: no {key}")
        for key in ("score", "summary_claim", "source_passage"):
            value = copy.deepcopy(THEIRS)
            del value[0]["alignments"][1][key]
            self.refused(read_theirs, value, f"alignments 2: no {key}")

    def test_our_keys(self):
        for key in ("score", "claims"):
            self.refused(read_ours, {name: value for name, value in OURS.items() if name != key}, f"no {key}")
        for key in ("text", "score", "evidence"):
            value = copy.deepcopy(OURS)
            del value["claims"][0][key]
            self.refused(read_ours, value, f"claims 1: no {key}")
            value["claims"][0][key] = None
            self.refused(read_ours, value, f"claims 1: {key} is not a")
        value = copy.deepcopy(OURS)
        value["claims"][0]["evidence"] = {"span": [0, 1]}
        self.refused(read_ours, value, "claims 1, evidence: no text")

    def test_other_shapes(self):
        for value in (None, 1, "x", {}, [], THEIRS * 2):
            self.refused(read_theirs, value, "is not a list of one result")
        for value in ([1], [{"score": True, "alignments": []}], [{"score": 10**400, "alignments": []}],
                      [{"score": 1, "alignments": {}}], [{"score": 1, "alignments": [None]}]):
            self.refused(read_theirs, value, "the package's output")
        for value in (None, 1, [], [OURS], {"score": "1", "claims": []}, {"score": 1, "claims": [2]}):
            self.refused(read_ours, value, "Veridic's output")

    def test_error_row(self):
        row = {"id": None, "error": {"reason": "the summary is empty"}}
        self.refused(read_ours, row, "cannot judge it: the summary is empty")

    def test_sentences_told(self):
        self.assertEqual(read_ours(OURS)[1], 3)
        self.assertIsNone(read_ours({"score": 1, "claims": []})[1])


class Example(unittest.TestCase):
    def found(self, source):
        return find_examples(source.encode(), "main.py")

    def test_dict_with_its_whitespace(self):
        self.assertEqual(self.found(MAIN), [MAIN_TEXTS])
        self.assertEqual(self.found(MAIN.replace("\n", "\r\n")), [MAIN_TEXTS])

    def test_variables(self):
        source = 'if True:\n    document = """\n      One.\n    Two."""\n    summary: str = "A" + "\\n b"\nprint(1)'
        expected = [{"document": "\n      One.\n    Two.", "summary": "A\n b"}]
        self.assertEqual(self.found(source), expected)

    def test_variables_in_a_dict_and_keywords(self):
        expected = [{"document": " One.", "summary": "A"}]
        self.assertEqual(self.found('text = " One."\nrow = {"document": text, "summary": "A"}'), expected)
        self.assertEqual(self.found('score(document=" One.", summary=" A ".strip())'), expected)

    def test_the_first_comes_first(self):
        source = 'def f():\n  x = [[{"document": "1", "summary": "a"}]]\ny = {"document": "2", "summary": "b"}'
        self.assertEqual([example["document"] for example in self.found(source)], ["1", "2"])

    def test_refused(self):
        sources = [
            "",
            'document = "only"',
            'document = open("a").read()\nsummary = "b"',
            'document = "a"\ndocument = "b"\nsummary = "c"',
            'document = "a"\ndocument += "b"\nsummary = "c"',
            'x = {"document": f"{1}", "summary": "b", **y}',
            'document: str\nsummary = "c"',
        ]
        for source in sources:
            with self.assertRaisesRegex(Problem, "main.py has no document and summary"):
                self.found(source)
        for source in ("def", "\0", "(" * 5000):
            with self.assertRaisesRegex(Problem, "main.py is not a Python program"):
                self.found(source)

    def test_sentences(self):
        check_sentences(DOCUMENT, SENTENCES)
        for sentences in ([], SENTENCES[::-1], [*SENTENCES, "More."], [1], ["  "]):
            with self.assertRaises(Problem):
                check_sentences(DOCUMENT, sentences)

    def test_file(self):
        example = {"document": "a", "summary": "b"}
        self.assertEqual(read_example({**example, "other": 1}), example)
        for value in ([], {"document": "a"}, {**example, "summary": None}, {**example, "document_sentences": "a"}):
            with self.assertRaises(Problem):
                read_example(value)


@contextlib.contextmanager
def quiet_programs():
    """Discards the stderr of started programs."""
    before, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)
        os.close(nowhere)


class WholeScript(unittest.TestCase):
    """The script in a folder with stand-ins for spaCy, the package and Veridic."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.recorded = self.write("theirs.json", json.dumps(THEIRS))
        self.ours = self.write("ours.jsonl", json.dumps(OURS) + "\n")
        self.example = self.write("example.json", json.dumps({"document": DOCUMENT, "summary": "A ferry."}))

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    def status(self, *options):
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.object(sys, "argv", ["verify_reference.py", *map(str, options)]):
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), quiet_programs():
                status = verify_reference.main()
        self.out, self.err = out.getvalue(), err.getvalue()
        return status

    def stand_ins(self, score="Score(0.6)"):
        """A package that prints and whose totals are not plain floats."""
        self.write("package/spacy.py", SPACY)
        self.write("package/metric/FENICE.py", PACKAGE.format(score=score, alignments=THEIRS[0]["alignments"]))
        self.write("package/main.py", f"row = dict(document={DOCUMENT!r}, summary='A ferry.')")
        program = self.write("veridic", f"#!{sys.executable}\n" + VERIDIC.format(row=OURS, folder=str(self.folder)))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        build = mock.patch.object(verify_reference, "cargo_build", lambda options: [str(program)])
        build.start()
        self.addCleanup(build.stop)
        return self.folder / "package"

    def test_recorded(self):
        self.assertEqual(self.status("--recorded", self.recorded, "--ours", self.ours), 0)
        self.assertIn("THE SAME", self.out)
        self.assertEqual(self.status("--recorded", self.recorded, "--ours", self.ours, "--tolerance", "1e-5"), 1)
        self.assertIn("NOT THE SAME", self.out)
        package = ["--package", self.folder]
        self.assertEqual(self.status("--recorded", self.recorded, "--ours", self.ours, *package), 1)
        self.assertIn("published 0.8484", self.out)

    def test_errors_are_one_line(self):
        broken = self.write("broken.json", "{")
        cases = [
            ([], "give --package DIR"),
            (["--example", self.example], "give --python PYTHON: the sentences"),
            (["--example", self.folder / "none"], "No such file"),
            (["--package", self.folder], "main.py"),
            (["--recorded", broken, "--ours", self.ours], "is not one JSON value"),
            (["--recorded", self.recorded, "--ours", broken], "is not one JSON value"),
            (["--example", self.example, "--python", self.folder / "none"], "no such program"),
            (["--example", self.example, "--import", "metric", "--python", sys.executable], ""),
        ]
        for options, words in cases:
            self.assertEqual(self.status(*options), 2, options)
            last = self.err.splitlines()[-1]
            self.assertTrue(last.startswith("error: ") and words in last, self.err)
            self.assertEqual(self.out, "")

    @unittest.skipIf(os.name == "nt", "the stand-in for Veridic is a script")
    def test_both_run(self):
        package, kept = self.stand_ins(), self.folder / "kept"
        options = ["--python", sys.executable, "--package", package]
        self.assertEqual(self.status(*options, "--example", self.example, "--save", kept), 0, self.err)
        row = json.loads((self.folder / "rows.jsonl").read_text())
        self.assertEqual(row["document"], DOCUMENT)
        self.assertEqual(row["document_sentences"], ["The ferry left at noon.\n   ", *SENTENCES[1:]])
        arguments = json.loads((self.folder / "arguments.json").read_text())
        self.assertEqual(
            arguments[4:], ["--profile", "released", "--dtype", "f32", "--model", "fenice", "--claims", "t5"]
        )
        again = ["--recorded", kept / "recorded.json", "--ours", kept / "ours.jsonl"]
        self.assertEqual(self.status(*again), 0, self.err)
        self.assertEqual(self.status(*options, "--recorded", self.recorded), 1)
        self.assertIn("the package has 3 claims here, published 7", self.out)
        self.assertEqual(self.status("--example", kept / "example.json", "--recorded", self.recorded), 0, self.err)

    @unittest.skipIf(os.name == "nt", "the stand-in for Veridic is a script")
    def test_failing_programs(self):
        package = self.stand_ins(score="1 / 0")
        options = ["--python", sys.executable, "--package", package]
        self.assertEqual(self.status(*options, "--import", "metric.NONE:FENICE"), 2)
        self.assertIn("ModuleNotFoundError: No module named 'metric.NONE'", self.err)
        self.assertEqual(self.status(*options, "--import", "metric.FENICE:broken"), 2)
        self.assertIn("ZeroDivisionError", self.err)
        self.assertEqual(self.status(*options, "--import", "metric"), 2)
        self.assertIn("is not MODULE:CLASS", self.err)
        self.assertEqual(self.status(*options, "--recorded", self.recorded, "--model", "none"), 2)
        self.assertIn("veridic run ended with status 2", self.err)
        self.assertEqual(self.status(*options, "--recorded", self.recorded, "--model", "deaf"), 2)
        self.assertIn("given 3 sentences and scored 9: document_sentences was not read", self.err)


SPACY = """
class Sentence:
    def __init__(self, text):
        self.text = text

def load(name):
    assert name == "en_core_web_sm"
    print("loading")
    texts = ["The ferry left at noon.\\n   ", "It carried\\n   forty people.", "The captain was new."]
    return lambda document: type("Document", (), {"sents": map(Sentence, texts)})
"""

PACKAGE = """
class Score:
    def __init__(self, value):
        self.value = value

    def __float__(self):
        return self.value

def broken():
    return 1 / 0

class FENICE:
    def score_batch(self, rows):
        print("scoring")
        assert [set(row) for row in rows] == [{{"document", "summary"}}]
        return [{{"score": {score}, "alignments": {alignments}}}]
"""

VERIDIC = """
import json, pathlib, shutil, sys
row = {row}
if "none" in sys.argv:
    sys.exit(2)
if "deaf" in sys.argv:
    row["ledger"]["sentences"] = 9
folder = pathlib.Path({folder!r})
shutil.copy(sys.argv[2], folder / "rows.jsonl")
(folder / "arguments.json").write_text(json.dumps(sys.argv[1:]))
pathlib.Path(sys.argv[4]).write_text(json.dumps(row))
"""


if __name__ == "__main__":
    unittest.main()
