#!/usr/bin/env bash
# Everything that makes the two models again, held-out ones too. Steps that are done are not done again;
# a step that was stopped goes on where it can. On two processor cores: made pictures about 25 minutes,
# shared training 20, each fold about 6, five folds.
#   PHOTOS=../../../shared/photos WORK=../work ./all.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=${PHOTOS:-../../../shared/photos}
WORK=${WORK:-../work}
mkdir -p "$WORK"
PYTHON=${PYTHON:-python3}
args=(--synth "$WORK/synth" --photos "$PHOTOS")

step() { # FILE COMMAND...: runs the command unless the file is there
    local file=$1
    shift
    [ -e "$file" ] && return
    echo "== $file"
    "$@"
}

# 1. made pictures: two runs, the second with printed boards among the grounds
if [ ! -e "$WORK/synth/done" ]; then
    (cd ../synth && "$PYTHON" scenes.py --out "$(realpath "$WORK")/synth" --count 2600 --seed 1 --photos "$(realpath "$PHOTOS")")
    (cd ../synth && "$PYTHON" scenes.py --out "$(realpath "$WORK")/synth" --first 10000 --count 1100 --seed 2 --photos "$(realpath "$PHOTOS")")
    touch "$WORK/synth/done"
fi
# 2. what sees no measured scene: a detector, top faces on photographs found by it, a reader
step "$WORK/base1.pt" "$PYTHON" detector.py --base "${args[@]}" --steps 3000 --out "$WORK/base1.pt"
step "$WORK/pseudo1.jsonl" "$PYTHON" pseudo.py --net "$WORK/base1.pt" --photos "$PHOTOS" --out "$WORK/pseudo1.jsonl"
step "$WORK/rbase.pt" "$PYTHON" reader.py "${args[@]}" --pseudo "$WORK/pseudo1.jsonl" --fold none --share 0 --steps 2500 --out "$WORK/rbase.pt"
step "$WORK/base2.pt" "$PYTHON" detector.py --base "${args[@]}" --init "$WORK/base1.pt" --steps 2000 --lr 1e-3 --seed 2 --out "$WORK/base2.pt"
step "$WORK/pseudo2.jsonl" "$PYTHON" pseudo.py --net "$WORK/base2.pt" --photos "$PHOTOS" --out "$WORK/pseudo2.jsonl"
# 3. each fold leaves one scene out; `none` leaves none out and ships
for fold in tray none office-table catan-board floor; do
    step "$WORK/$fold.det.pt" "$PYTHON" detector.py --fold $fold "${args[@]}" --init "$WORK/base2.pt" --pseudo "$WORK/pseudo2.jsonl" --steps 700 --lr 6e-4 --seed 3 --out "$WORK/$fold.det.pt"
    step "$WORK/$fold.read1.pt" "$PYTHON" reader.py --fold $fold "${args[@]}" --init "$WORK/rbase.pt" --pseudo "$WORK/pseudo2.jsonl" --steps 2200 --seed 4 --out "$WORK/$fold.read1.pt"
    step "$WORK/$fold.read.pt" "$PYTHON" reader.py --fold $fold "${args[@]}" --init "$WORK/$fold.read1.pt" --pseudo "$WORK/pseudo2.jsonl" --steps 2000 --seed 5 --out "$WORK/$fold.read.pt"
done
# 4. ONNX
export_fold() { # FOLD OUT MORE...
    local fold=$1 out=$2
    shift 2
    "$PYTHON" export.py --detector "$WORK/$fold.det.pt" --reader "$WORK/$fold.read.pt" --data "$WORK"/synth/truth-*.jsonl "$PHOTOS"/{tray,table,floor,numbered,crops}.jsonl \
        --scale 12 --threshold 0.5 --out "$out" "$@"
}
export_fold none ..
for fold in tray office-table catan-board floor; do
    export_fold $fold ../held-out/$fold --half
done
