import pytest

pytest.importorskip("datasets", reason="datasets is not installed")
evaluate = pytest.importorskip("evaluate", reason="evaluate is not installed")


def test_metric_of_evaluate(scorer, rows):
    import veridic.evaluate_metric as module

    documents = [row["document"] for row in rows[:4]]
    summaries = [row["summary"] for row in rows[:4]]
    expected = [result.score for result in scorer.run(rows[:4])]
    found = module.Factuality().compute(predictions=summaries, references=documents, quiet=True)
    assert found["scores"] == expected and found["score"] == pytest.approx(sum(expected) / 4)
    loaded = evaluate.load(module.__file__)
    loaded.add_batch(predictions=summaries, references=documents)
    assert loaded.compute(quiet=True)["scores"] == expected


def test_map_of_datasets(scorer, rows):
    import datasets

    dataset = datasets.Dataset.from_list(rows[:6])
    judge = lambda batch: {"score": [r.score for r in scorer.run(zip(batch["document"], batch["summary"]))]}
    found = dataset.map(judge, batched=True, batch_size=3)["score"]
    assert list(found) == [result.score for result in scorer.run(rows[:6])]
