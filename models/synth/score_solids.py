"""Holds what `sightline read` says of made tables with polyhedral dice (`solids.py --sets`) against their truth.

    python3 score_solids.py --sightline ../../target/release/sightline WORK/sets/set-*

    python3 score_solids.py --fit ../../target/release/examples/candidates --sightline … WORK/sets/set-*      sets that nothing was measured on

Enrols each set anew beside it (`copy-NN`), reads its tables, and prints of the dice whose top face is seen by four fifths how many were found, of the right
shape, read right and sure, by shape; and what is said to be where no such die is.

`--fit` prints what `../train/face_reader.py --fitted` takes: the chance that a die is there (of the detector's score and the print's likeness) and that its
face is right (of the face's log-odds and its likeness), by logistic regression. The reader must have been exported with sure_odds=1 and no other."""

import argparse
import collections
import json
import math
import pathlib
import shutil
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "train"))
from fit import logistic  # noqa: E402


FEW = 20  # readings, all right


def logit(p):
    p = min(max(p, 1e-6), 1 - 1e-6)
    return math.log(p / (1 - p))


def fit(a):
    there, is_, right, was, shapes = [], [], [], [], []
    for folder in a.sets:
        copy = enrolled(a, folder)
        truth = [json.loads(line) for line in (folder / "truth.jsonl").open()]
        said = subprocess.run([a.fit, copy, *[folder / "tables" / t["image"] for t in truth]], capture_output=True, text=True, check=True)
        for t, line in zip(truth, said.stdout.splitlines()):
            for d in json.loads(line)["dice"]:
                if d["shape"] in ("d6", "octahedron"):
                    continue
                c = np.mean(d["polygon"], 0)
                near = [(np.hypot(*(c - np.mean(die["poly"], 0))) / math.sqrt(die["box"][2] * die["box"][3]), i) for i, die in enumerate(t["dice"])]
                best = min(near, default=(9, 0))
                die = t["dice"][best[1]] if best[0] < 0.5 else None
                if die is not None and die["visible"] < 0.5:
                    continue
                there.append([logit(d["score"]), d["likeness"], 1])
                is_.append(die is not None)
                if die is not None and d["kind"]:
                    right.append([logit(d["confidence"]), d["likeness"] - 0.9, 1])
                    shapes.append(d["shape"])
                    was.append((d["kind"], d["face"]) == (die["kind"], die["value"]))
    is_, was = np.array(is_), np.array(was)
    w = logistic(np.array(there), is_, 0.1)
    said = np.array(there) @ w > 0
    print(f"{len(is_)} places, {is_.sum()} of them dice; said to be there {said.sum()}, right {is_[said].sum()}")
    v = logistic(np.array(right), was, 0.1)
    # its tail is no logistic's, and a side that is taken for the top is read as surely: of each shape, of what is sure then, one in a hundred may be
    # wrong, and no more
    odds, shapes, biases = np.array(right) @ v, np.array(shapes), {}
    for shape in ("d4", "d8", "d10", "d12", "d20"):
        of = shapes == shape
        order = np.argsort(-odds[of])
        wrong = np.cumsum(~was[of][order]) / np.arange(1, len(order) + 1)
        few = np.flatnonzero(wrong <= 0.01)
        # fewer than can show it are no reason to believe any
        kept = odds[of][order[few[-1]]] if len(few) and few[-1] >= FEW else odds[of].max() + 1
        less = max(kept - logit(0.99), 0)
        odds[of] -= less
        biases[f"sure_bias_{shape}"] = v[2] - less
        sure = of & (odds >= logit(0.99) - 1e-9)
        print(f"  {shape}: {of.sum()} readings, {was[of].sum()} right; sure {sure.sum()}, right {was[sure].sum()}")
    print(f"{len(was)} readings, {was.sum()} right")
    print("fitted: " + " ".join(f"{k}={x:.3f}" for k, x in [*zip(("there_score", "there_likeness", "there_bias", "sure_odds", "sure_likeness", "sure_bias"), [*w, *v]), *biases.items()]))


def enrolled(a, folder):
    copy = folder.with_name(folder.name.replace("set", "copy"))
    # one that is there was cut out by whatever models there were then
    shutil.rmtree(copy, ignore_errors=True)
    subprocess.run([a.sightline, "enrol", "--from", folder, "--copy", copy], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return copy


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("sets", nargs="+", type=pathlib.Path)
    a.add_argument("--sightline", default="sightline")
    a.add_argument("--fit", metavar="CANDIDATES", help="fits chances instead, with this program")
    a = a.parse_args()
    if a.fit:
        fit(a)
        return
    n = collections.Counter()
    for folder in a.sets:
        copy = enrolled(a, folder)
        truth = [json.loads(line) for line in (folder / "truth.jsonl").open()]
        pictures = [folder / "tables" / t["image"] for t in truth]
        said = subprocess.run([a.sightline, "read", "--copy", copy, "--json", *pictures], capture_output=True, text=True, check=False)
        if said.returncode:
            sys.exit(said.stderr)
        for t, line in zip(truth, said.stdout.splitlines()):
            read = [d for d in json.loads(line)["dice"] if d["shape"] not in ("d6", "octahedron")]
            taken = set()
            for die in t["dice"]:
                p, (x, y, w, h) = np.array(die["poly"]), die["box"]
                near = [(np.hypot(*(np.mean(d["polygon"], 0) - p.mean(0))), i) for i, d in enumerate(read) if i not in taken]
                near = min((q for q in near if q[0] < 0.5 * math.sqrt(w * h)), default=None)
                whole = 0 <= x and 0 <= y and x + w < 1280 and y + h < 720
                what = die["shape"] if whole and die["visible"] >= 0.8 else "not wholly seen"
                n[what, "dice"] += 1
                if near is None:
                    continue
                taken.add(near[1])
                d = read[near[1]]
                right = (d["kind"], d["face"]) == (die["kind"], die["value"])
                sure = d["status"] == "sure"
                for column, yes in [("found", True), ("shape", d["shape"] == die["shape"]), ("right", right), ("sure", sure), ("wrong and sure", sure and not right)]:
                    n[what, column] += yes
            for i, d in enumerate(read):
                if i not in taken:
                    n["where none is", "found"] += 1
                    n["where none is", "wrong and sure"] += d["status"] == "sure"
    columns = ["dice", "found", "shape", "right", "sure", "wrong and sure"]
    print("".ljust(16), *(c.rjust(8) for c in columns))
    for what in ["d4", "d8", "d10", "d12", "d20", "not wholly seen", "where none is"]:
        print(what.ljust(16), *(str(n[what, c]).rjust(max(8, len(c))) for c in columns))


if __name__ == "__main__":
    main()
