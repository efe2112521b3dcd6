"""The plugin, in runs of pytest of its own."""

import pytest
import veridic
from veridic.pytest_plugin import assert_supported

pytest_plugins = ["pytester"]

CONTEXT = ["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."]
SETTINGS = """
    import pytest

    @pytest.fixture(scope="session")
    def veridic_settings():
        return {"model": "mini", "quiet": True}
"""


@pytest.fixture
def run(pytester):
    """Runs the tests of a text in a session of their own, with the plugin named if it is not installed as one."""

    def run(tests, *options, conftest=SETTINGS):
        pytester.makeconftest(conftest)
        pytester.makepyfile(f"CONTEXT = {CONTEXT!r}\n\n" + tests)
        listed = pytester.runpytest_subprocess("--trace-config", "--collect-only", "-q").stdout.str()
        named = [] if "veridic.pytest_plugin" in listed else ["-p", "veridic.pytest_plugin"]
        return pytester.runpytest_subprocess(*named, *options)

    return run


def test_failing_output_shows_claims_and_evidence_in_few_lines(run):
    found = run(
        "def test_right(assert_supported):\n"
        "    assert_supported('The pool closes in March.', CONTEXT)\n\n"
        "def test_wrong(assert_supported):\n"
        "    assert_supported('The pool closes in March. Repairs would cost 2.4 million euros.', CONTEXT)\n"
    )
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(
        [
            ">*assert_supported('The pool closes in March. Repairs*",
            "E*AssertionError: the answer is not supported*",
            "E*contradicted, score 0.*: 1 of 2 claims supported",
            "E*- contradicted (0.*): Repairs would cost 2.4 million euros.",
            "E*the document says 4.2 million euros*",
            "E*against it in source 2 [[]0, 54[]]: Repairs would cost 4.2 million euros, the report said.",
        ]
    )
    shown = found.stdout.str().split("test_wrong ")[1]
    assert "pytest_plugin.py" not in shown.split("short test summary")[0]
    assert sum(line.startswith("E") for line in shown.splitlines()) <= 8


def test_session_has_one_scorer(run):
    found = run(
        "seen = []\n\n"
        "def test_one(veridic_scorer, assert_supported):\n"
        "    seen.append(veridic_scorer)\n"
        "    assert assert_supported('The pool closes in March.', CONTEXT).result.models.nli.id == 'mini'\n\n"
        "def test_two(veridic_scorer):\n"
        "    assert seen == [veridic_scorer]\n"
    )
    found.assert_outcomes(passed=2)


def test_min_score_and_errors(run):
    found = run(
        "import pytest, veridic\n\n"
        "def test_low(assert_supported):\n"
        "    assert_supported('Repairs would cost 2.4 million euros.', CONTEXT, min_score=0.001)\n\n"
        "def test_high(assert_supported):\n"
        "    assert_supported('The pool closes in March.', CONTEXT, min_score=1.01)\n\n"
        "@pytest.mark.parametrize(('answer', 'context'), [('', CONTEXT), (None, CONTEXT), (['a'], CONTEXT), ('a', []), ('a', None), ('a', 5)])\n"
        "def test_bad(assert_supported, answer, context):\n"
        "    with pytest.raises(veridic.TextError):\n"
        "        assert_supported(answer, context)\n"
    )
    found.assert_outcomes(passed=7, failed=1)
    found.stdout.fnmatch_lines(["*the answer is not supported (min_score 1.01)*"])


def test_function_without_fixtures():
    settings = {"model": "mini", "quiet": True}
    judgement = assert_supported("The pool closes in March.", CONTEXT, **settings)
    assert judgement.passed and judgement.verdict == "supported"
    with pytest.raises(AssertionError, match="the document says 4.2 million euros"):
        assert_supported("Repairs would cost 2.4 million euros.", CONTEXT, **settings)
    with pytest.raises(veridic.TextError, match="context"):
        assert_supported("The pool closes.", [], **settings)


def test_example_fails_where_it_should(pytester):
    from conftest import REPOSITORY

    example = REPOSITORY / "python" / "examples" / "adapters" / "test_answers.py"
    pytester.makepyfile(test_answers=example.read_text(encoding="utf-8"))
    listed = pytester.runpytest_subprocess("--trace-config", "--collect-only", "-q").stdout.str()
    named = [] if "veridic.pytest_plugin" in listed else ["-p", "veridic.pytest_plugin"]
    pytester.runpytest_subprocess(*named).assert_outcomes(passed=1, failed=1)
