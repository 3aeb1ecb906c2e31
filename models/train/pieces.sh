#!/usr/bin/env bash
# The models that find miniatures, tokens, crystals and dice on surfaces, and read the first three. Steps that are done are not done again. On two
# processor cores about four hours and a half: an hour and a half for the surfaces, one and a half for each lot of the detector's steps, half of one for the judge's; run nothing else beside it.
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
# 3. other copies, and more steps on these. The detector's first 2,500 were made at the learning rate of 10,000 in all, since it was to be
# trained for longer: its checkpoint is taken up with fewer.
(cd ../synth && "$PYTHON" squares.py --out "$WORK/further" --copies 136 --each 24 --seed 7300 --photos "$PHOTOS")
if [ ! -e "$WORK/piece-detector-2.pt" ]; then
    "$PYTHON" pieces.py detector --data "$WORK/further" --init "$WORK/piece-detector.pt" --steps 10000 --stop 2500 --seed 5 --out "$WORK/piece-detector-2.pt"
    "$PYTHON" pieces.py detector --data "$WORK/further" --init "$WORK/piece-detector.pt" --steps 7500 --seed 5 --out "$WORK/piece-detector-2.pt"
fi
[ -e "$WORK/piece-reader-2.pt" ] || "$PYTHON" pieces.py reader --data "$WORK/further" --init "$WORK/piece-reader.pt" --steps 5000 --seed 5 --out "$WORK/piece-reader-2.pt"
# 4. what looks closely at each place that the detector names: on copies that this was not trained on, so that its doubts are those of any copy
(cd ../synth && "$PYTHON" squares.py --out "$WORK/judged" --copies 72 --each 24 --seed 15300 --photos "$PHOTOS")
(cd ../synth && "$PYTHON" squares.py --out "$WORK/judged-2" --copies 112 --each 24 --seed 21900 --photos "$PHOTOS")
[ -e "$WORK/piece-judge.pt" ] || "$PYTHON" judge.py train --data "$WORK/judged:$WORK/judged-2" --detector "$WORK/piece-detector-2.pt" --steps 8000 --out "$WORK/piece-judge.pt"
(cd ../synth && "$PYTHON" squares.py --out "$WORK/weigh" --copies 64 --each 24 --seed 11700 --photos "$PHOTOS")
for views in 1 8; do
    "$PYTHON" judge.py fit --views $views --data "$WORK/weigh" --detector "$WORK/piece-detector-2.pt" --judge "$WORK/piece-judge.pt" | tee "$WORK/both-$views.txt"
done
once=$(sed -n 's/^both: //p' "$WORK/both-1.txt")
several=$(sed -n 's/^both: //p' "$WORK/both-8.txt")
# shellcheck disable=SC2086
"$PYTHON" judge.py test --data "$WORK/further" --detector "$WORK/piece-detector-2.pt" --judge "$WORK/piece-judge.pt" --both $once | tee "$WORK/judged.txt"
judged=$(sed -n 's/^fitted: //p' "$WORK/judged.txt")
# shellcheck disable=SC2086
"$PYTHON" judge.py export --data "$WORK/judged:$WORK/judged-2" --judge "$WORK/piece-judge.pt" --both $once --often $several $judged --out ..
# 5. how right they are on the copies held out, and what likenesses count, fitted on copies that trained nothing
"$PYTHON" pieces.py test --data "$WORK/further" --detector "$WORK/piece-detector-2.pt" --reader "$WORK/piece-reader-2.pt" --threshold 0.35 | tee "$WORK/pieces.txt"
# shellcheck disable=SC2086
"$PYTHON" piece_chances.py --every --judge "$WORK/piece-judge.pt" --both $once --data "$WORK/weigh" --detector "$WORK/piece-detector-2.pt" --reader "$WORK/piece-reader-2.pt" | tee "$WORK/chances.txt"
# shellcheck disable=SC2086
"$PYTHON" piece_chances.py --every --views 8 --judge "$WORK/piece-judge.pt" --both $several --data "$WORK/weigh" --detector "$WORK/piece-detector-2.pt" --reader "$WORK/piece-reader-2.pt" | tee "$WORK/often.txt"
error=$(sed -n 's/^fitted: //p' "$WORK/pieces.txt")
weights=$(sed -n 's/^weights: //p' "$WORK/chances.txt")
often=$(sed -n 's/^weights: //p' "$WORK/often.txt")
# shellcheck disable=SC2086
"$PYTHON" pieces.py export --data "$WORK/further" --detector "$WORK/piece-detector-2.pt" --reader "$WORK/piece-reader-2.pt" $error --weights $weights --often $often --threshold 0.05 --out ..
