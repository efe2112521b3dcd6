import asyncio

import pytest

pytest.importorskip("langchain_classic", reason="langchain-classic is not installed")

from adapter_inputs import BAD_ANSWERS, BAD_CONTEXTS, CONTEXTS, CONTRADICTED, DOCUMENT, HUGE, QUESTION, SUPPORTED, TOO_LONG, assert_is_reason, run_example
from veridic.adapters.langchain_evaluator import VeridicStringEvaluator


def test_evaluate_strings(small):
    evaluator = VeridicStringEvaluator(scorer=small)
    found = evaluator.evaluate_strings(prediction=CONTRADICTED, reference="\n\n".join(CONTEXTS), input=QUESTION)
    assert found["score"] == small.score(DOCUMENT, CONTRADICTED).score and found["value"] == "contradicted"
    assert "the document says 4.2 million euros" in found["reasoning"] and found["passed"] is False
    found = asyncio.run(evaluator.aevaluate_strings(prediction=CONTRADICTED, reference=CONTEXTS))
    assert_is_reason(found["reasoning"])
    assert evaluator.requires_reference and not evaluator.requires_input and evaluator.evaluation_name == "veridic"


def test_missing_reference_is_the_frameworks_error(small):
    with pytest.raises(ValueError, match="requires a reference"):
        VeridicStringEvaluator(scorer=small).evaluate_strings(prediction=SUPPORTED)


@pytest.mark.parametrize(("answer", "part"), BAD_ANSWERS)
def test_answers_that_are_no_text_are_value_errors(small, answer, part):
    with pytest.raises(ValueError, match=part):
        VeridicStringEvaluator(scorer=small).evaluate_strings(prediction=answer, reference=CONTEXTS)


@pytest.mark.parametrize(("contexts", "part"), [each for each in BAD_CONTEXTS if each[0] is not None])
def test_contexts_that_are_no_texts_are_value_errors(small, contexts, part):
    with pytest.raises(ValueError, match=part):
        VeridicStringEvaluator(scorer=small).evaluate_strings(prediction=SUPPORTED, reference=contexts)


def test_huge_contexts(small):
    evaluator = VeridicStringEvaluator(scorer=small)
    assert evaluator.evaluate_strings(prediction=SUPPORTED, reference=HUGE)["passed"]
    with pytest.raises(ValueError, match="document"):
        evaluator.evaluate_strings(prediction=SUPPORTED, reference=TOO_LONG)


def test_example():
    assert "the document says 4.2 million euros" in run_example("langchain_evaluator.py")
