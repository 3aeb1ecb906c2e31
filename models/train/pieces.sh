#!/usr/bin/env bash
# The models that find miniatures, tokens, crystals and dice on surfaces, and read the first three. Steps that are done are not done again. On two
# processor cores the first four steps take about four hours and a half: an hour and a half for the surfaces, one and a half for each lot of the detector's steps, half of one for the judge's; run nothing else beside it. How long the others take there was
# not tried, since a GPU did the fifth; its surfaces take about half an hour.
# What was made before ships of more shapes were (saucers, twin hulls, bats' wings) was made with the generator of commit ebf509a: squares, further, judged, judged-2 and weigh.
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
# 5. ships of more shapes, and for longer: on a GPU for 150, 220 and 240 seconds, while the copies were still being made on its machine's processors, so
# that the detector saw 115 of them. The reader then learns on two cores for fifteen minutes more that a ship the other way round is another
(cd ../synth && "$PYTHON" squares.py --out "$WORK/more" --copies 223 --each 24 --seed 41000 --photos "$PHOTOS")
mkdir -p "$WORK/more-first"
for n in $(seq -f %04g 0 114); do ln -sfn "$WORK/more/squares-$n.npz" "$WORK/more-first/"; done
[ -e "$WORK/piece-detector-3.pt" ] || "$PYTHON" pieces.py detector --data "$WORK/more-first" --init "$WORK/piece-detector-2.pt" --batch 64 --steps 3722 --lr 1.5e-3 --seed 7 --out "$WORK/piece-detector-3.pt"
[ -e "$WORK/piece-judge-2.pt" ] || "$PYTHON" judge.py train --data "$WORK/more" --detector "$WORK/piece-detector-3.pt" --init "$WORK/piece-judge.pt" --ways 2 --batch 256 --steps 6305 --workers 2 --lr 1.5e-3 --seed 9 --out "$WORK/piece-judge-2.pt"
[ -e "$WORK/piece-reader-3.pt" ] || "$PYTHON" pieces.py reader --data "$WORK/more" --init "$WORK/piece-reader-2.pt" --batch 16 --steps 3311 --workers 2 --lr 1.5e-3 --seed 8 --out "$WORK/piece-reader-3.pt"
[ -e "$WORK/piece-reader-4.pt" ] || "$PYTHON" pieces.py reader --data "$WORK/judged:$WORK/judged-2" --init "$WORK/piece-reader-3.pt" --batch 6 --steps 2530 --workers 1 --lr 1e-3 --seed 12 --out "$WORK/piece-reader-4.pt"
# 6. what both scores and likenesses count, on copies that trained nothing; how right they are on others
(cd ../synth && "$PYTHON" squares.py --out "$WORK/weigh" --copies 64 --each 24 --seed 11700 --photos "$PHOTOS")
(cd ../synth && "$PYTHON" squares.py --out "$WORK/weigh-2" --copies 35 --each 24 --seed 53000 --photos "$PHOTOS")
(cd ../synth && "$PYTHON" squares.py --out "$WORK/unseen" --copies 17 --each 24 --seed 52000 --photos "$PHOTOS")
detector=$WORK/piece-detector-3.pt judge=$WORK/piece-judge-2.pt reader=$WORK/piece-reader-4.pt
for views in 1 8; do
    "$PYTHON" judge.py fit --views $views --data "$WORK/weigh:$WORK/weigh-2" --detector "$detector" --judge "$judge" | tee "$WORK/both-$views.txt"
done
once=$(sed -n 's/^both: //p' "$WORK/both-1.txt")
several=$(sed -n 's/^both: //p' "$WORK/both-8.txt")
# shellcheck disable=SC2086
"$PYTHON" judge.py test --every --data "$WORK/unseen" --detector "$detector" --judge "$judge" --both $once | tee "$WORK/judged.txt"
judged=$(sed -n 's/^fitted: //p' "$WORK/judged.txt")
# shellcheck disable=SC2086
"$PYTHON" judge.py export --data "$WORK/more" --judge "$judge" --both $once --often $several $judged --out ..
"$PYTHON" pieces.py test --every --data "$WORK/unseen" --detector "$detector" --reader "$reader" --threshold 0.35 | tee "$WORK/pieces.txt"
# likenesses on those with more shapes, and every second of the others
mkdir -p "$WORK/alike"
for n in $(seq -f %04g 0 34); do ln -sfn "$WORK/weigh-2/squares-$n.npz" "$WORK/alike/squares-0$n.npz"; done
for n in $(seq -f %04g 1 2 63); do ln -sfn "$WORK/weigh/squares-$n.npz" "$WORK/alike/squares-1$n.npz"; done
# shellcheck disable=SC2086
"$PYTHON" piece_chances.py --every --judge "$judge" --both $once --data "$WORK/alike" --detector "$detector" --reader "$reader" | tee "$WORK/chances.txt"
# shellcheck disable=SC2086
"$PYTHON" piece_chances.py --every --views 8 --judge "$judge" --both $several --data "$WORK/alike" --detector "$detector" --reader "$reader" | tee "$WORK/often.txt"
error=$(sed -n 's/^fitted: //p' "$WORK/pieces.txt")
weights=$(sed -n 's/^weights: //p' "$WORK/chances.txt")
often=$(sed -n 's/^weights: //p' "$WORK/often.txt")
# shellcheck disable=SC2086
"$PYTHON" pieces.py export --data "$WORK/more" --detector "$detector" --reader "$reader" $error --weights $weights --often $often --threshold 0.05 --out ..
# what tables said was said of the weights before
rm -f "$WORK/recalibrated" "$WORK"/told-still-*.jsonl "$WORK"/told-live-*.jsonl
# 7. how sure ships are on whole tables, read by the program with the models as they are by now (SIGHTLINE: where it was built to)
SIGHTLINE=${SIGHTLINE:-../../target/release/sightline}
(cd ../synth && "$PYTHON" tables.py --out "$WORK/tables-pieces" --copies 24 --pictures 192 --seed 9400 --enrol --photos "$PHOTOS")
for n in $(seq -f %04g 0 22); do
    [ -d "$WORK/copies-pieces/$n" ] || "$SIGHTLINE" enrol --from "$WORK/tables-pieces/copy-$n" --copy "$WORK/copies-pieces/$n" --models ..
    for effort in still live; do
        told=$WORK/told-$effort-$n.jsonl
        [ -s "$told" ] || "$SIGHTLINE" eval --scenes "$WORK/tables-pieces/copy-$n" --copy "$WORK/copies-pieces/$n" --models .. --each --effort $effort > "$told"
    done
done
# once only: what it writes is what it was fitted to, put right
if [ ! -e "$WORK/recalibrated" ]; then
    "$PYTHON" recalibrate.py "$WORK"/told-still-*.jsonl --often --model ../piece-reader.onnx --form ship
    "$PYTHON" recalibrate.py "$WORK"/told-live-*.jsonl --model ../piece-reader.onnx --form ship
    touch "$WORK/recalibrated"
fi
