"""Holds what `sightline read` says of made tables with polyhedral dice (`solids.py --sets`) against their truth.

    python3 score_solids.py --sightline ../../target/release/sightline WORK/sets/set-*

    python3 score_solids.py --fit ../../target/release/examples/candidates --sightline … WORK/sets/set-*      sets that nothing was measured on

Enrols each set anew beside it (`copy-NN`), reads its tables, and prints of the dice whose top face is seen by four fifths how many were found, of the right
shape, read right and sure, by shape; and what is said to be where no such die is.

`--fit` prints what `../train/solid_reader.py --fitted` takes: the chance that a die is there (of the detector's score and the print's likeness) and that its
face is right (of the face's log-odds and its likeness), by logistic regression. The reader must have been exported with sure_odds=1 and no other."""

import argparse
import collections
import json
import math
import pathlib
import subprocess
import sys

import numpy as np


def fitted(rows, is_):
    """Weights of a logistic regression, a little ridge on each."""
    x, y = np.array(rows, float), np.array(is_, float)
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        w += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + 0.1 * np.eye(len(w)), x.T @ (y - p) - 0.1 * w)
    p = np.clip(1 / (1 + np.exp(-x @ w)), 1e-9, 1 - 1e-9)
    return w, float(-(y * np.log(p) + (1 - y) * np.log(1 - p)).mean()), p, y


def logit(p):
    p = min(max(p, 1e-6), 1 - 1e-6)
    return math.log(p / (1 - p))


def fit(a):
    there, is_, right, was = [], [], [], []
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
                    was.append((d["kind"], d["face"]) == (die["kind"], die["value"]))
    w, loss, p, y = fitted(there, is_)
    print(f"{len(is_)} places, {sum(is_)} of them dice: loss {loss:.4f}; said to be there {int((p > 0.5).sum())}, right {int(y[p > 0.5].sum())}")
    v, loss, p, y = fitted(right, was)
    v[0] = max(v[0], 0.1)
    # its tail is no logistic's: of what is then sure one in a hundred may be wrong, and no more
    odds = np.array(right) @ v
    order = np.argsort(-odds)
    wrong = np.cumsum(~np.array(was)[order]) / np.arange(1, len(order) + 1)
    kept = int(np.flatnonzero(wrong <= 0.01)[-1]) if (wrong <= 0.01).any() else 0
    v[2] -= max(odds[order[min(kept + 1, len(order) - 1)]] - logit(0.99), 0)
    p = 1 / (1 + np.exp(-np.array(right) @ v))
    for least in (0.5, 0.9, 0.95, 0.99):
        print(f"  chance {least}: {int((p >= least).sum())}, right {int(y[p >= least].sum())}")
    print(f"{len(was)} readings, {sum(was)} right: loss {loss:.4f}")
    print("fitted: " + " ".join(f"{k}={x:.3f}" for k, x in zip(("there_score", "there_likeness", "there_bias", "sure_odds", "sure_likeness", "sure_bias"), [*w, *v])))


def enrolled(a, folder):
    copy = folder.with_name(folder.name.replace("set", "copy"))
    if not (copy / "copy.toml").exists():
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
