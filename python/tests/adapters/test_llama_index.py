import asyncio

import pytest

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")

from adapter_inputs import BAD_ANSWERS, BAD_CONTEXTS, CONTEXTS, CONTRADICTED, DOCUMENT, HUGE, QUESTION, SUPPORTED, TOO_LONG, assert_is_reason, run_example
from llama_index.core.base.response.schema import Response
from llama_index.core.evaluation import BatchEvalRunner
from llama_index.core.schema import NodeWithScore, TextNode
from veridic.adapters.llama_index import VeridicEvaluator


def test_evaluate(small):
    found = VeridicEvaluator(scorer=small).evaluate(query=QUESTION, response=CONTRADICTED, contexts=CONTEXTS)
    assert found.score == small.score(DOCUMENT, CONTRADICTED).score and found.passing is False
    assert (found.query, found.response, list(found.contexts)) == (QUESTION, CONTRADICTED, CONTEXTS)
    assert_is_reason(found.feedback)
    assert not found.invalid_result
    assert VeridicEvaluator(scorer=small, min_score=found.score).evaluate(response=CONTRADICTED, contexts=CONTEXTS).passing


def test_response_and_batch(small):
    evaluator = VeridicEvaluator(scorer=small)
    response = Response(CONTRADICTED, source_nodes=[NodeWithScore(node=TextNode(text=text)) for text in CONTEXTS])
    assert_is_reason(evaluator.evaluate_response(query=QUESTION, response=response).feedback)
    runner = BatchEvalRunner({"veridic": evaluator}, workers=2)
    found = asyncio.run(runner.aevaluate_responses(queries=[QUESTION] * 3, responses=[response] * 3))["veridic"]
    assert [each.score for each in found] == [small.score(DOCUMENT, CONTRADICTED).score] * 3


@pytest.mark.parametrize(("answer", "part"), BAD_ANSWERS)
def test_answers_that_are_no_text_are_value_errors(small, answer, part):
    with pytest.raises(ValueError, match=part):
        VeridicEvaluator(scorer=small).evaluate(response=answer, contexts=CONTEXTS)


@pytest.mark.parametrize(("contexts", "part"), BAD_CONTEXTS)
def test_contexts_that_are_no_texts_are_value_errors(small, contexts, part):
    with pytest.raises(ValueError, match=part):
        VeridicEvaluator(scorer=small).evaluate(response=SUPPORTED, contexts=contexts)


def test_huge_contexts(small):
    evaluator = VeridicEvaluator(scorer=small)
    assert evaluator.evaluate(response=SUPPORTED, contexts=[HUGE]).passing
    with pytest.raises(ValueError, match="document"):
        evaluator.evaluate(response=SUPPORTED, contexts=[TOO_LONG])


def test_example():
    assert "the document says 4.2 million euros" in run_example("llama_index_evaluator.py")
