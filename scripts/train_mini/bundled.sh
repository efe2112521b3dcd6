#!/usr/bin/env bash
# The bundled model, version 2, from a folder of pairs in one command: version 1 trained further, a second model from
# MiniLM's weights, and the mean of both. After a stop, the same command continues.
#   scripts/train_mini/bundled.sh PAIRS_FOLDER OUT_FOLDER [--veridic FILE] [--venv FOLDER] [--minilm FOLDER]
# Training takes two hours on two cores without AVX-512. Version 1 is read from the repository's history. The model ends up in
# OUT_FOLDER/afresh/model.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# The last commit with version 1's weights.
VERSION_1=008ec06

[[ $# -ge 2 && $1 != -* && $2 != -* ]] || { sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
pairs=$1 out=$2
shift 2

mkdir -p "$out/version_1"
for name in config.json tokenizer.json model.safetensors; do
  [[ -f $out/version_1/$name ]] && continue
  git -C "$here" show "$VERSION_1:models/weights/mini/$name" > "$out/version_1/part" \
    || { echo "error: version 1 is not in the repository's history here; clone it whole" >&2; exit 2; }
  mv "$out/version_1/part" "$out/version_1/$name"
done

common="--learning-rate 1.2e-4 --warm-up 0.03 --token-weight 1 --tokens 288 --most-tokens 512 --precision f32 --threads 2"
"$here/two_stages.sh" "$pairs" "$out/further" --venv "$out/venv" --groups 1200 --start "$out/version_1" --first none \
  --second "--steps 2000 --seed 4 --dev-pairs 500 $common" "$@"
"$here/two_stages.sh" "$pairs" "$out/afresh" --venv "$out/venv" --groups 1200 --average "$out/further/second/model" \
  --first "--caps $here/caps.json --epochs 1 --end-after 1100 --seed 7 --learning-rate 2e-4 --warm-up 0.04
    --tokens 256 --most-tokens 512 --precision f32 --threads 2 --dev-pairs 400" \
  --second "--steps 1500 --seed 8 --dev-pairs 400 $common" "$@"
