"""Inspect: a task over recorded answers, scored by Veridic. With a model, the solver is `generate()`."""

from __future__ import annotations

import tempfile

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from veridic.adapters.inspect import veridic_support

CONTEXT = ["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."]
ANSWERS = {"When does it close?": "The pool closes in March.", "What would it cost?": "Repairs would cost 2.4 million euros."}


@solver  # type: ignore[untyped-decorator, unused-ignore]
def recorded() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content("recorded", ANSWERS[state.input_text])
        return state

    return solve


def main() -> None:
    samples = [Sample(input=question, metadata={"context": CONTEXT}) for question in ANSWERS]
    with tempfile.TemporaryDirectory() as folder:
        task = Task(dataset=samples, solver=recorded(), scorer=veridic_support())
        [log] = eval(task, model="mockllm/model", log_dir=folder, display="none")
        assert log.results is not None and log.samples is not None
        print({name: round(metric.value, 2) for name, metric in log.results.scores[0].metrics.items()})
        for sample in log.samples:
            assert sample.scores is not None
            print(sample.scores["veridic_support"].explanation)


if __name__ == "__main__":
    main()
