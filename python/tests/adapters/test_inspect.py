import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

from adapter_inputs import BAD_CONTEXTS, CONTEXTS, CONTRADICTED, DOCUMENT, HUGE, QUESTION, SUPPORTED, TOO_LONG, assert_is_reason, run_example
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver
from veridic.adapters.inspect import veridic_support

SETTINGS = {"model": "mini", "quiet": True}


@solver
def recorded(answers):
    """Answers the sample of each number with the text of that number."""

    async def solve(state, generate):
        state.output = ModelOutput.from_content("recorded", answers[int(state.sample_id) - 1])
        return state

    return solve


def run(tmp_path, samples, answers, *arguments):
    task = Task(dataset=samples, solver=recorded(answers), scorer=veridic_support(*arguments, settings=SETTINGS))
    [log] = eval(task, model="mockllm/model", log_dir=str(tmp_path), display="none", fail_on_error=False)
    return log


def judged(tmp_path, rows):
    """The log of a task with the answers and metadata of the rows."""
    samples = [Sample(input=QUESTION, metadata=metadata) for _, metadata in rows]
    return run(tmp_path, samples, [answer for answer, _ in rows])


def test_scores_and_explanations(tmp_path, small):
    log = judged(tmp_path, [(SUPPORTED, {"context": CONTEXTS}), (CONTRADICTED, {"context": CONTEXTS})])
    assert log.status == "success", log.error
    scores = [sample.scores["veridic_support"] for sample in log.samples]
    expected = [small.score(DOCUMENT, text).score for text in (SUPPORTED, CONTRADICTED)]
    assert [score.value for score in scores] == expected
    assert_is_reason(scores[1].explanation)
    assert scores[1].metadata["verdict"] == "contradicted" and scores[1].metadata["passed"] is False
    assert scores[0].answer == SUPPORTED
    metrics = log.results.scores[0].metrics
    assert metrics["mean"].value == pytest.approx(sum(expected) / 2)
    assert log.eval.scorers[0].options["settings"] == SETTINGS


def test_target_as_context(tmp_path):
    log = run(tmp_path, [Sample(input=QUESTION, target=CONTEXTS)], [CONTRADICTED], "target")
    assert_is_reason(log.samples[0].scores["veridic_support"].explanation)


@pytest.mark.parametrize(("contexts", "part"), [*BAD_CONTEXTS, (TOO_LONG, "document")])
def test_contexts_that_are_no_texts_are_the_samples_error(tmp_path, contexts, part):
    log = judged(tmp_path, [(SUPPORTED, {"context": contexts})])
    [sample] = log.samples
    assert part in sample.error.message and not sample.scores


@pytest.mark.parametrize(("answer", "part"), [("", "empty"), ("...", "no word"), ("The pool closes. " * 20_000, "summary")])
def test_outputs_without_words_are_the_samples_error(tmp_path, answer, part):
    log = judged(tmp_path, [(answer, {"context": CONTEXTS})])
    assert part in log.samples[0].error.message and not log.samples[0].scores


def test_huge_contexts(tmp_path):
    log = judged(tmp_path, [(SUPPORTED, {"context": HUGE})])
    assert log.samples[0].scores["veridic_support"].metadata["passed"]


def test_unknown_settings_are_refused_at_once():
    with pytest.raises(ValueError, match="modell"):
        veridic_support(settings={"modell": "mini"})


def test_example():
    printed = run_example("inspect_scorer.py")
    assert "the document says 4.2 million euros" in printed
