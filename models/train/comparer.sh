#!/usr/bin/env bash
# The net that holds faces beside their owner's pictures (comparer.py), after closer.sh: how much it and the reader count, and how sure both may be,
# is fitted on the copies that closer.sh made, which trained neither. On two processor cores an hour and a half, a third of it for pictures.
#   WORK=../work ./comparer.sh
set -euo pipefail
cd "$(dirname "$0")"
WORK=$(realpath -m "${WORK:-../work}")
PYTHON=${PYTHON:-python3}
pairs="$WORK/pairs"
# what is one kind's first, then what two kinds have in common as well
"$PYTHON" comparer.py make --data "$pairs" --sets 6500 --seed 97
[ -e "$WORK/print-comparer-first.pt" ] || "$PYTHON" comparer.py train --data "$pairs" --steps 8000 --seed 3 --out "$WORK/print-comparer-first.pt"
[ -e "$WORK/print-comparer-second.pt" ] || "$PYTHON" comparer.py train --data "$pairs" --init "$WORK/print-comparer-first.pt" --steps 6000 --lr 1.5e-3 --seed 7 --out "$WORK/print-comparer-second.pt"
"$PYTHON" comparer.py make --data "$pairs" --sets 6500 --mixed 2600 --seed 97
[ -e "$WORK/print-comparer-third.pt" ] || "$PYTHON" comparer.py train --data "$pairs" --init "$WORK/print-comparer-second.pt" --steps 10000 --lr 1.5e-3 --seed 11 --out "$WORK/print-comparer-third.pt"
"$PYTHON" comparer.py test --data "$pairs" --net "$WORK/print-comparer-third.pt" --reader ../print-reader.onnx
"$PYTHON" comparer.py export --data "$pairs" --net "$WORK/print-comparer-third.pt" --out "$WORK"
fitted=$("$PYTHON" sure.py --scenes "$WORK/closer" --model ../print-reader.onnx --refiner ../face-refiner.onnx --comparer "$WORK/print-comparer.onnx" | tee /dev/stderr | sed -n 's/^fitted: //p')
[ -n "$fitted" ]
# shellcheck disable=SC2086
"$PYTHON" comparer.py export --data "$pairs" --net "$WORK/print-comparer-third.pt" $fitted --out ..
