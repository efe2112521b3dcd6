"""promptfoo's own program over a server: the package of npm, where PROMPTFOO names it, and the program `veridic`."""

import json
import os
import subprocess

import pytest
from adapter_inputs import CONTEXTS, CONTRADICTED, EXAMPLES, REPOSITORY, TOO_LONG, assert_is_reason

PROMPTFOO = os.environ.get("PROMPTFOO")
BINARY = os.environ.get("VERIDIC_BINARY", str(REPOSITORY / "target" / "release" / "veridic"))

pytestmark = [
    pytest.mark.skipif(PROMPTFOO is None, reason="PROMPTFOO does not name promptfoo's program"),
    pytest.mark.skipif(not os.path.exists(BINARY), reason="the program is not built, nor named by VERIDIC_BINARY"),
]


@pytest.fixture(scope="module")
def url():
    """The address of a server with the small model."""
    server = subprocess.Popen([BINARY, "serve", "--listen", "127.0.0.1:0", "--model", "mini"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    line = server.stdout.readline()
    yield line[line.index("http") :].split()[0]
    server.terminate()
    server.wait(30)


def evaluate(tmp_path, config, url):
    """promptfoo's results of a configuration, by description."""
    output = tmp_path / "results.json"
    environment = {
        **os.environ,
        "VERIDIC_URL": url,
        "PROMPTFOO_CONFIG_DIR": str(tmp_path / "promptfoo"),
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    }
    command = [PROMPTFOO, "eval", "-c", str(config), "--output", str(output), "--no-cache", "--no-table", "--no-progress-bar"]
    done = subprocess.run(command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    assert output.is_file(), done.stdout
    found = json.loads(output.read_text(encoding="utf-8"))["results"]["results"]
    return done.returncode, {each["testCase"]["description"]: each for each in found}


def test_example(tmp_path, url):
    code, found = evaluate(tmp_path, EXAMPLES / "promptfoo" / "promptfooconfig.yaml", url)
    assert code == 100, "promptfoo's exit code where a test fails"
    right, wrong = found["supported"], found["another amount"]
    assert right["success"] and right["score"] > 0.3 and not wrong["success"]
    [result] = wrong["gradingResult"]["componentResults"][:1]
    assert "0 of 1 claims supported" in result["reason"] and "the document says 4.2 million euros" in result["reason"]


def one(tmp_path, url, variables):
    """The result of a test with these variables."""
    assertion = {"type": "javascript", "value": f"file://{EXAMPLES}/promptfoo/veridic.js", "config": {"url": url}}
    config = tmp_path / "promptfooconfig.json"
    # promptfoo makes one test for each element of a list, unless it is told not to.
    tests = [{"description": "one", "vars": variables, "assert": [assertion], "options": {"disableVarExpansion": True}}]
    config.write_text(json.dumps({"providers": ["echo"], "prompts": ["{{answer}}"], "tests": tests}), encoding="utf-8")
    return evaluate(tmp_path, config, url)[1]["one"]


@pytest.mark.parametrize(("contexts", "source"), [(CONTEXTS, "2"), (["", *CONTEXTS], "3")])
def test_contexts_are_sources(tmp_path, url, contexts, source):
    [result] = one(tmp_path, url, {"answer": CONTRADICTED, "context": contexts})["gradingResult"]["componentResults"][:1]
    assert_is_reason(result["reason"].replace(f"in source {source} ", "in source 2 "))


@pytest.mark.parametrize(
    ("variables", "part"),
    [
        ({"answer": "", "context": "The pool closes."}, "summary"),
        ({"answer": ["The pool", "closes."], "context": "..."}, "document"),
        ({"answer": "The pool closes. " * 20_000, "context": "The pool closes."}, "summary"),
        ({"answer": "The pool closes.", "context": []}, "unsupported, score 0.00"),
        ({"answer": "The pool closes.", "context": ["", " "]}, "unsupported, score 0.00"),
        ({"answer": "The pool closes.", "context": ["The pool.", 5]}, "needs the variable `context`"),
        ({"answer": "...", "context": "The pool closes."}, "no word"),
        ({"answer": "The pool closes.", "context": ""}, "document"),
        ({"answer": "The pool closes."}, "needs the variable `context`"),
        ({"answer": "The pool closes.", "context": 5}, "needs the variable `context`"),
        ({"answer": "The pool closes.", "context": TOO_LONG}, "document"),
    ],
)
def test_what_cannot_be_judged_is_an_error_and_no_score(tmp_path, url, variables, part):
    found = one(tmp_path, url, variables)
    assert not found["success"] and found["score"] == 0
    assert part in json.dumps(found)


def test_what_is_no_claim_has_no_verdict(tmp_path, url):
    found = one(tmp_path, url, {"answer": "# The pool\n\n" + CONTRADICTED + "\n\nI hope this helps!", "context": CONTEXTS})
    assert not found["success"] and "1 of 2 claims supported" in json.dumps(found)


def test_server_that_is_away_is_an_error(tmp_path):
    _, found = evaluate(tmp_path, EXAMPLES / "promptfoo" / "promptfooconfig.yaml", "http://127.0.0.1:9")
    assert not any(each["success"] for each in found.values()) and all(each["score"] == 0 for each in found.values())
