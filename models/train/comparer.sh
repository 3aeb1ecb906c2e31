#!/usr/bin/env bash
# The net that holds faces beside their owner's pictures (comparer.py) and the one that holds them between two (chooser.py), after closer.sh: how much they and the reader count, and how sure all may be,
# is fitted on the copies that closer.sh made, which trained neither. On two processor cores two and a quarter hours, half an hour of it for pictures.
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
# what holds a face between two, which begins with what the other one looks at
[ -e "$WORK/print-chooser.pt" ] || "$PYTHON" chooser.py train --data "$pairs" --init "$WORK/print-comparer-third.pt" --steps 15000 --lr 1.5e-3 --seed 5 --out "$WORK/print-chooser.pt"
"$PYTHON" chooser.py test --data "$pairs" --net "$WORK/print-chooser.pt" --comparer "$WORK/print-comparer-third.pt"
"$PYTHON" comparer.py export --data "$pairs" --net "$WORK/print-comparer-third.pt" --out "$WORK"
"$PYTHON" chooser.py export --data "$pairs" --net "$WORK/print-chooser.pt" --out "$WORK"
fitted=$("$PYTHON" sure.py --scenes "$WORK/closer" --model ../print-reader.onnx --refiner ../face-refiner.onnx --comparer "$WORK/print-comparer.onnx" --chooser "$WORK/print-chooser.onnx" | tee /dev/stderr | grep '^fitted')
of_comparer=$(sed -n 's/^fitted: //p' <<<"$fitted") of_chooser=$(sed -n 's/^fitted chooser: //p' <<<"$fitted")
[ -n "$of_comparer" ]
[ -n "$of_chooser" ]
# shellcheck disable=SC2086
"$PYTHON" comparer.py export --data "$pairs" --net "$WORK/print-comparer-third.pt" $of_comparer --out ..
# shellcheck disable=SC2086
"$PYTHON" chooser.py export --data "$pairs" --net "$WORK/print-chooser.pt" $of_chooser --out ..
