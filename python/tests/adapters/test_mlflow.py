import pytest

mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed")

from adapter_inputs import BAD_ANSWERS, BAD_CONTEXTS, CONTEXTS, CONTRADICTED, DOCUMENT, HUGE, QUESTION, SUPPORTED, TOO_LONG, assert_is_reason, run_example
from mlflow.entities import Document
from mlflow.exceptions import MlflowException
from veridic.adapters.mlflow import VeridicScorer

SETTINGS = {"model": "mini", "quiet": True}


@pytest.fixture(scope="module")
def tracking(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mlflow")
    mlflow.set_tracking_uri(f"sqlite:///{folder}/mlflow.db")
    mlflow.set_experiment(experiment_id=mlflow.create_experiment("veridic", artifact_location=folder.as_uri()))


@pytest.fixture(scope="module")
def scorer():
    return VeridicScorer(settings=SETTINGS)


def row(answer, contexts=CONTEXTS):
    return {"inputs": {"question": QUESTION, "context": contexts}, "outputs": answer}


def test_feedback(scorer, small):
    feedback = scorer(**row(CONTRADICTED))
    assert (feedback.name, feedback.value) == ("veridic", small.score(DOCUMENT, CONTRADICTED).score)
    assert_is_reason(feedback.rationale)
    assert feedback.metadata["verdict"] == "contradicted" and feedback.metadata["passed"] == "false"
    assert feedback.source.source_type == "CODE" and feedback.source.source_id.startswith("veridic/mini@")


def test_context_of_expectations_and_answer_of_a_mapping(scorer):
    feedback = scorer(inputs={}, outputs={"answer": CONTRADICTED}, expectations={"context": CONTEXTS})
    assert_is_reason(feedback.rationale)


def test_evaluate(scorer, small, tracking):
    found = mlflow.genai.evaluate(data=[row(SUPPORTED), row(CONTRADICTED)], scorers=[scorer])
    expected = [small.score(DOCUMENT, text).score for text in (SUPPORTED, CONTRADICTED)]
    assert found.metrics["veridic/mean"] == pytest.approx(sum(expected) / 2)
    assert sorted(found.result_df["veridic/value"]) == pytest.approx(sorted(expected))


def test_evaluate_records_errors_and_no_number(scorer, tracking):
    found = mlflow.genai.evaluate(data=[row(SUPPORTED), row("...")], scorers=[scorer])
    assessments = [assessment for row in found.result_df["assessments"] for assessment in row]
    errors = [each["feedback"].get("error") for each in assessments if each["feedback"].get("error")]
    assert len(errors) == 1 and "no word" in errors[0]["error_message"]
    assert found.metrics["veridic/mean"] == found.metrics["veridic/mean"]


def test_context_of_a_trace(scorer, tracking):
    @mlflow.trace(span_type="RETRIEVER")
    def retrieve(question):
        return [Document(page_content=text, id=name) for text, name in zip(CONTEXTS, ["plan.txt", "report.txt"])]

    @mlflow.trace
    def answer(question):
        retrieve(question)
        return CONTRADICTED

    answer(QUESTION)
    mlflow.flush_trace_async_logging()
    trace = mlflow.get_trace(mlflow.get_last_active_trace_id())
    assert "in source report.txt [0, 54]" in scorer(inputs={"question": QUESTION}, outputs=CONTRADICTED, trace=trace).rationale


@pytest.mark.parametrize(("answer", "part"), BAD_ANSWERS)
def test_answers_that_are_no_text_are_the_frameworks_error(scorer, answer, part):
    with pytest.raises(MlflowException, match=part):
        scorer(**row(answer))


@pytest.mark.parametrize(("contexts", "part"), BAD_CONTEXTS)
def test_contexts_that_are_no_texts_are_the_frameworks_error(scorer, contexts, part):
    with pytest.raises(MlflowException, match=part):
        scorer(**row(SUPPORTED, contexts))


def test_invalid_settings_are_the_frameworks_error():
    with pytest.raises((MlflowException, ValueError), match="modell"):
        VeridicScorer(settings={"modell": "mini"})


def test_huge_contexts(scorer):
    assert scorer(**row(SUPPORTED, [HUGE])).metadata["passed"] == "true"
    with pytest.raises(MlflowException, match="document"):
        scorer(**row(SUPPORTED, [TOO_LONG]))


def test_example():
    assert "the document says 4.2 million euros" in run_example("mlflow_scorer.py")
