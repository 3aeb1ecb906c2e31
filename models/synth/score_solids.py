"""Holds what `sightline read` says of made tables with polyhedral dice (`solids.py --sets`) against their truth.

    python3 score_solids.py --sightline ../../target/release/sightline WORK/sets/set-*

Enrols each set anew beside it (`copy-NN`), reads its tables, and prints of the dice whose top face is seen by four fifths how many were found, of the right
shape, read right and sure, by shape; and what is said to be where no such die is."""

import argparse
import collections
import json
import math
import pathlib
import subprocess
import sys

import numpy as np


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("sets", nargs="+", type=pathlib.Path)
    a.add_argument("--sightline", default="sightline")
    a = a.parse_args()
    n = collections.Counter()
    for folder in a.sets:
        copy = folder.with_name(folder.name.replace("set", "copy"))
        if not (copy / "copy.toml").exists():
            subprocess.run([a.sightline, "enrol", "--from", folder, "--copy", copy], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
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
