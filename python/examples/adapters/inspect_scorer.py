"""Inspect: a task whose outputs are scored by Veridic; the model is Inspect's own for tests."""

from __future__ import annotations

import tempfile

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.solver import generate
from veridic.adapters.inspect import veridic_support

CONTEXT = ["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."]


def main() -> None:
    answers = ["The pool closes in March.", "Repairs would cost 2.4 million euros."]
    model = get_model("mockllm/model", custom_outputs=[ModelOutput.from_content("mockllm/model", text) for text in answers])
    samples = [Sample(input=question, metadata={"context": CONTEXT}) for question in ["When does it close?", "What would it cost?"]]
    with tempfile.TemporaryDirectory() as folder:
        task = Task(dataset=samples, solver=generate(), scorer=veridic_support())
        [log] = eval(task, model=model, log_dir=folder, display="none", max_samples=1)
    assert log.results is not None and log.samples is not None
    print({name: round(metric.value, 2) for name, metric in log.results.scores[0].metrics.items()})
    for sample in log.samples:
        assert sample.scores is not None
        print(sample.scores["veridic_support"].explanation)


if __name__ == "__main__":
    main()
