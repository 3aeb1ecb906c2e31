#!/usr/bin/env bash
# From the detectors of commit 441600f (further.sh makes them; floats, they lie in `models` and `models/held-out` there) to those that
# ship: half way (between.py) to each fold's trained 2,500 steps more, two thirds of the made views from whole tables of forty copies more. On one processor core that has
# bfloat16 twelve minutes a fold, and twenty-five for the pictures; then quantize.sh. Steps that are done are not done again.
#   PHOTOS=../../../shared/photos WORK=../work FROM=DIR-WITH-THOSE-MODELS ./longer.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=$(realpath "${PHOTOS:-../../../shared/photos}")
WORK=$(realpath -m "${WORK:-../work}")
FROM=$(realpath "${FROM:?a folder with the models of commit 441600f: dice-detector.onnx and held-out/}")
PYTHON=${PYTHON:-python3}
mkdir -p "$WORK"

[ -e "$WORK/hard/done" ] || { (cd ../synth && "$PYTHON" scenes.py --out "$WORK/hard" --first 30000 --count 500 --seed 4 --hard --photos "$PHOTOS"); touch "$WORK/hard/done"; }
(cd ../synth && "$PYTHON" tables.py --out "$WORK/tables-5200" --copies 40 --pictures 400 --seed 5200 --photos "$PHOTOS")
for fold in tray office-table catan-board floor none; do
    if [ $fold = none ]; then net=$FROM/dice-detector.onnx out=.. without=(); else net=$FROM/held-out/$fold/dice-detector.onnx out=../held-out/$fold without=(--without $fold); fi
    [ -e "$WORK/pseudo-441600f-$fold.jsonl" ] || { "$PYTHON" pseudo.py --net "$net" --photos "$PHOTOS" --out "$WORK/pseudo.part"; mv "$WORK/pseudo.part" "$WORK/pseudo-441600f-$fold.jsonl"; }
    # twice as many views of tables as of hard scenes
    [ -e "$WORK/$fold.longer.pt" ] || "$PYTHON" detector.py --fold $fold --synth "$WORK/hard" "$WORK"/tables-5200{,} --photos "$PHOTOS" --pseudo "$WORK/pseudo-441600f-$fold.jsonl" \
        --init "$net" --steps 2500 --lr 1e-3 --seed 42 --threads 1 --out "$WORK/$fold.longer.pt"
    # once: quantize.sh makes 8 bits of it
    [ -e "$WORK/longer/$fold/done" ] || {
        "$PYTHON" export.py --detector "$WORK/$fold.longer.pt" --data "$WORK"/{hard,tables-5200}/truth-*.jsonl "$PHOTOS"/{tray,table,floor,numbered,crops}.jsonl --out "$WORK/longer/$fold" "${without[@]}"
        "$PYTHON" between.py "$net" "$WORK/longer/$fold/dice-detector.onnx" "$out/dice-detector.onnx"
        touch "$WORK/longer/$fold/done"
    }
done
