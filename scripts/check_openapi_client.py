#!/usr/bin/env python3
"""Generates a client from the server's /openapi.json with openapi-python-client and calls every address with it.

    scripts/check_openapi_client.py [PROGRAM]          (default target/release/veridic; needs PyPI)

It fails if the generator leaves an address out, if an answer has a status or a form that the description does not have, or
if an address was not called. TOOLS names a folder for the virtual environment, to keep it.
"""

import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from client_tools import ROOT, environment, server

PACKAGES = ["openapi-python-client", "httpx", "attrs", "python-dateutil"]

# Lines and events are plain bytes and texts to this generator.
LINES = ["application/x-ndjson", "application/jsonl", "application/json-lines"]
TEXTS = ["text/event-stream", "application/openmetrics-text; version=1.0.0; charset=utf-8"]
SETTINGS = {
    "content_type_overrides": {**dict.fromkeys(LINES, "application/octet-stream"), **dict.fromkeys(TEXTS, "text/plain")},
    "post_hooks": [],
}


def main():
    program = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/veridic")
    with environment(*PACKAGES) as python, tempfile.TemporaryDirectory() as folder, server(program, "--model", "mini") as url:
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
        calls = ROOT / "scripts" / "openapi_client_calls.py"
        subprocess.run([str(python), str(calls), folder, url], check=True)
        addresses = len(json.loads(description.read_text())["paths"])
        print(f"all {addresses} addresses answered the generated client")


if __name__ == "__main__":
    main()
