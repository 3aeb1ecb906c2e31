"""Fits what speaks for a surface's lying where it was found, beside its print (src/vision/register/grounds.rs), on scenes of copies that trained nothing.

    sightline eval --scenes DIR --copy COPY --each > COPY.jsonl       for each of several made copies
    python grounds.py COPY.jsonl ...

Each line of a surface that is not sure by its print alone has the five witnesses and how far off it is. A logistic regression; printed are its numbers, and what
fits that leave each file out make of it: how many become sure from some log-odds on, and how many of them are wrong.
"""
import json
import sys

import numpy as np
from stance import fit

WITNESSES = ("agreement", "strange", "repeated", "seen", "edged")
# what is farther off lies elsewhere; and grounds.rs has the limits
ELSEWHERE_MM = 4.0
MOST_REPEATED, MOST_STRANGE, LEAST_SEEN = 0.75, 0.5, 0.2


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rows = [(path, json.loads(line)) for path in sys.argv[1:] for line in open(path)]
    rows = [(path, told) for path, told in rows if told["form"] == "surface"]
    x = np.array([[told[name] for name in WITNESSES] + [1.0] for _, told in rows])
    right = np.array([told["off_mm"] is not None and told["off_mm"] <= ELSEWHERE_MM for _, told in rows], float)
    part = np.array([sys.argv[1:].index(path) for path, _ in rows])
    print(f"{len(rows)} not sure by print alone, {int(right.sum())} of them where they were found")
    strange, repeated, seen = (x[:, WITNESSES.index(name)] for name in ("strange", "repeated", "seen"))
    counts = (repeated <= MOST_REPEATED) & (strange <= MOST_STRANGE) & (seen >= LEAST_SEEN)
    odds = np.zeros(len(rows))
    for k in set(part.tolist()):
        odds[part == k] = x[part == k] @ fit(x[part != k], right[part != k])
    for least in (2.0, 2.5, 3.0, 3.5, 4.0):
        sure = (odds >= least) & counts
        print(f"  from {least}: {int(sure.sum())} become sure, {int((right[sure] == 0).sum())} of them wrong")
    names = [*WITNESSES, "besides"]
    print("fitted:", ", ".join(f"{name} {v:.3f}" for name, v in zip(names, fit(x, right))))


if __name__ == "__main__":
    main()
