#!/usr/bin/env bash
# Runs the whole chain on toy pairs for a handful of steps and says PASS or FAIL.
#   scripts/train_mini/smoke.sh [--veridic FILE] [--venv FOLDER] [--minilm FOLDER]
# Needs the network for pip alone, and not even that with a prepared --venv and --minilm. The second stage is run with
# the veridic program of --veridic or target/release; without one it is left out, and said so.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
veridic=$here/../../target/release/veridic
given=()
while [[ $# -gt 0 ]]; do
  if [[ $1 == --veridic ]]; then veridic=$2; else given+=("$1" "$2"); fi
  shift 2
done
options=(--venv "$work/venv" ${given[@]+"${given[@]}"} --steps 6 --threads 1 --dev-pairs 20)

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

if [[ ! -x $veridic ]]; then
  echo "left out for want of $veridic: the pairs of the second stage"
else
  cat > "$work/mixture.json" <<'JSON'
{"documents": ["toy_entailment", "toy_neutral"], "claims": 60, "details": 20, "dialogues": 20,
 "wrapped": {"*": 20}, "replayed": {"*": 20}}
JSON
  stages=(--veridic "$veridic" --mixture "$work/mixture.json" --venv "$work/venv" ${given[@]+"${given[@]}"}
    --start "$work/whole/model" --average "$work/whole/model"
    --first "--steps 4 --end-after 2 --threads 1 --dev-pairs 20 --precision bf16"
    --second "--steps 2 --threads 1 --dev-pairs 20 --precision bf16 --tokens 256 --token-weight 1")
  for name in staged again; do
    "$here/two_stages.sh" "$work/pairs" "$work/$name" "${stages[@]}" || fail "the two stages broke; the message is above"
  done
  for name in pairs/{claims,details,wrapped,false_alarms}.jsonl {second/,}model/model.safetensors; do
    [[ -s $work/staged/$name ]] || fail "the two stages left no $name"
    cmp "$work/staged/$name" "$work/again/$name" || fail "$name differs between two runs with the same seeds"
  done
  expect_error "mixture.json" python3 "$here/make_pairs.py" "$work/pairs" "$work/never" --veridic "$veridic" --mixture "$work/none/mixture.json"
fi

echo "PASS: trained, exported and checked; the resumed run equals the uninterrupted one byte for byte"
