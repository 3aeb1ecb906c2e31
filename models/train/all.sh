#!/usr/bin/env bash
# Everything that makes the two models again, held-out ones too. Steps that are done are not done again;
# a step that was stopped goes on where it can. On two processor cores: made pictures about 40 minutes,
# shared training 75, each fold about 10, five folds, fitting 3.
#   PHOTOS=../../../shared/photos WORK=../work ./all.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=${PHOTOS:-../../../shared/photos}
WORK=${WORK:-../work}
mkdir -p "$WORK"
PYTHON=${PYTHON:-python3}
args=(--synth "$WORK/synth" "$WORK/synth3" --photos "$PHOTOS")

step() { # FILE COMMAND...: runs the command unless the file is there
    local file=$1
    shift
    [ -e "$file" ] && return
    echo "== $file"
    "$@"
}

make_pictures() { # FOLDER FIRST COUNT SEED MORE...
    [ -e "$WORK/$1/done-$2" ] && return
    (cd ../synth && "$PYTHON" scenes.py --out "$(realpath -m "$WORK")/$1" --first "$2" --count "$3" --seed "$4" "${@:5}" --photos "$(realpath "$PHOTOS")")
    touch "$WORK/$1/done-$2"
}

# 1. made pictures; the last lot is trained on by nothing, for `eval --set made`
make_pictures synth 0 2600 1
make_pictures synth 10000 1100 2
make_pictures synth3 20000 3400 3
make_pictures synth4 30000 2000 4 --hard
make_pictures fit 90000 300 99
"$PYTHON" fit.py --made "$WORK/fit"
# 2. what sees no measured scene: a detector, what it finds on photographs and where it is taken in, a reader
step "$WORK/base1.pt" "$PYTHON" detector.py --base "${args[@]}" --steps 3000 --out "$WORK/base1.pt"
step "$WORK/base2.pt" "$PYTHON" detector.py --base "${args[@]}" --init "$WORK/base1.pt" --steps 2000 --lr 1e-3 --seed 2 --out "$WORK/base2.pt"
step "$WORK/base3.pt" "$PYTHON" detector.py --base "${args[@]}" --init "$WORK/base2.pt" --steps 4200 --lr 1.5e-3 --seed 11 --out "$WORK/base3.pt"
step "$WORK/pseudo3.jsonl" "$PYTHON" pseudo.py --net "$WORK/base3.pt" --photos "$PHOTOS" --out "$WORK/pseudo3.jsonl"
step "$WORK/negatives.jsonl" "$PYTHON" negatives.py --net "$WORK/base3.pt" "${args[@]}" --out "$WORK/negatives.jsonl"
reader=("${args[@]}" --pseudo "$WORK/pseudo3.jsonl" --negatives "$WORK/negatives.jsonl")
step "$WORK/rbase2.pt" "$PYTHON" reader.py --fold none "${reader[@]}" --share 0 --steps 5000 --seed 12 --out "$WORK/rbase2.pt"
step "$WORK/rbase3.pt" "$PYTHON" reader.py --fold none "${reader[@]}" --init "$WORK/rbase2.pt" --share 0 --steps 6000 --lr 2e-3 --seed 15 --out "$WORK/rbase3.pt"
# then again on the harder lot: dark, marbled, well rounded dice, and pictures of solid things
args=(--synth "$WORK/synth3" "$WORK/synth4" --photos "$PHOTOS")
step "$WORK/base4.pt" "$PYTHON" detector.py --base "${args[@]}" --init "$WORK/base3.pt" --steps 2600 --lr 1e-3 --seed 21 --out "$WORK/base4.pt"
step "$WORK/pseudo4.jsonl" "$PYTHON" pseudo.py --net "$WORK/base4.pt" --photos "$PHOTOS" --out "$WORK/pseudo4.jsonl"
step "$WORK/negatives4.jsonl" "$PYTHON" negatives.py --net "$WORK/base4.pt" "${args[@]}" --out "$WORK/negatives4.jsonl"
reader=("${args[@]}" --pseudo "$WORK/pseudo4.jsonl" --negatives "$WORK/negatives4.jsonl")
step "$WORK/rbase4.pt" "$PYTHON" reader.py --fold none "${reader[@]}" --init "$WORK/rbase3.pt" --share 0 --steps 5500 --lr 1.5e-3 --seed 22 --out "$WORK/rbase4.pt"
# 3. each fold leaves one scene out; `none` leaves none out and ships
for fold in tray catan-board office-table none floor; do
    step "$WORK/$fold.det4.pt" "$PYTHON" detector.py --fold $fold "${args[@]}" --init "$WORK/base4.pt" --pseudo "$WORK/pseudo4.jsonl" --steps 900 --lr 8e-4 --seed 23 --out "$WORK/$fold.det4.pt"
    step "$WORK/$fold.read6.pt" "$PYTHON" reader.py --fold $fold "${reader[@]}" --init "$WORK/rbase4.pt" --share 0.4 --steps 1800 --lr 1.2e-3 --seed 24 --out "$WORK/$fold.read6.pt"
done
# 4. ONNX: first with nothing decided, to fit on; then with what was fitted without the scene it is for
export_fold() { # FOLD OUT FITTED...
    local fold=$1 out=$2
    shift 2
    "$PYTHON" export.py --detector "$WORK/$fold.det4.pt" --reader "$WORK/$fold.read6.pt" --data "$WORK"/synth*/truth-*.jsonl "$PHOTOS"/{tray,table,floor,numbered,crops}.jsonl \
        --threshold 0.3 --out "$out" "$@"
}
sightline=${SIGHTLINE:-../../target/release/sightline}
scales=(16 18 20 22 24 26 28)
each=()
for scale in "${scales[@]}"; do
    for fold in tray office-table catan-board floor; do
        export_fold $fold "$WORK/undecided/$scale/$fold" --scale $scale --near -1 --there 0 0 9
    done
    "$sightline" eval --photos "$PHOTOS" --held-out "$WORK/undecided/$scale" --errata ../errata.jsonl --each >"$WORK/each-$scale.jsonl"
    each+=(--each $scale "$WORK/each-$scale.jsonl")
done
for fold in tray none office-table catan-board floor; do
    fitted=($("$PYTHON" fit.py "${each[@]}" --photos "$PHOTOS" --without $fold))
    if [ $fold = none ]; then export_fold none .. "${fitted[@]}"; else export_fold $fold ../held-out/$fold "${fitted[@]}" --without $fold --half; fi
done
