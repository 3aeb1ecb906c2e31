#!/usr/bin/env bash
# How sure the reader of prints may be where it looks at faces' middles, too (the net stays as it is). After quantize.sh; on two processor cores
# half an hour, most of it for pictures. The copies are those that the feet of dice were measured on (../../calibration/README.md, figures.md): they trained nothing, but
# what those pages say of how sure faces are was measured before, and cannot be measured on them any more.
#   PHOTOS=../../../shared/photos WORK=../work ./closer.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=$(realpath "${PHOTOS:-../../../shared/photos}")
WORK=$(realpath -m "${WORK:-../work}")
PYTHON=${PYTHON:-python3}
mkdir -p "$WORK/closer"
tables() { (cd ../synth && "$PYTHON" tables.py --out "$WORK/closer-$1" --copies "$2" --pictures "$3" --seed "$1" --enrol "${@:4}" --photos "$PHOTOS"); }
tables 4750 5 90 --edges --die-mm 16
tables 3750 4 48 --edges
tables 900 3 30
n=0
for copy in "$WORK"/closer-{4750,3750,900}/copy-*; do
    ln -sfn "$copy" "$WORK/closer/copy-$(printf %04d $n)"
    n=$((n + 1))
done
sure=$("$PYTHON" sure.py --scenes "$WORK/closer" --model ../print-reader.onnx --refiner ../face-refiner.onnx --closer 0.65 | tee /dev/stderr | sed -n 's/^fitted: //p')
# shellcheck disable=SC2086
"$PYTHON" export.py --refit .. --name print-reader.onnx --closer 0.65 $sure
