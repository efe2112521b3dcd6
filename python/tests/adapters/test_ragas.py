import asyncio
import math

import pytest

pytest.importorskip("ragas", reason="ragas is not installed")

from adapter_inputs import BAD_ANSWERS, BAD_CONTEXTS, CONTEXTS, CONTRADICTED, DOCUMENT, HUGE, QUESTION, SUPPORTED, TOO_LONG, assert_is_reason, run_example
from ragas import EvaluationDataset, evaluate
from ragas.dataset_schema import SingleTurnSample
from veridic.adapters.ragas import VeridicMetric, VeridicSampleMetric


def sample(answer, contexts=CONTEXTS):
    return SingleTurnSample(user_input=QUESTION, response=answer, retrieved_contexts=contexts)


def test_value_and_reason(small):
    metric = VeridicMetric(scorer=small)
    result = metric.score(response=CONTRADICTED, retrieved_contexts=CONTEXTS, user_input=QUESTION)
    assert result.value == small.score(DOCUMENT, CONTRADICTED).score
    assert_is_reason(result.reason)
    results = asyncio.run(metric.abatch_score([{"response": SUPPORTED, "retrieved_contexts": CONTEXTS}] * 3))
    assert [each.value for each in results] == [small.score(DOCUMENT, SUPPORTED).score] * 3


def test_evaluate(small):
    metric = VeridicSampleMetric(scorer=small)
    rows = [sample(SUPPORTED), sample(CONTRADICTED)]
    found = evaluate(EvaluationDataset(samples=rows), metrics=[metric], raise_exceptions=True, show_progress=False)
    assert found["veridic"] == [small.score(DOCUMENT, row.response).score for row in rows]
    assert not any(map(math.isnan, found["veridic"]))
    assert_is_reason(metric.reason(rows[1]))


def test_sample_metric_alone(small):
    metric = VeridicSampleMetric(scorer=small)
    score = asyncio.run(metric.single_turn_ascore(sample(CONTRADICTED)))
    assert score == small.score(DOCUMENT, CONTRADICTED).score


@pytest.mark.parametrize(("answer", "part"), BAD_ANSWERS)
def test_answers_that_are_no_text_are_value_errors(small, answer, part):
    with pytest.raises(ValueError, match=part):
        VeridicMetric(scorer=small).score(response=answer, retrieved_contexts=CONTEXTS)
    if isinstance(answer, bytes):
        return  # RAGAS's sample makes a text of it.
    with pytest.raises(ValueError):
        asyncio.run(VeridicSampleMetric(scorer=small).single_turn_ascore(sample(answer)))


@pytest.mark.parametrize(("contexts", "part"), BAD_CONTEXTS)
def test_contexts_that_are_no_texts_are_value_errors(small, contexts, part):
    with pytest.raises(ValueError, match=part):
        VeridicMetric(scorer=small).score(response=SUPPORTED, retrieved_contexts=contexts)
    with pytest.raises(ValueError):
        asyncio.run(VeridicSampleMetric(scorer=small).single_turn_ascore(sample(SUPPORTED, contexts)))


def test_huge_contexts(small):
    metric = VeridicMetric(scorer=small)
    assert metric.score(response=SUPPORTED, retrieved_contexts=[HUGE]).value > 0.3
    with pytest.raises(ValueError, match="document"):
        metric.score(response=SUPPORTED, retrieved_contexts=[TOO_LONG])


def test_example():
    assert "the document says 4.2 million euros" in run_example("ragas_metric.py")
