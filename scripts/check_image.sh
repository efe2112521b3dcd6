#!/usr/bin/env bash
# Tries an image: a verdict on mounted texts, the server with its health check, the user, and what a stop does.
#   scripts/check_image.sh docker|podman IMAGE
set -euo pipefail

[ $# -eq 2 ] || { sed -n 2,3p "$0" >&2; exit 2; }
tool=$1 image=$2 name=veridic-check-$$
cd "$(dirname "$0")/.."
fail() { echo "check_image: $*" >&2; exit 1; }
trap '"$tool" rm --force "$name" > /dev/null 2>&1 || true' EXIT

user=$("$tool" inspect --format '{{.Config.User}}' "$image")
case $user in '' | 0 | 0:* | root*) fail "the image runs as root" ;; esac
"$tool" run --rm --read-only --network none --volume "$PWD/examples:/data:ro" "$image" \
  score /data/article.txt /data/summary.txt | tee /dev/stderr | grep -q '^score ' || fail "no verdict"
if "$tool" run --rm --entrypoint /bin/sh "$image" -c true 2> /dev/null; then fail "the image has a shell"; fi

"$tool" run --detach --name "$name" --read-only --publish 127.0.0.1::8080 "$image" > /dev/null
for _ in $(seq 100); do
  if "$tool" exec "$name" /usr/bin/veridic serve --probe --listen 0.0.0.0:8080 2> /dev/null; then break; fi
  sleep 0.2
done
"$tool" exec "$name" /usr/bin/veridic serve --probe --listen 0.0.0.0:8080 || fail "the server is not ready"
address=$("$tool" port "$name" 8080 | head -n 1)
answer=$(curl -sS --fail "http://$address/v1/score" -H 'Content-Type: application/json' \
  --data '{"document": "The pool closes in March.", "summary": "The pool closes."}')
case $answer in *'"verdict":"supported"'*) ;; *) fail "answered $answer" ;; esac
"$tool" stop -t 20 "$name" > /dev/null
code=$("$tool" inspect --format '{{.State.ExitCode}}' "$name")
[ "$code" = 0 ] || fail "the server ended with $code after SIGTERM"
echo "the image judges, serves, and stops as user $user"
