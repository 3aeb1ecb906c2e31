"""Fits what turns scores into chances, never on the scene that it is used for.

    python fit.py --each SCALE each-SCALE.jsonl --each ... --photos PHOTOS [--without tray]

`each-SCALE.jsonl`: `sightline eval --photos PHOTOS --held-out DIR --each`, every scene read by models
that never saw it and that carry that scale. Prints the arguments for export.py:

  scale   likeness to log-chance: of those tried the largest at which no more than 0.3 % of the dice are
          read wrong and sure, or the least
  there   logistic regression of "a die is here" on the detector's log-odds and the likeness; its bias such that on the
          scenes it is fitted on FALSE dice a picture are seen where none is (wanted are at most 0.1)
  near    the likeness that 99 in 100 right readings reach

`fit.py --each … --held-out` prints instead, for each scene, what the fit on the others makes of it: of the dice that
were detected how many are taken for dice, and of those how many are right, sure, wrong and sure.

`fit.py --made DIR` writes the list of a folder of made pictures, for `eval --set made`.
"""
import argparse
import json
import math
import os
import sys

import numpy as np

SURE = 0.99
ALLOWED = 0.003
FALSE = 0.08


def made(folder):
    """A list in the format of `photos` for a folder of made pictures."""
    with open(os.path.join(folder, "made.jsonl"), "w") as f:
        for name in sorted(os.listdir(folder)):
            if not name.startswith("truth"):
                continue
            for line in open(os.path.join(folder, name)):
                t = json.loads(line)
                dice = [dict(box=d["box"], kind="d6" if d["kind"] == "pips" else d["kind"], value=d["value"]) for d in t["dice"] if d["visible"] > 0.02]
                f.write(json.dumps(dict(image=t["image"], width=512, height=512, scene="made", dice=dice)) + "\n")


def scene(r):
    return "tray" if r["set"] == "tray" else r["scene"]


def logistic(x, y, ridge=1e-3):
    """Weights by Newton's method; x has a column of ones."""
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        g = x.T @ (p - y) + ridge * w
        h = (x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(w))
        d = np.linalg.solve(h, g)
        w -= d
        if np.abs(d).max() < 1e-8:
            break
    return w


def readable(rows):
    return [r for r in rows if r["die"] and r["counts"] and r["kind"] == "d6" and r["value"] is not None]


def wrong_and_sure(rows):
    read = readable(rows)
    return sum(r["confidence"] >= SURE and r["face"] != str(r["value"]) for r in read) / len(read)


def pictures(photos):
    """How many there are of each scene: those in which nothing was found are in no list of readings."""
    out = {}
    for name in ("tray", "table", "floor"):
        for line in open(os.path.join(photos, name + ".jsonl")):
            place = scene(dict(set=name, scene=json.loads(line).get("scene") or name))
            out[place] = out.get(place, 0) + 1
    return out


def fit(rows, of):
    judged = [r for r in rows if not r["die"] or r["counts"]]
    x = np.array([[math.log(r["score"] / (1 - r["score"])), r["likeness"], 1.0] for r in judged])
    there = logistic(x, np.array([float(r["die"]) for r in judged]))
    false = np.sort(x[[not r["die"] for r in judged]] @ there)[::-1]
    seen = int(FALSE * sum(of[s] for s in {scene(r) for r in rows}))
    there[2] -= false[min(seen, len(false) - 1)]
    near = np.quantile([r["likeness"] for r in readable(rows) if r["face"] == str(r["value"])], 0.01)
    return there, near


def chosen(tried, of):
    """The scale, with what is fitted at it."""
    scale = max([s for s in tried if wrong_and_sure(tried[s]) <= ALLOWED], default=min(tried))
    return scale, *fit(tried[scale], of)


def held_out(each, of):
    """What each scene's dice become with what was fitted on the other scenes."""
    total, false = np.zeros(5, int), 0
    for place in sorted({scene(r) for r in next(iter(each.values()))}):
        scale, there, near = chosen({s: [r for r in rows if scene(r) != place] for s, rows in each.items()}, of)
        dice = readable([r for r in each[scale] if scene(r) == place])
        is_there = lambda r: there @ [math.log(r["score"] / (1 - r["score"])), r["likeness"], 1.0] > 0
        taken = [r for r in dice if is_there(r)]
        false += sum(is_there(r) for r in each[scale] if scene(r) == place and not r["die"])
        right = lambda r: r["face"] == str(r["value"])
        sure = [r for r in taken if r["confidence"] >= SURE and r["likeness"] >= near]
        counts = np.array([len(dice), len(taken), sum(map(right, taken)), len(sure), sum(not right(r) for r in sure)])
        total += counts
        print(place, f"at scale {scale}:", *counts)
    n, taken, right, sure, wrong = total
    print(f"{n} detected, taken for dice {taken / n:.4f}; of those right {right / taken:.4f}, sure {sure / taken:.4f}, wrong and sure {wrong / taken:.4f}; {false / sum(of.values()):.3f} false dice a picture")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--made")
    a.add_argument("--each", nargs=2, action="append", metavar=("SCALE", "FILE"))
    a.add_argument("--held-out", action="store_true")
    a.add_argument("--photos")
    a.add_argument("--without", help="the scene that the result is used for")
    a = a.parse_args()
    if a.made:
        made(a.made)
        return
    each = {float(scale): [json.loads(line) for line in open(f)] for scale, f in a.each}
    if a.held_out:
        held_out(each, pictures(a.photos))
        return
    tried = {s: [r for r in rows if scene(r) != a.without] for s, rows in each.items()}
    for s, rows in sorted(tried.items()):
        print(f"scale {s}: wrong and sure {100 * wrong_and_sure(rows):.2f} %", file=sys.stderr)
    scale, there, near = chosen(tried, pictures(a.photos))
    print(f"--scale {scale} --near {near:.3f} --there {there[0]:.3f} {there[1]:.3f} {there[2]:.3f}")


if __name__ == "__main__":
    main()
