#!/usr/bin/env bash
# The reader of prints of any kind, after further.sh (it takes the pictures and the detectors from there): first on
# made pictures alone, three quarters of them prints of every kind, then with photographs. Steps that are done are
# not done again. On two processor cores about three hours; half of that without the folds that it is fitted on.
#   PHOTOS=../../../shared/photos WORK=../work ./print-reader.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=$(realpath "${PHOTOS:-../../../shared/photos}")
WORK=$(realpath -m "${WORK:-../work}")
PYTHON=${PYTHON:-python3}
sightline=${SIGHTLINE:-../../target/release/sightline}
made=("$WORK/hard" "$WORK/tables")

[ -e "$WORK/negatives.jsonl" ] || { "$PYTHON" negatives.py --net "$WORK/none.det.pt" --synth "${made[@]}" --photos "$PHOTOS" --out "$WORK/negatives.part"; mv "$WORK/negatives.part" "$WORK/negatives.jsonl"; }
common=(--synth "${made[@]}" --photos "$PHOTOS" --negatives "$WORK/negatives.jsonl")
[ -e "$WORK/base.read.pt" ] || "$PYTHON" reader.py --fold none --share 0 "${common[@]}" --pseudo "$WORK/pseudo-none.jsonl" \
    --batch 32 --made 96 --steps 6500 --lr 2e-3 --seed 51 --out "$WORK/base.read.pt"
for fold in none tray floor office-table; do
    [ -e "$WORK/$fold.print.pt" ] || "$PYTHON" reader.py --fold $fold --init "$WORK/base.read.pt" "${common[@]}" --pseudo "$WORK/pseudo-$fold.jsonl" \
        --share 0.45 --batch 64 --made 64 --steps 1200 --lr 1e-3 --seed 61 --out "$WORK/$fold.print.pt"
done
# fitted on what readers that never saw a scene say of it
each=()
for scale in 16 20 24; do
    for fold in tray floor office-table; do
        [ -e "$WORK/prints/$scale/$fold/dice-reader.onnx" ] || "$PYTHON" export.py --detector "$WORK/$fold.det.pt" --reader "$WORK/$fold.print.pt" \
            --scale $scale --near -1 --there 0 0 9 --half --out "$WORK/prints/$scale/$fold"
    done
    [ -e "$WORK/prints-$scale.jsonl" ] || { "$sightline" eval --photos "$PHOTOS" --held-out "$WORK/prints/$scale" --errata ../errata.jsonl --each >"$WORK/prints.part"; mv "$WORK/prints.part" "$WORK/prints-$scale.jsonl"; }
    each+=(--each $scale "$WORK/prints-$scale.jsonl")
done
fitted=($("$PYTHON" fit.py "${each[@]}" --photos "$PHOTOS"))
# on from there, with more made prints at once; what was fitted is kept
[ -e "$WORK/none.print2.pt" ] || "$PYTHON" reader.py --fold none --init "$WORK/none.print.pt" "${common[@]}" --pseudo "$WORK/pseudo-none.jsonl" \
    --share 0.3 --batch 32 --made 128 --steps 3000 --lr 1.2e-3 --seed 71 --out "$WORK/none.print2.pt"
# how sure it may be, from made copies that trained nothing
(cd ../synth && "$PYTHON" tables.py --out "$WORK/sure" --copies 12 --pictures 84 --seed 1300 --enrol --photos "$PHOTOS")
data=(--data "$WORK"/{hard,tables}/truth-*.jsonl "$PHOTOS"/{tray,table,floor,numbered,crops}.jsonl)
"$PYTHON" export.py --reader "$WORK/none.print2.pt" --name print-reader.onnx "${data[@]}" "${fitted[@]}" --out "$WORK/print2"
sure=$("$PYTHON" sure.py --scenes "$WORK/sure" --model "$WORK/print2/print-reader.onnx" --refiner ../face-refiner.onnx | sed -n 's/^fitted: //p')
# shellcheck disable=SC2086
"$PYTHON" export.py --reader "$WORK/none.print2.pt" --name print-reader.onnx "${data[@]}" "${fitted[@]}" $sure --out ..
