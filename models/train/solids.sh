#!/usr/bin/env bash
# Makes solid-detector.onnx again, and what it is measured on; after all.sh, whose detector of cubes it starts from. On two processor cores: pictures
# ten minutes, training half an hour a lot.
#   PHOTOS=../../../shared/photos WORK=../work ./solids.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=$(realpath "${PHOTOS:-../../../shared/photos}")
WORK=$(realpath -m "${WORK:-../work}")
PYTHON=${PYTHON:-python3}
INIT=${INIT:-$WORK/floor.det4.pt}

step() { # FILE COMMAND...: runs the command unless the file is there
    local file=$1
    shift
    [ -e "$file" ] && return
    echo "== $file"
    "$@"
}

made() { (cd ../synth && "$PYTHON" solids.py --photos "$PHOTOS" "$@"); }
made --out "$WORK/solids" --count 3000 --seed 41
made --out "$WORK/solidsval" --count 160 --seed 43
learn() { "$PYTHON" solids.py --synth "$WORK/solids" --photos "$PHOTOS" "$@"; }
step "$WORK/solids.pt" learn --init "$INIT" --steps 3000 --seed 51 --out "$WORK/solids.pt"
step "$WORK/solids3.pt" learn --init "$WORK/solids.pt" --steps 1150 --seed 53 --out "$WORK/solids3.pt"
"$PYTHON" solids.py --test "$WORK/solidsval" --net "$WORK/solids3.pt"
"$PYTHON" solids.py --export "$WORK/solids3.pt" --synth "$WORK/solids" --out ../solid-detector.onnx
# whole copies, enrolled and read
made --sets "$WORK/solid-sets" --count 3 --pictures 20 --seed 4200
"$PYTHON" ../synth/score_solids.py --sightline "${SIGHTLINE:-../../target/release/sightline}" "$WORK"/solid-sets/set-*
