#!/usr/bin/env bash
# The model that refines outlines of top faces. Steps that are done are not done again. On two processor cores about an
# hour.
#   PHOTOS=../../../shared/photos WORK=../work ./refiner.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=$(realpath "${PHOTOS:-../../../shared/photos}")
WORK=$(realpath -m "${WORK:-../work}")
PYTHON=${PYTHON:-python3}
mkdir -p "$WORK"
tables() { (cd ../synth && "$PYTHON" tables.py --out "$WORK/$1" --copies "$2" --pictures "$3" --seed "$4" "${@:5}" --photos "$PHOTOS"); }
# whole tables of copies that nobody owns and dice on anything (photographs of rooms are their grounds and lights); other
# tables to test on
tables outlines 64 512 3000
tables outlines-more 96 768 3100
(cd ../synth && "$PYTHON" scenes.py --out "$WORK/outlines-hard" --first 40000 --count 350 --seed 6 --hard --photos "$PHOTOS")
tables outlines-test 6 48 2100 --enrol
all=("$WORK/outlines" "$WORK/outlines-more" "$WORK/outlines-hard")
# as it was made: first from the first folder alone
[ -e "$WORK/refiner-first.pt" ] || "$PYTHON" refiner.py --synth "$WORK/outlines" --test "$WORK/outlines-test" --steps 4000 --out "$WORK/refiner-first.pt"
[ -e "$WORK/refiner.pt" ] || "$PYTHON" refiner.py --net "$WORK/refiner-first.pt" --synth "${all[@]}" --test "$WORK/outlines-test" --steps 4200 --lr 1.2e-3 --seed 82 --out "$WORK/refiner.pt"
"$PYTHON" refiner.py --net "$WORK/refiner.pt" --test "$WORK/outlines-test"
"$PYTHON" refiner.py --net "$WORK/refiner.pt" --data "$WORK"/outlines{,-more,-hard}/truth-*.jsonl --export ..
