"""Shared by the tests of the adapters: an answer that its contexts contradict, inputs that are no texts, and the examples."""

import os
import pathlib
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = REPOSITORY / "python" / "examples" / "adapters"

CONTEXTS = ["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."]
DOCUMENT = "\n\n".join(CONTEXTS)
SUPPORTED = "The pool closes in March."
CONTRADICTED = "The pool closes in March. Repairs would cost 2.4 million euros."
QUESTION = "When does the pool close, and what would repairs cost?"

# What every reason of CONTRADICTED has: the number of supported claims, the claim, what the document says, and where.
IN_REASON = ["1 of 2 claims supported", "contradicted (", "the document says 4.2 million euros", "in source 2 [0, 54]"]

# What each adapter has to refuse as an answer or as contexts: the value, and a part of the error.
BAD_ANSWERS = [("", "empty"), (" \n", "empty"), ("...", "no word"), (None, "missing"), (5, "int"), (["a text"], "list"), (b"a text", "bytes")]
BAD_ANSWERS += [("The pool closes. " * 20_000, "summary")]
BAD_CONTEXTS = [([], "empty list"), ("", "no text"), (["", " "], "no text"), (None, "missing"), (5, "int"), ([None], "None"), ([["a"]], "list")]
BAD_CONTEXTS += [({"a": "b"}, "dict"), ([{"text": 5}], "dict")]

# The longest document that is judged, and one that is longer.
HUGE = "The pool closes in March. " + "It rained on every day of the week. " * 50_000
TOO_LONG = HUGE + HUGE


def run_example(name, **environment):
    """What an example prints."""
    command = [sys.executable, "-W", "ignore", str(EXAMPLES / name)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_is_reason(reason):
    """Whether a text gives the reasons against CONTRADICTED."""
    missing = [part for part in IN_REASON if part not in reason]
    assert not missing, f"{missing} not in:\n{reason}"
