#!/usr/bin/env bash
# Runs the whole chain on toy pairs for a handful of steps and says PASS or FAIL.
#   scripts/train_mini/smoke.sh [--venv FOLDER] [--minilm FOLDER]
# Needs the network for pip alone, and not even that with a prepared --venv and --minilm.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=(--venv "$work/venv" "$@" --steps 6 --threads 1 --dev-pairs 20)

fail() { echo "FAIL: $*"; exit 1; }

# Passes if the command fails and its output holds the text.
expect_error() {
  local text=$1 output
  shift
  output=$("$@" 2>&1) && fail "this should have been refused: $*"
  [[ $output == *"$text"* ]] || fail "expected '$text' in: $output"
}

python3 "$here/synthetic_pairs.py" "$work/pairs" 200 || fail "no toy pairs"

"$here/run.sh" "$work/pairs" "$work/whole" "${options[@]}" || fail "the chain broke; its message is above"
for name in config.json model.safetensors tokenizer.json tokenizer_config.json; do
  [[ -s $work/whole/model/$name ]] || fail "the model lacks $name"
done

expect_error "stopped after step 3" "$here/run.sh" "$work/pairs" "$work/parts" "${options[@]}" --stop-after 3
"$here/run.sh" "$work/pairs" "$work/parts" "${options[@]}" || fail "resuming broke; its message is above"
for name in training/steps.jsonl training/trained/model.safetensors model/model.safetensors; do
  cmp "$work/whole/$name" "$work/parts/$name" || fail "$name differs between the resumed and the uninterrupted run"
done
expect_error "other settings" "$here/run.sh" "$work/pairs" "$work/whole" "${options[@]}" --learning-rate 1e-3

cp -r "$work/pairs" "$work/broken"
echo '{"premise": "A.", "hypothesis": "B.", "label": "maybe", "source": "toy"}' >> "$work/broken/second.jsonl"
expect_error "second.jsonl:101: unknown label 'maybe'" "$here/run.sh" "$work/broken" "$work/never" "${options[@]}"
expect_error "no such folder" "$here/run.sh" "$work/absent" "$work/never" "${options[@]}"

echo "PASS: trained, exported and checked; the resumed run equals the uninterrupted one byte for byte"
