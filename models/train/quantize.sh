#!/usr/bin/env bash
# The nets that see every picture and every die of it, in 8 bits: after all other scripts, which export floats. On two
# processor cores about ten minutes. What is in 8 bits already stays as it is.
#   PHOTOS=../../../shared/photos WORK=../work ./quantize.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=$(realpath "${PHOTOS:-../../../shared/photos}")
WORK=$(realpath -m "${WORK:-../work}")
PYTHON=${PYTHON:-python3}
mkdir -p "$WORK"
# what nothing was trained on, and no figure is measured on
(cd ../synth && "$PYTHON" scenes.py --out "$WORK/values" --first 91000 --count 60 --seed 7 --hard --photos "$PHOTOS")
(cd ../synth && "$PYTHON" tables.py --out "$WORK/values-tables" --copies 6 --pictures 24 --seed 1500 --photos "$PHOTOS")
for model in ../{dice-detector,face-refiner,dice-reader,print-reader}.onnx ../held-out/*/dice-{detector,reader}.onnx; do
    "$PYTHON" quantize.py "$model" --synth "$WORK/values" "$WORK/values-tables"
done
