import asyncio

import pytest

deepeval = pytest.importorskip("deepeval", reason="deepeval is not installed")

from adapter_inputs import BAD_CONTEXTS, CONTEXTS, CONTRADICTED, DOCUMENT, HUGE, QUESTION, SUPPORTED, TOO_LONG, assert_is_reason, run_example
from deepeval.errors import DeepEvalError, MissingTestCaseParamsError
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig
from deepeval.metrics.utils import copy_metrics
from deepeval.test_case import LLMTestCase
from deepeval.test_case.llm_test_case import RetrievedContextData
from veridic.adapters.deepeval import VeridicMetric


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """DeepEval writes files where it runs."""
    monkeypatch.chdir(tmp_path)


def case(answer, contexts=CONTEXTS, **fields):
    return LLMTestCase(input=QUESTION, actual_output=answer, retrieval_context=contexts, **fields)


def test_score_success_and_reason(small):
    metric = VeridicMetric(scorer=small)
    assert metric.measure(case(CONTRADICTED)) == metric.score == small.score(DOCUMENT, CONTRADICTED).score
    assert metric.is_successful() is False and metric.error is None
    assert_is_reason(metric.reason)
    assert metric.measure(case(SUPPORTED)) == metric.score >= metric.threshold
    assert metric.is_successful() and metric.reason.endswith("1 of 1 claim supported")
    assert asyncio.run(metric.a_measure(case(CONTRADICTED))) == small.score(DOCUMENT, CONTRADICTED).score


def test_context_is_used_where_nothing_was_retrieved(small):
    metric = VeridicMetric(scorer=small)
    metric.measure(LLMTestCase(input=QUESTION, actual_output=CONTRADICTED, context=CONTEXTS))
    assert_is_reason(metric.reason)


def test_reason_names_the_source_of_retrieved_data(small):
    metric = VeridicMetric(scorer=small)
    metric.measure(case(CONTRADICTED, [CONTEXTS[0], RetrievedContextData(context=CONTEXTS[1], source="report.txt")]))
    assert "in source report.txt [0, 54]" in metric.reason


def test_threshold_and_strict_mode(small):
    score = small.score(DOCUMENT, CONTRADICTED).score
    lenient = VeridicMetric(threshold=score, scorer=small)
    lenient.measure(case(CONTRADICTED))
    assert lenient.is_successful()
    strict = VeridicMetric(strict_mode=True, scorer=small)
    assert strict.measure(case(CONTRADICTED)) == 0.0 and not strict.is_successful()


def test_evaluate_measures_copies(small):
    metric = VeridicMetric(scorer=small)
    [copy] = copy_metrics([metric])
    assert copy.scorer is small and copy.threshold == metric.threshold and copy._judge.min_score is None
    found = deepeval.evaluate(
        [case(SUPPORTED), case(CONTRADICTED)],
        [metric],
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        async_config=AsyncConfig(run_async=True),
        cache_config=CacheConfig(write_cache=False),
    )
    by_answer = {result.actual_output: result for result in found.test_results}
    assert by_answer[SUPPORTED].success and not by_answer[CONTRADICTED].success
    assert_is_reason(by_answer[CONTRADICTED].metrics_data[0].reason)


@pytest.mark.parametrize("answer", ["", None])
def test_missing_output_is_the_frameworks_error(small, answer):
    metric = VeridicMetric(scorer=small)
    with pytest.raises(MissingTestCaseParamsError, match="actual_output"):
        metric.measure(case(answer))
    with pytest.raises(MissingTestCaseParamsError, match="retrieval_context"):
        metric.measure(LLMTestCase(input=QUESTION, actual_output=SUPPORTED))


@pytest.mark.parametrize(("answer", "contexts"), [(" \n", CONTEXTS), ("...", CONTEXTS), ("The pool closes. " * 20_000, CONTEXTS), (SUPPORTED, []), (SUPPORTED, [" "]), (SUPPORTED, [TOO_LONG])])
def test_texts_that_cannot_be_judged_are_the_frameworks_error(small, answer, contexts):
    metric = VeridicMetric(scorer=small)
    with pytest.raises(DeepEvalError):
        metric.measure(case(answer, contexts))
    assert metric.error and metric.score is None and not metric.is_successful()


@pytest.mark.parametrize("answer", [5, ["a text"]])
def test_wrong_types_are_refused_before_or_by_the_metric(small, answer):
    with pytest.raises((DeepEvalError, TypeError, ValueError)):
        VeridicMetric(scorer=small).measure(case(answer))


@pytest.mark.parametrize(("contexts", "part"), BAD_CONTEXTS)
def test_wrong_contexts_are_refused_before_or_by_the_metric(small, contexts, part):
    with pytest.raises((DeepEvalError, TypeError, ValueError)):
        VeridicMetric(scorer=small).measure(case(SUPPORTED, contexts))


def test_errors_do_not_end_an_evaluation_that_ignores_them(small):
    found = deepeval.evaluate(
        [case("..."), case(SUPPORTED)],
        [VeridicMetric(scorer=small)],
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        error_config=ErrorConfig(ignore_errors=True),
        cache_config=CacheConfig(write_cache=False),
    )
    by_answer = {result.actual_output: result.metrics_data[0] for result in found.test_results}
    assert by_answer[SUPPORTED].success and "no word" in by_answer["..."].error and by_answer["..."].score is None


def test_huge_context(small):
    metric = VeridicMetric(scorer=small)
    metric.measure(case(SUPPORTED, [HUGE]))
    assert metric.is_successful()


def test_example():
    printed = run_example("deepeval_metric.py", DEEPEVAL_TELEMETRY_OPT_OUT="YES")
    assert "the document says 4.2 million euros" in printed and "False" in printed.splitlines()[0]
