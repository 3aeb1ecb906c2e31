#!/usr/bin/env bash
# Makes solid-detector.onnx, solid-refiner.onnx and solid-reader.onnx again, and what they are measured on; after all.sh, whose detector of cubes the
# first starts from. Steps that are done are not done again. On two processor cores about four hours (pictures twenty minutes, single dice eighteen, the detector an hour and a
# half a lot, the reader forty minutes, the refiner twenty); where there is a GPU its lots take minutes.
#   PHOTOS=../../../shared/photos WORK=../work ./solids.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=$(realpath "${PHOTOS:-../../../shared/photos}")
WORK=$(realpath -m "${WORK:-../work}")
PYTHON=${PYTHON:-python3}
INIT=${INIT:-$WORK/floor.det4.pt}
# what the print reader of 441600f was exported from
READER=${READER:-$WORK/none.print2.pt}
sightline=${SIGHTLINE:-../../target/release/sightline}
candidates=$(dirname "$sightline")/examples/candidates

step() { # FILE COMMAND...: runs the command unless the file is there
    local file=$1
    shift
    [ -e "$file" ] && return
    echo "== $file"
    "$@"
}

made() { (cd ../synth && "$PYTHON" solids.py --photos "$PHOTOS" "$@"); }
made --out "$WORK/solids" --count 3000 --seed 41
made --out "$WORK/solids-2" --count 1996 --seed 45
made --out "$WORK/solidsval" --count 160 --seed 43
made --faces "$WORK/solid-faces" --count 787 --seed 61
made --faces "$WORK/solid-faces-test" --count 24 --seed 62
learn() { "$PYTHON" solids.py --photos "$PHOTOS" "$@"; }
step "$WORK/solids.pt" learn --synth "$WORK/solids" --init "$INIT" --steps 3000 --seed 51 --out "$WORK/solids.pt"
step "$WORK/solids3.pt" learn --synth "$WORK/solids" --init "$WORK/solids.pt" --steps 1150 --seed 53 --out "$WORK/solids3.pt"
# these two ran on a GPU, for 288 and 415 seconds beside each other
step "$WORK/solids5.pt" learn --synth "$WORK/solids-2" --init "$WORK/solids3.pt" --steps 7172 --batch 128 --seed 55 --out "$WORK/solids5.pt"
step "$WORK/solid-reader.pt" "$PYTHON" face_reader.py --faces "$WORK/solid-faces" --init "$READER" --steps 15789 --batch 768 --seed 71 --out "$WORK/solid-reader.pt"
step "$WORK/solid-refiner.pt" "$PYTHON" solid_refiner.py --synth "$WORK/solids" --test "$WORK/solidsval" --steps 4000 --out "$WORK/solid-refiner.pt"
"$PYTHON" solids.py --test "$WORK/solidsval" --net "$WORK/solids5.pt"
"$PYTHON" face_reader.py --test "$WORK/solid-faces-test" --net "$WORK/solid-reader.pt"
"$PYTHON" solids.py --export "$WORK/solids5.pt" --synth "$WORK/solids" --out ../solid-detector.onnx
"$PYTHON" solid_refiner.py --net "$WORK/solid-refiner.pt" --synth "$WORK/solids" --export ../solid-refiner.onnx
"$PYTHON" quantize.py --weights ../solid-refiner.onnx --synth "$WORK/solidsval"
reader() { "$PYTHON" face_reader.py --export "$WORK/solid-reader.pt" --faces "$WORK/solid-faces" --fitted scale=24 near=0.4 "$@" --out ../solid-reader.onnx; }
# chances, on copies that nothing was trained or is measured on; then whole copies, enrolled and read
reader there_score=1 there_likeness=0 there_bias=0.85 sure_odds=1
made --sets "$WORK/solid-fit" --count 5 --pictures 24 --seed 4500
fitted=$("$PYTHON" ../synth/score_solids.py --fit "$candidates" --sightline "$sightline" "$WORK"/solid-fit/set-* | tee /dev/stderr | sed -n 's/^fitted: //p')
# shellcheck disable=SC2086
reader $fitted
made --sets "$WORK/solid-sets" --count 3 --pictures 20 --seed 4300
"$PYTHON" ../synth/score_solids.py --sightline "$sightline" "$WORK"/solid-sets/set-*
