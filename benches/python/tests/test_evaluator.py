"""The laboratory's package: metrics, errors, SummaC's interface, the program."""

import pathlib
import subprocess
import sys

import pytest
import veridic_bench
from veridic_bench import EvaluationError, Evaluator, SummaCZS

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
DOCUMENT = "The pool of Harwell closed in March.\n\nMayor Lena Okafor spoke to reporters. She was not amused."
SUMMARY = "The pool closed in March. Nobody spoke."


@pytest.fixture(scope="module")
def texts():
    return [(EXAMPLES / name).read_text(encoding="utf-8") for name in ("article.txt", "summary.txt")]


def test_metrics_are_numbers_and_facts(texts):
    document, summary = texts
    evaluator = Evaluator("nli-sent", "rouge", settings={"levels": ["sentence"]})
    result = evaluator.evaluate(document, summary, reference=summary)
    assert result["rouge1"] == 1.0 and "claims" not in result and "verdict" not in result
    assert result["score"] == pytest.approx(result["nli_sent"], abs=1e-6)


def test_rows_keep_their_order(texts):
    document, summary = texts
    rows = [{"document": document, "summary": summary, "reference": summary[: 20 + number]} for number in range(70)]
    scores = [result["rouge1"] for result in Evaluator("rouge", model="mini").run(rows)]
    alone = Evaluator("rouge", model="mini").evaluate(**rows[66])["rouge1"]
    assert len(scores) == 70 and scores[66] == alone and scores[0] < scores[69]


@pytest.mark.parametrize(
    ("metrics", "settings", "parts"),
    [
        (["rough"], {}, ["rough", "summac-zs"]),
        (["bertscore"], {}, ["bertscore_model=bertscore", "veridic models pull"]),
        (["rouge"], {"windw": 3}, ["no setting `windw`", "did you mean `window`"]),
        (["finesure"], {"judge": "http://localhost:1"}, ["judge=http://localhost:1", "--answers"]),
    ],
)
def test_wrong_settings_are_named(metrics, settings, parts):
    with pytest.raises(ValueError) as refused:
        Evaluator(*metrics, model="mini", settings=settings)
    assert all(part in str(refused.value) for part in parts), refused.value


def test_a_row_that_lacks_texts_is_named():
    with pytest.raises(EvaluationError, match="row 1: .*reference"):
        list(Evaluator("rouge", model="mini").run([{"document": "A b.", "summary": "A b.", "reference": "A."}, {"document": "A b.", "summary": "A b."}]))


def test_summac_by_paragraphs_and_by_sentences():
    nli = Evaluator("menli", model="mini")

    def by_hand(units):
        # For each statement max e - max t over the units; the mean over the two statements.
        total = 0.0
        for statement in ["The pool closed in March.", "Nobody spoke."]:
            answers = [nli.evaluate(unit, statement)["menli_facts"] for unit in units]
            total += max(a["entailment"] for a in answers) - max(a["contradiction"] for a in answers)
        return total / 2

    assert SummaCZS(model_name="mini").score([DOCUMENT], [SUMMARY])["scores"] == [pytest.approx(by_hand(DOCUMENT.split("\n\n")), abs=1e-5)]
    units = ["The pool of Harwell closed in March.", "Mayor Lena Okafor spoke to reporters.", "She was not amused."]
    found = SummaCZS(granularity="sentence", model_name="mini").score([DOCUMENT], [SUMMARY])
    assert found["scores"] == [pytest.approx(by_hand(units), abs=1e-5)]
    for given in [{"granularity": "word"}, {"op2": "min"}]:
        with pytest.raises(ValueError):
            SummaCZS(**given)


def test_the_program_is_there():
    done = subprocess.run([sys.executable, "-m", "veridic_bench", "--version"], capture_output=True, timeout=300)
    assert (done.returncode, done.stdout.decode().strip()) == (0, f"veridic-bench {veridic_bench.__version__}")
