#!/usr/bin/env python3
"""What an adapter adds to the plain call, in the environment of its framework: milliseconds a row.

    VENV/bin/python scripts/bench_adapters.py FRAMEWORK [--rows 200] [--rounds 7]

`scripts/test_adapters.sh --bench` does this for all. Each row is an answer of two sentences with two short contexts. The scorer
(`mini`, two threads) has judged all rows before, so that its answers come from memory and a call is short beside what is added to
it; the first round is not counted. A round judges each row by `Scorer.score` and by the adapter, one right after the other, in turns.
The two must give the same scores, or the run ends. A round's figure is the median over rows of the difference, so that what else the
machine does counts little; reported are the median, the smallest and the largest of the rounds. Goal: at most 5 ms. Writes
benches/runs/adapters-FRAMEWORK.json.
"""

import argparse
import asyncio
import shlex
import sys
import time
import warnings
from importlib import metadata
from statistics import median

from bench_common import commit, load_average, machine, public, say, write_record

GOAL_MS = 5.0
PACKAGES = {
    "deepeval": "deepeval",
    "ragas": "ragas",
    "mlflow": "mlflow",
    "langchain": "langchain-core",
    "langchain_evaluator": "langchain-classic",
    "llama_index": "llama-index-core",
    "haystack": "haystack-ai",
    "guardrails": "guardrails-ai",
    "inspect": "inspect-ai",
}


def deepeval(scorer):
    from deepeval.test_case import LLMTestCase
    from veridic.adapters.deepeval import VeridicMetric

    metric = VeridicMetric(scorer=scorer)
    return lambda answer, contexts: metric.measure(LLMTestCase(input="?", actual_output=answer, retrieval_context=contexts))


def ragas(scorer):
    from veridic.adapters.ragas import VeridicMetric

    metric = VeridicMetric(scorer=scorer)
    return lambda answer, contexts: metric.score(response=answer, retrieved_contexts=contexts).value


def mlflow(scorer):
    from veridic.adapters.mlflow import VeridicScorer

    judge = VeridicScorer(settings=dict(scorer.settings))
    return lambda answer, contexts: judge.run(inputs={"context": contexts}, outputs=answer).value


def langchain(scorer):
    from veridic.adapters.langchain import VeridicRunnable

    runnable = VeridicRunnable(scorer=scorer)
    return lambda answer, contexts: runnable.invoke({"answer": answer, "context": contexts})["veridic"]["score"]


def langchain_evaluator(scorer):
    from veridic.adapters.langchain_evaluator import VeridicStringEvaluator

    evaluator = VeridicStringEvaluator(scorer=scorer)
    return lambda answer, contexts: evaluator.evaluate_strings(prediction=answer, reference=contexts)["score"]


def llama_index(scorer):
    from veridic.adapters.llama_index import VeridicEvaluator

    evaluator = VeridicEvaluator(scorer=scorer)
    return lambda answer, contexts: evaluator.evaluate(query="?", response=answer, contexts=contexts).score


def haystack(scorer):
    from haystack import Pipeline
    from veridic.adapters.haystack import VeridicEvaluator

    pipeline = Pipeline()
    pipeline.add_component("veridic", VeridicEvaluator(settings=dict(scorer.settings)))
    return lambda answer, contexts: pipeline.run({"veridic": {"predicted_answers": [answer], "contexts": [contexts]}})["veridic"]["score"]


def guardrails(scorer):
    from veridic.adapters.guardrails import VeridicSupported

    validator = VeridicSupported(scorer=scorer)
    return lambda answer, contexts: validator.validate(answer, {"context": contexts}).metadata["score"]


def inspect(scorer):
    from inspect_ai.model import ChatMessageUser, ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState
    from veridic.adapters.inspect import veridic_support

    score = veridic_support(settings=dict(scorer.settings))
    loop = asyncio.new_event_loop()

    def call(answer, contexts):
        messages = [ChatMessageUser(content="?")]
        state = TaskState(model="mockllm/model", sample_id=1, epoch=1, input="?", messages=messages, metadata={"context": contexts})
        state.output = ModelOutput.from_content("mockllm/model", answer)
        return loop.run_until_complete(score(state, Target(""))).value

    return call


ADAPTERS = {name: globals()[name] for name in PACKAGES}


def rows(count):
    things = ["pool", "bridge", "school", "mill", "library"]
    for number in range(count):
        thing, cost = things[number % 5], 1 + number
        contexts = [f"The {thing} of ward {number} closes in March.", f"Its repairs would cost {cost} million euros, the report said."]
        yield f"The {thing} of ward {number} closes in March. Its repairs would cost {cost + number % 2} million euros.", contexts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("framework", choices=ADAPTERS)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    import veridic

    scorer = veridic.Scorer(model="mini", threads=2, quiet=True)
    call = ADAPTERS[arguments.framework](scorer)
    texts = list(rows(arguments.rows))
    plain = [scorer.score(contexts, answer).score for answer, contexts in texts]
    if [call(answer, contexts) for answer, contexts in texts] != plain:
        sys.exit("the scores differ")
    ways = {"plain": lambda answer, contexts: scorer.score(contexts, answer), "adapter": call}
    rounds = [one_round(index, ways, texts) for index in range(arguments.rounds + 1)]
    report(arguments, rounds[1:])


def one_round(index, ways, texts):
    """Milliseconds of a row: the median of each way, and of the difference."""
    taken = {name: [] for name in ways}
    for number, (answer, contexts) in enumerate(texts):
        for name in list(ways) if (index + number) % 2 else list(reversed(ways)):
            start = time.perf_counter()
            ways[name](answer, contexts)
            taken[name].append(1000 * (time.perf_counter() - start))
    added = [adapter - plain for adapter, plain in zip(taken["adapter"], taken["plain"])]
    return {"plain": median(taken["plain"]), "adapter": median(taken["adapter"]), "added": median(added)}


def report(arguments, rounds):
    added = sorted(taken["added"] for taken in rounds)
    package = PACKAGES[arguments.framework]
    record = {
        "command": shlex.join(["python", "scripts/bench_adapters.py", *map(public, sys.argv[1:])]),
        "commit": commit(),
        "machine": machine(),
        "load": load_average(),
        "package": f"{package} {metadata.version(package)}",
        "rows": arguments.rows,
        "rounds_ms_a_row": rounds,
        "added_ms_a_row": {"median": median(added), "smallest": added[0], "largest": added[-1]},
        "goal_ms": GOAL_MS,
    }
    plain = median(taken["plain"] for taken in rounds)
    say(f"{record['package']}: {median(added):.2f} ms a row more ({added[0]:.2f} to {added[-1]:.2f}); the plain call takes {plain:.2f} ms")
    write_record(record, f"adapters-{arguments.framework}")


if __name__ == "__main__":
    main()
