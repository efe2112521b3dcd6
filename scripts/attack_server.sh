#!/usr/bin/env bash
# Attacks `veridic serve` on loopback: about 10,000 requests that schemathesis generates from its OpenAPI description,
# then random bytes. Afterwards it must answer as before. Prints its resident memory before, between and after.
#
#   scripts/attack_server.sh [PROGRAM]      (default target/release/veridic; needs Python 3 and PyPI)
#
# REQUESTS=10000 sets the number of requests, MODEL the model (default: the tests' tiny one), TOOLS a virtual
# environment that already has schemathesis.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/veridic}
model=${MODEL:-models/tests/fixtures/deberta/tiny_with_tokenizer}
requests=${REQUESTS:-10000}
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
tools=${TOOLS:-$folder/tools}
if [ ! -x "$tools/bin/schemathesis" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet schemathesis
fi

"$program" serve --listen 127.0.0.1:0 --quiet --model "$model" --timeout 20 >"$folder/out" 2>"$folder/err" &
server=$!
until grep -q listening "$folder/out"; do
    kill -0 "$server"
    sleep 0.2
done
url=$(sed 's/listening on //' "$folder/out")
resident() { awk '/VmRSS/ {print int($2 / 1024)}' "/proc/$server/status"; }
score() {
    python3 - "$url" <<'PYTHON'
import json, sys, urllib.request
body = json.dumps({"document": "The cat sat on the mat. The dog left.", "summary": "A cat sat."}).encode()
request = urllib.request.Request(sys.argv[1] + "/v1/score", body, {"Content-Type": "application/json"})
print(json.load(urllib.request.urlopen(request))["score"])
PYTHON
}

before=$(score)
echo "at the start: ${before}, $(resident) MB"
for round in 1 2; do
    # Documents without words and the like are refused although OpenAPI cannot express it: that check is excluded.
    "$tools/bin/schemathesis" run "$url/openapi.json" --max-examples "$((requests / 22))" --workers 2 \
        --checks all --exclude-checks positive_data_acceptance,unsupported_method,ignored_auth \
        --phases examples,coverage,fuzzing --request-timeout 30 --seed "$round" --no-color >"$folder/report-$round" 2>&1 ||
        failed=yes
    tail -n 25 "$folder/report-$round"
    echo "after round ${round}: $(resident) MB"
done
python3 - "$url" <<'PYTHON'
import random, socket, sys
host, port = sys.argv[1].removeprefix("http://").split(":")
random.seed(1)
heads = [b"", b"POST /v1/score HTTP/1.1\r\n", b"POST /v1/score HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
         b"Transfer-Encoding: chunked\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
         b"POST /v1/score/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nContent-Length: 3000\r\n\r\n"]
for _ in range(2000):
    with socket.create_connection((host, int(port))) as client:
        client.settimeout(0.02)
        try:
            client.sendall(random.choice(heads) + random.randbytes(random.randrange(4000)))
            client.recv(100)
        except OSError:
            pass
print("2000 connections of random bytes")
PYTHON
after=$(score)
echo "at the end: ${after}, $(resident) MB; requests counted by the server:"
python3 -c 'import sys, urllib.request; print("\n".join(l for l in urllib.request.urlopen(sys.argv[1] + "/metrics").read().decode().splitlines() if l.startswith("veridic_requests_total")))' "$url" |
    awk '{split($1, part, "status=\""); sub(/".*/, "", part[2]); count[part[2]] += $2} END {for (status in count) print "  " status ": " count[status]}'
kill -TERM "$server"
wait "$server"
[ "$before" = "$after" ] && [ -z "${failed:-}" ] && [ ! -s "$folder/err" ] || { echo "FAILED"; cat "$folder/err"; exit 1; }
