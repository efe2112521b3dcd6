import pytest

pytest.importorskip("haystack", reason="haystack-ai is not installed")

from adapter_inputs import BAD_ANSWERS, BAD_CONTEXTS, CONTEXTS, CONTRADICTED, DOCUMENT, HUGE, QUESTION, SUPPORTED, TOO_LONG, assert_is_reason, run_example
from haystack import Document, Pipeline
from haystack.core.errors import PipelineRuntimeError
from veridic.adapters.haystack import VeridicEvaluator

SETTINGS = {"model": "mini", "quiet": True}


@pytest.fixture(scope="module")
def evaluator():
    return VeridicEvaluator(settings=SETTINGS)


def test_run(evaluator, small):
    found = evaluator.run(predicted_answers=[SUPPORTED, CONTRADICTED], contexts=[CONTEXTS, CONTEXTS], questions=[QUESTION, QUESTION])
    expected = [small.score(DOCUMENT, text).score for text in (SUPPORTED, CONTRADICTED)]
    assert found["individual_scores"] == expected and found["score"] == pytest.approx(sum(expected) / 2)
    assert [each["verdict"] for each in found["results"]] == ["supported", "contradicted"]
    assert_is_reason(found["results"][1]["reason"])
    documents = [Document(content=text) for text in CONTEXTS]
    assert evaluator.run(predicted_answers=[CONTRADICTED], contexts=[documents])["individual_scores"] == expected[1:]


def test_pipeline_is_stored_and_run():
    pipeline = Pipeline()
    pipeline.add_component("veridic", VeridicEvaluator(min_score=0.4, settings=SETTINGS))
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["veridic.adapters.haystack"])
    component = again.get_component("veridic")
    assert (component.min_score, component.settings) == (0.4, SETTINGS)
    found = again.run({"veridic": {"predicted_answers": [CONTRADICTED], "contexts": [CONTEXTS]}})["veridic"]
    assert_is_reason(found["results"][0]["reason"])


def test_errors_are_the_pipelines_own():
    pipeline = Pipeline()
    pipeline.add_component("veridic", VeridicEvaluator(settings=SETTINGS))
    with pytest.raises(PipelineRuntimeError, match="no word"):
        pipeline.run({"veridic": {"predicted_answers": ["..."], "contexts": [CONTEXTS]}})


@pytest.mark.parametrize(("answer", "part"), BAD_ANSWERS)
def test_answers_that_are_no_text_are_value_errors(evaluator, answer, part):
    with pytest.raises(ValueError, match=part):
        evaluator.run(predicted_answers=[SUPPORTED, answer], contexts=[CONTEXTS, CONTEXTS])


@pytest.mark.parametrize(("contexts", "part"), BAD_CONTEXTS)
def test_contexts_that_are_no_texts_are_value_errors(evaluator, contexts, part):
    with pytest.raises(ValueError, match=part):
        evaluator.run(predicted_answers=[SUPPORTED], contexts=[contexts])


@pytest.mark.parametrize(
    ("answers", "contexts", "part"),
    [(SUPPORTED, [CONTEXTS], "must be a list, not str"), ([], [], "empty list"), ([SUPPORTED], [], "1 predicted_answers"), (None, None, "NoneType")],
)
def test_lists_that_do_not_fit_are_value_errors(evaluator, answers, contexts, part):
    with pytest.raises(ValueError, match=part):
        evaluator.run(predicted_answers=answers, contexts=contexts)


def test_huge_contexts(evaluator):
    assert evaluator.run(predicted_answers=[SUPPORTED], contexts=[[HUGE]])["results"][0]["passed"]
    with pytest.raises(ValueError, match="document"):
        evaluator.run(predicted_answers=[SUPPORTED], contexts=[[TOO_LONG]])


def test_example():
    assert "the document says 4.2 million euros" in run_example("haystack_component.py")
