"""Fits what how a die lies says of whether it is a top (src/vision/stance.rs), on scenes of copies that trained nothing.

    sightline eval --scenes DIR --copy COPY --each > COPY.jsonl       for each of several made copies
    python stance.py COPY.jsonl ...

Each line of a die that is surely read by its print has the four witnesses: the detector's score, how much larger it is than its kind's top, how much better it
fits a top that lies than a side that stands, and whether another one's side would be there; what is no square of about its size is none whatever they say. A logistic regression; printed are its numbers, and what a fit on
five sixths of the files makes of the rest: how many stay sure from some log-odds on, and how many of them are wrong.
"""
import json
import sys

import numpy as np

NAMES = ("BY_SCORE", "BY_SIZE", "BY_FLATTER", "BY_SIDE", "BESIDES")
LARGEST, MOST, SKEWED = 0.6, np.log(4 / 3), 0.12  # as stance.rs has them
PARTS = 6


def witnesses(told):
    score = min(max(told["score"], 1e-4), 1 - 1e-4)
    return [np.log(score / (1 - score)), min(abs(told["size"]), LARGEST), told["flatter"], float(told["may_be_a_side"]), 1.0]


def fit(x, right, ridge=1.0):
    """Newton's method; what is regularised is a witness as a part of its spread."""
    spread = np.append(x[:, :-1].std(0) + 1e-9, 1.0)
    x, w = x / spread, np.zeros(x.shape[1])
    hold = np.append(np.full(len(w) - 1, ridge), 0.0)
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + np.diag(hold + 1e-9), x.T @ (p - right) + hold * w)
        w -= step
        if np.abs(step).max() < 1e-9:
            break
    return w / spread


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rows = [(path, json.loads(line)) for path in sys.argv[1:] for line in open(path)]
    rows = [(path, told) for path, told in rows if told["form"] == "die"]
    x = np.array([witnesses(told) for _, told in rows])
    right = np.array([told["said"] == told["is"] for _, told in rows], float)
    part = np.array([sys.argv[1:].index(path) % PARTS for path, _ in rows])
    print(f"{len(rows)} surely read, {int(right.sum())} right")
    square = np.array([abs(told["size"]) <= MOST and told["skewed"] <= SKEWED for _, told in rows])
    odds = np.zeros(len(rows))
    for k in set(part.tolist()):
        odds[part == k] = x[part == k] @ fit(x[part != k], right[part != k])
    for least in (1.5, 2.0, 2.5, 3.0, 3.5):
        stays = (odds >= least) & square
        print(f"  from {least}: {int(stays.sum())} stay sure, {int((right[stays] == 0).sum())} of them wrong; lost {int((right[~stays] == 1).sum())} right ones")
    print("fitted:", ", ".join(f"{name} {v:.2f}" for name, v in zip(NAMES, fit(x, right))))


if __name__ == "__main__":
    main()
