"""What all adapters share: inputs, judgement, reasons."""

import json
import math
import subprocess
import sys
import types

import pytest
import veridic
from adapter_inputs import BAD_ANSWERS, BAD_CONTEXTS, CONTEXTS, CONTRADICTED, DOCUMENT, HUGE, SUPPORTED, TOO_LONG, assert_is_reason
from veridic.adapters import Judge, reasons


def test_answer_is_judged_as_by_the_scorer(small):
    judgement = Judge(small)(CONTRADICTED, CONTEXTS)
    assert judgement.result == small.score(CONTEXTS, CONTRADICTED)
    assert judgement.score == small.score(DOCUMENT, CONTRADICTED).score
    assert (judgement.score, judgement.verdict) == (judgement.result.score, "contradicted")
    assert not judgement.passed
    assert_is_reason(judgement.reason)
    written = json.loads(json.dumps(judgement.to_dict(), allow_nan=False))
    assert written["claims"] == judgement.result.to_dict()["claims"] and written["passed"] is False


def test_supported_answer_has_one_line_of_reason(small):
    judgement = Judge(small)(SUPPORTED, CONTEXTS)
    assert judgement.passed and judgement.verdict == "supported"
    assert judgement.reason == f"supported, score {judgement.score:.2f}: 1 of 1 claim supported"


def test_min_score_decides_instead_of_the_verdict(small):
    score = small.score(DOCUMENT, CONTRADICTED).score
    assert Judge(small, score)(CONTRADICTED, CONTEXTS).passed
    assert not Judge(small, math.nextafter(1.0, 2.0) if hasattr(math, "nextafter") else 1.01)(SUPPORTED, CONTEXTS).passed
    assert Judge(small, 0.25).limit == 0.25
    assert Judge(small).limit == small.score(DOCUMENT, SUPPORTED).limits.supported


@pytest.mark.parametrize(
    "contexts",
    [
        "\n\n".join(CONTEXTS),
        tuple(CONTEXTS),
        [{"id": "a", "text": CONTEXTS[0]}, {"content": CONTEXTS[1]}],
        [types.SimpleNamespace(page_content=text) for text in CONTEXTS],
        [types.SimpleNamespace(content=text, id=3) for text in CONTEXTS],
    ],
)
def test_contexts_of_all_kinds_are_one_document(small, contexts):
    result = Judge(small)(CONTRADICTED, contexts).result
    assert result.score == small.score(DOCUMENT, CONTRADICTED).score
    assert result.claims[1].evidence.span == (27, 81)


def test_reasons_name_the_source(small):
    def nearest(contexts):
        last = Judge(small)("Repairs would cost 2.4 million euros.", contexts).reason.splitlines()[-1]
        return last[last.index("against it ") + 11 : last.index(": ")]

    assert nearest(CONTEXTS[1]) == "[0, 54]"
    assert nearest(CONTEXTS) == "in source 2 [0, 54]"
    assert nearest(["", *CONTEXTS]) == "in source 3 [0, 54]"
    assert nearest({"id": "report.txt", "text": CONTEXTS[1]}) == "in source report.txt [0, 54]"
    for own, shown in [("report.txt", "report.txt"), (7, "7"), ("", "2"), (None, "2"), (True, "2"), (["a"], "2")]:
        assert nearest([CONTEXTS[0], {"id": own, "text": CONTEXTS[1]}]) == f"in source {shown} [0, 54]"
    parts = [{"id": "report.txt", "text": text} for text in CONTEXTS]
    assert nearest(parts) == "in source report.txt (2) [0, 54]"
    assert nearest([{"id": "2", "text": CONTEXTS[0]}, CONTEXTS[1]]) == "in source 2 (2) [0, 54]"


def test_evidence_across_sources_names_each(small):
    written = small.score(CONTEXTS, CONTRADICTED).to_dict()
    claim = written["claims"][1]
    claim["counter_evidence"] = None
    claim["evidence"]["sources"] = [{"id": "a", "spans": [[0, 25]]}, {"id": "b", "spans": [[0, 20], [21, 54]]}]
    assert "nearest in source a [0, 25] and source b [0, 54]: " in reasons(veridic.PairResult.from_dict(written))


