"""Calls every address of a server with the client that `check_clients.py openapi` generated.

    openapi_calls.py FOLDER URL          (FOLDER holds the package veridic_client)
"""

import builtins
import importlib
import json
import pkgutil
import sys

folder, url = sys.argv[1:]
sys.path.insert(0, folder)

import veridic_client.api as api  # noqa: E402
from veridic_client import Client, models  # noqa: E402
from veridic_client.types import Unset  # noqa: E402

# The generator forgets to import it where a body may have several media types.
builtins.Unset = Unset

DOCUMENT = "The pool closes in March. Repairs would cost 4.2 million euros, the report said."
SUMMARY = "The pool closes in March. Repairs would cost 2.4 million euros."
PAIR = {"document": DOCUMENT, "summary": SUMMARY}


class Lines(str):
    """A body of lines; the generated client takes its bytes from `payload`."""

    payload = property(str.encode)


def lines(*rows):
    return {"body": Lines("".join(json.dumps(row) + "\n" for row in rows))}


def body(model, value):
    return {"body": getattr(models, model).from_dict(value)}


# For each operation of the description the arguments of its call, and what the parsed answer must satisfy.
CALLS = {
    "page": ({}, None),
    "health": ({}, lambda answer: answer.status == "ok"),
    "ready": ({}, lambda answer: answer.status == "ready"),
    "metrics": ({}, None),
    "description": ({}, lambda answer: answer.to_dict()["openapi"] == "3.1.0"),
    "models": ({}, lambda answer: answer.version and answer.max_tokens > 0),
    "score": (
        body("ScoreRequest", {**PAIR, "id": "a"}),
        lambda answer: answer.id == "a" and answer.verdict == "contradicted" and len(answer.claims) == 2,
    ),
    "score_batch": (lines(PAIR, PAIR), None),
    "score_stream": (
        lines({"document": DOCUMENT}, {"text": SUMMARY}),
        None,
    ),
    "score_events": (body("ScoreRequest", PAIR), None),
    "claims": (body("ClaimsRequest", {"summary": SUMMARY}), lambda answer: len(answer.claims) == 2),
    "nli": (
        body("NliRequest", {"premise": DOCUMENT, "hypothesis": "The pool closes."}),
        lambda answer: 0.0 <= answer.entailment <= 1.0,
    ),
    "align_score": (
        body("AlignScoreRequest", {"evidence": DOCUMENT, "claim": SUMMARY}),
        lambda answer: 0.0 <= answer.alignscore <= 1.0,
    ),
    "predict": (
        body("PredictRequest", {"inputs": [DOCUMENT, "The pool closes."]}),
        lambda answer: len(answer) == 3 and answer[0].score >= answer[2].score,
    ),
}
# A body that is understood and refused, by operation.
REFUSED = {
    "score": body("ScoreRequest", {**PAIR, "summary": ""}),
    "claims": body("ClaimsRequest", {"summary": "..."}),
    "nli": body("NliRequest", {"premise": "", "hypothesis": "A cat."}),
    "align_score": body("AlignScoreRequest", {"evidence": "", "claim": "A cat."}),
    "predict": body("PredictRequest", {"inputs": ""}),
}


def operations():
    for module in pkgutil.walk_packages(api.__path__, api.__name__ + "."):
        loaded = importlib.import_module(module.name)
        if hasattr(loaded, "sync_detailed"):
            yield module.name.rsplit(".", 1)[-1], loaded


def main():
    client = Client(base_url=url, raise_on_unexpected_status=True)
    found = dict(operations())
    if set(found) != set(CALLS):
        raise SystemExit(f"generated and expected operations differ: {sorted(set(found) ^ set(CALLS))}")
    for name, operation in sorted(found.items()):
        arguments, holds = CALLS[name]
        answer = operation.sync_detailed(client=client, **arguments)
        if answer.status_code != 200 or (holds is not None and not holds(answer.parsed)):
            raise SystemExit(f"{name}: {answer.status_code} {answer.content[:300]!r}")
        print(f"{name:14} {answer.status_code} {len(answer.content)} bytes")
        if name in REFUSED:
            answer = operation.sync_detailed(client=client, **REFUSED[name])
            if answer.status_code != 422 or answer.parsed.error.code != "invalid":
                raise SystemExit(f"{name} with a bad body: {answer.status_code} {answer.content[:300]!r}")


if __name__ == "__main__":
    main()
