#!/usr/bin/env bash
# Makes card-detector.onnx again, after solids.sh, whose detector it starts from: pictures sixteen minutes on two processor cores, the net forty.
# Steps that are done are not done again.
#   PHOTOS=../../../shared/photos WORK=../work ./cards.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=$(realpath "${PHOTOS:-../../../shared/photos}")
WORK=$(realpath -m "${WORK:-../work}")
PYTHON=${PYTHON:-python3}

(cd ../synth && "$PYTHON" spreads.py --photos "$PHOTOS" --out "$WORK/spreads" --copies 110 --flat 44 --traced 8 --seed 61000)
(cd ../synth && "$PYTHON" tables.py --photos "$PHOTOS" --out "$WORK/spreads-test" --copies 6 --pictures 132 --seed 8300)
[ -e "$WORK/cards.pt" ] || "$PYTHON" card_detector.py --synth "$WORK/spreads" --init ../solid-detector.onnx --steps 2324 --out "$WORK/cards.pt"
"$PYTHON" card_detector.py --test "$WORK/spreads-test" --net "$WORK/cards.pt"
"$PYTHON" card_detector.py --export "$WORK/cards.pt" --synth "$WORK/spreads" --out ../card-detector.onnx
