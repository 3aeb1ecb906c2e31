#!/usr/bin/env bash
# From the models of commit cbde85f (all.sh makes them; they lie in `models` and `models/held-out` there) to those
# that ship: detectors trained on with made tables and turned views, readers as they were, all fitted anew. Steps
# that are done are not done again. On two processor cores about an hour and a half.
#   PHOTOS=../../../shared/photos WORK=../work FROM=DIR-WITH-THOSE-MODELS ./further.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=$(realpath "${PHOTOS:-../../../shared/photos}")
WORK=$(realpath -m "${WORK:-../work}")
FROM=$(realpath "${FROM:?a folder with the models of commit cbde85f: dice-*.onnx and held-out/}")
PYTHON=${PYTHON:-python3}
sightline=${SIGHTLINE:-../../target/release/sightline}
mkdir -p "$WORK"

folds=(tray office-table catan-board floor none)
of() { if [ "$1" = none ]; then echo "$FROM"; else echo "$FROM/held-out/$1"; fi; }

# 1. made pictures: hard ones, and whole tables of copies that nobody owns
[ -e "$WORK/hard/done" ] || { (cd ../synth && "$PYTHON" scenes.py --out "$WORK/hard" --first 30000 --count 500 --seed 4 --hard --photos "$PHOTOS"); touch "$WORK/hard/done"; }
[ -e "$WORK/tables/done" ] || { (cd ../synth && "$PYTHON" tables.py --out "$WORK/tables" --copies 20 --pictures 200 --seed 500 --photos "$PHOTOS"); touch "$WORK/tables/done"; }
# 2. each fold's detector says where top faces are on the photographs, and is trained on
for fold in "${folds[@]}"; do
    from=$(of "$fold")
    [ -e "$WORK/pseudo-$fold.jsonl" ] || { "$PYTHON" pseudo.py --net "$from/dice-detector.onnx" --photos "$PHOTOS" --out "$WORK/pseudo.part"; mv "$WORK/pseudo.part" "$WORK/pseudo-$fold.jsonl"; }
    [ -e "$WORK/$fold.det.pt" ] || "$PYTHON" detector.py --fold "$fold" --synth "$WORK/hard" "$WORK/tables" --photos "$PHOTOS" \
        --pseudo "$WORK/pseudo-$fold.jsonl" --init "$from/dice-detector.onnx" --steps 700 --lr 1e-3 --seed 41 --threads 1 --out "$WORK/$fold.det.pt"
done
# 3. ONNX: first with nothing decided, to fit on; then with what was fitted without the scene it is for
export_fold() { # FOLD OUT FITTED...
    local fold=$1 out=$2
    shift 2
    "$PYTHON" export.py --detector "$WORK/$fold.det.pt" --reader "$(of "$fold")/dice-reader.onnx" \
        --data "$WORK"/{hard,tables}/truth-*.jsonl "$PHOTOS"/{tray,table,floor,numbered,crops}.jsonl --threshold 0.3 --out "$out" "$@"
}
each=()
for scale in 14 16 18 20; do
    for fold in tray office-table catan-board floor; do
        export_fold $fold "$WORK/undecided/$scale/$fold" --scale $scale --near -1 --there 0 0 9 --half
    done
    [ -e "$WORK/each-$scale.jsonl" ] || { "$sightline" eval --photos "$PHOTOS" --held-out "$WORK/undecided/$scale" --errata ../errata.jsonl --each >"$WORK/each.part"; mv "$WORK/each.part" "$WORK/each-$scale.jsonl"; }
    each+=(--each $scale "$WORK/each-$scale.jsonl")
done
for fold in "${folds[@]}"; do
    fitted=($("$PYTHON" fit.py "${each[@]}" --photos "$PHOTOS" --without $fold))
    if [ $fold = none ]; then export_fold none .. "${fitted[@]}"; else export_fold $fold ../held-out/$fold "${fitted[@]}" --without $fold --half; fi
done
