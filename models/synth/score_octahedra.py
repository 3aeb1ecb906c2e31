"""Holds what `sightline read` says of made tables with paper octahedra (`octahedra.py`) against their truth.

    python3 score_octahedra.py --sightline ../../target/release/sightline WORK/octahedra/set-*

Enrols each set anew beside it (`copy-NN`), reads its tables, and prints how many dice were found, read right and sure, by the length of their top face's
shortest edge; what is said to be where no top is (sides of dice among it); and how far corners are off."""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

import numpy as np

SIZES = [(0, 50, "under 50 px"), (50, 75, "50 to 75 px"), (75, 1e9, "75 px and more")]


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("sets", nargs="+", type=pathlib.Path)
    a.add_argument("--sightline", default="sightline")
    a.add_argument("--blurred", action="store_true", help="count pictures that are out of focus or moved, too")
    a = a.parse_args()
    n, off = collections.Counter(), []
    for folder in a.sets:
        copy = folder.with_name(folder.name.replace("set", "copy"))
        if not (copy / "copy.toml").exists():
            subprocess.run([a.sightline, "enrol", "--from", folder, "--copy", copy], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        truth = [json.loads(line) for line in (folder / "truth.jsonl").open()]
        if not a.blurred:
            truth = [t for t in truth if t["defocus"] == 0 and t["motion"] == 0]
        pictures = [folder / "tables" / t["image"] for t in truth]
        said = subprocess.run([a.sightline, "read", "--copy", copy, "--json", *pictures], capture_output=True, text=True, check=False)
        if said.returncode:
            sys.exit(said.stderr)
        for t, line in zip(truth, said.stdout.splitlines()):
            read = [d for d in json.loads(line)["dice"] if d["shape"] == "octahedron"]
            taken = set()
            for die in t["dice"]:
                middle, edge = np.mean(die["corners"], 0), die["edge_px"]
                near = [(np.hypot(*(np.mean(d["polygon"], 0) - middle)), i) for i, d in enumerate(read) if i not in taken]
                near = min((x for x in near if x[0] < 0.3 * edge), default=None)
                whole = all(0 <= x < 1920 and 0 <= y < 1080 for x, y in die["corners"])
                size = next(name for lo, hi, name in SIZES if lo <= edge < hi)
                steep = "from within 40 degrees" if die["off_deg"] < 40 else "from farther off the vertical"
                what = "of another set" if die["kind"] is None else f"{size}, {steep}" if whole and die["seen"] >= 0.8 else "not wholly seen"
                n[what, "dice"] += 1
                if near is None:
                    continue
                taken.add(near[1])
                d = read[near[1]]
                right = die["kind"] is not None and (d["kind"], d["face"]) == (die["kind"], die["face"])
                n[what, "found"] += 1
                n[what, "right"] += right
                n[what, "sure"] += d["status"] == "sure"
                n[what, "wrong and sure"] += d["status"] == "sure" and not right
                if right:
                    off.append(np.sqrt(((np.array(d["polygon"]) - die["corners"]) ** 2).sum(1)).mean() / edge)
            for i, d in enumerate(read):
                if i not in taken:
                    n["where no top is", "found"] += 1
                    n["where no top is", "wrong and sure"] += d["status"] == "sure"
    columns = ["dice", "found", "right", "sure", "wrong and sure"]
    print("".ljust(48), *(c.rjust(8) for c in columns))
    for what in sorted({w for w, _ in n}):
        print(what.ljust(48), *(str(n[what, c]).rjust(max(8, len(c))) for c in columns))
    if off:
        print(f"corners of those read right, off by parts of an edge: median {np.median(off):.3f}, 95 % {np.quantile(off, 0.95):.3f} (n {len(off)})")


if __name__ == "__main__":
    main()
