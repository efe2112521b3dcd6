"""Generates a client from /openapi.json with openapi-python-client and calls every address with it.

Fails if the generator leaves an address out, if an answer has a status or a form that the description does not have, or if an
address was not called.
"""

import json
import subprocess
import tempfile
import urllib.request
from pathlib import Path

from common import REPOSITORY, add_program, environment, program, server

PACKAGES = ["openapi-python-client", "httpx", "attrs", "python-dateutil"]

# Lines and events are plain bytes and texts to this generator.
LINES = ["application/x-ndjson", "application/jsonl", "application/json-lines"]
TEXTS = ["text/event-stream", "application/openmetrics-text; version=1.0.0; charset=utf-8"]
SETTINGS = {
    "content_type_overrides": {**dict.fromkeys(LINES, "application/octet-stream"), **dict.fromkeys(TEXTS, "text/plain")},
    "post_hooks": [],
}


def add(parser):
    add_program(parser)


def main(arguments):
    with environment(*PACKAGES) as python, tempfile.TemporaryDirectory() as folder, server(program(arguments), "--model", "mini") as url:
        with urllib.request.urlopen(f"{url}/openapi.json") as answer:
            description = Path(folder) / "openapi.json"
            described = json.load(answer)
        # This generator cannot send "any value" where a body may have several media types: the batch is called with lines.
        del described["paths"]["/v1/score/batch"]["post"]["requestBody"]["content"]["application/json"]
        description.write_text(json.dumps(described))
        # JSON is YAML, which the generator reads.
        settings = Path(folder) / "settings.json"
        settings.write_text(json.dumps(SETTINGS))
        generator = [str(python), "-m", "openapi_python_client", "generate", "--path", str(description), "--meta", "none"]
        generator += ["--config", str(settings)]
        made = subprocess.run(
            [*generator, "--output-path", str(Path(folder) / "veridic_client"), "--fail-on-warning"],
            capture_output=True,
            text=True,
        )
        print(made.stdout + made.stderr, end="")
        if made.returncode != 0:
            raise SystemExit("the generator could not use the description")
        calls = REPOSITORY / "scripts" / "clients" / "openapi_calls.py"
        subprocess.run([str(python), str(calls), folder, url], check=True)
        addresses = len(json.loads(description.read_text())["paths"])
        print(f"all {addresses} addresses answered the generated client")
