"""`/alignscore_base` with the client inside NVIDIA NeMo Guardrails (PyPI's `nemoguardrails`).

Its score must equal that of veridic.compat.AlignScore where the Python package is installed.
"""

import json
import subprocess

from common import add_program, environment, program, server

CALL = '''
import asyncio, json, sys
from nemoguardrails.library.factchecking.align_score.request import alignscore_request

url, evidence, claim = sys.argv[1:]
for given in (evidence, evidence.split("\\n\\n")):
    print(json.dumps(asyncio.run(alignscore_request(url, given, claim))))
'''
EVIDENCE = "The pool closes in March.\n\nRepairs would cost 4.2 million euros, the report said."
CLAIMS = ["The pool closes in March.", "Repairs would cost 2.4 million euros."]


def add(parser):
    add_program(parser)


def main(arguments):
    with environment("nemoguardrails", "aiohttp") as python, server(program(arguments), "--model", "mini") as url:
        scores = []
        for claim in CLAIMS:
            command = [str(python), "-c", CALL, f"{url}/alignscore_base", EVIDENCE, claim]
            done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
            joined, listed = (json.loads(line) for line in done.stdout.splitlines()[-2:])
            print(f"{joined}  {claim}")
            if joined != listed or not 0.0 <= joined <= 1.0:
                raise SystemExit(f"a list of passages gives {listed}")
            scores.append(joined)
    if scores[0] <= scores[1]:
        raise SystemExit("the wrong claim has the higher score")
    try:
        from veridic.compat import AlignScore
    except ImportError:
        print("veridic is not installed here: not compared with veridic.compat.AlignScore")
        return
    expected = AlignScore(model="mini").score(contexts=[EVIDENCE] * len(CLAIMS), claims=CLAIMS)
    if scores != expected:
        raise SystemExit(f"veridic.compat.AlignScore gives {expected}")
    print("equal to veridic.compat.AlignScore")