@pytest.mark.parametrize(("answer", "part"), BAD_ANSWERS)
def test_answers_that_are_no_text_are_refused(small, answer, part):
    with pytest.raises(veridic.TextError, match=part):
        Judge(small)(answer, CONTEXTS)


@pytest.mark.parametrize(("contexts", "part"), BAD_CONTEXTS)
def test_contexts_that_are_no_texts_are_refused(small, contexts, part):
    with pytest.raises(veridic.TextError, match=part):
        Judge(small)(SUPPORTED, contexts)


def test_huge_contexts_are_judged_and_longer_ones_refused(small):
    assert Judge(small)(SUPPORTED, HUGE).passed
    with pytest.raises(veridic.TextError, match="2000000|2,000,000"):
        Judge(small)(SUPPORTED, TOO_LONG)


def test_reasons_are_short(small):
    answer = " ".join(f"The {thing} was sold to the city of {town}." for thing in ["pool", "bank", "mill"] for town in ["Ulm", "Bonn", "Kiel"])
    result = small.score("The pool closes in March. " + "word " * 300, answer)
    lines = reasons(result, most=2, width=30).splitlines()
    assert lines[0].startswith(f"{result.verdict}, score") and lines[0].endswith("0 of 9 claims supported")
    assert lines[-1] == "- and 7 more" and sum(line.startswith("- ") for line in lines) == 3
    assert max(len(line) for line in lines) < 80 and any(" ... " in line for line in lines)
    with pytest.raises(veridic.SettingError, match="most=0"):
        reasons(result, most=0)


def test_reasons_are_the_explanations_of_claims(small):
    result = small.score("The pool closes in March.", "工程于十月开始。游泳池将在三月关闭。")
    assert result.claims[0].explanation.startswith("Not judged") and f"    {result.claims[0].explanation}" in reasons(result)
    result = small.score(DOCUMENT, CONTRADICTED)
    assert f"\n    {result.claims[1].explanation}\n    against it [27, 81]: " in reasons(result)
    written = result.to_dict()
    del written["claims"][1]["explanation"]
    written["claims"][1]["support"]["not_found"] += ["the name Rio is nowhere in the document"]
    earlier = reasons(veridic.PairResult.from_dict(written)).splitlines()
    assert earlier[2:] == ["    the name Rio is nowhere in the document", f"    against it [27, 81]: {CONTEXTS[1]}"]


def test_parts_that_state_nothing_are_no_reasons(small):
    judgement = Judge(small)(f"# Summary of the meeting\n\n{CONTRADICTED}\n\nI hope this helps!", CONTEXTS)
    assert [claim.is_claim for claim in judgement.result.claims] == [False, True, True, False]
    assert "1 of 2 claims supported" in judgement.reason and "hope" not in judgement.reason


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"scorer": "base"}, "veridic.Scorer, not str"),
        ({"modell": "base"}, "modell"),
        ({"window": 3}, 'window=3: give rules={"window": 3}'),
        ({"min_score": "high"}, "min_score"),
        ({"min_score": float("nan")}, "min_score"),
    ],
)
def test_invalid_settings_are_refused_at_once(arguments, part):
    with pytest.raises(veridic.SettingError, match=part):
        Judge(**arguments)


def test_scorer_and_settings_exclude_each_other(small):
    with pytest.raises(veridic.SettingError, match="not both: model"):
        Judge(small, model="mini")


def test_judges_with_equal_settings_share_a_scorer():
    one, other = Judge(model="mini", quiet=True), Judge(model="mini", quiet=True)
    assert one.scorer is other.scorer and one.scorer is not Judge(model="mini", quiet=True, threads=1).scorer


def test_framework_that_is_missing_is_named():
    program = "import sys; sys.modules['deepeval'] = None\nimport veridic.adapters.deepeval"
    done = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "MissingPackage" in done.stderr and "pip install 'veridic[deepeval]'" in done.stderr


def test_importing_the_package_imports_no_framework():
    program = "import sys, veridic.adapters, veridic.check_texts\nprint(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"deepeval", "ragas", "mlflow", "langchain_core", "llama_index", "haystack", "guardrails", "inspect_ai", "pytest", "numpy"}
