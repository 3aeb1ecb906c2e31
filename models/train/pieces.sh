#!/usr/bin/env bash
# The models that find miniatures, tokens, crystals and dice on surfaces, and read the first three. Steps that are done are not done again. On two
# processor cores about an hour and a half.
#   PHOTOS=../../../shared/photos WORK=../work ./pieces.sh
set -euo pipefail
cd "$(dirname "$0")"
PHOTOS=$(realpath "${PHOTOS:-../../../shared/photos}")
WORK=$(realpath -m "${WORK:-../work}")
PYTHON=${PYTHON:-python3}
mkdir -p "$WORK"
# 1. surfaces of copies that nobody owns, laid flat, with what stands on them; every eighth copy is held out
(cd ../synth && "$PYTHON" squares.py --out "$WORK/squares" --copies 120 --each 24 --seed 700 --photos "$PHOTOS")
# 2. where what stands, and what is what
[ -e "$WORK/piece-detector.pt" ] || "$PYTHON" pieces.py detector --data "$WORK/squares" --steps 4200 --out "$WORK/piece-detector.pt"
[ -e "$WORK/piece-reader.pt" ] || "$PYTHON" pieces.py reader --data "$WORK/squares" --steps 4000 --out "$WORK/piece-reader.pt"
# 3. how right they are on the copies held out, and what is fitted on them: scale, none, error
"$PYTHON" pieces.py test --data "$WORK/squares" --detector "$WORK/piece-detector.pt" --reader "$WORK/piece-reader.pt" | tee "$WORK/pieces.txt"
fitted=$(sed -n 's/^fitted: //p' "$WORK/pieces.txt")
# shellcheck disable=SC2086
"$PYTHON" pieces.py export --data "$WORK/squares" --detector "$WORK/piece-detector.pt" --reader "$WORK/piece-reader.pt" $fitted --out ..
