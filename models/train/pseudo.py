"""Top faces on photographs whose truth has boxes only, found by a detector trained on made pictures.

    python pseudo.py --net base.pt --photos DIR --out pseudo.jsonl

A found face counts where its die's centre falls in a box; what is found in no box is kept as
`ignore`: some photographs hold dice that nobody marked.
"""
import argparse
import json

import numpy as np
import torch

import data
import infer


def attach(items, path):
    known = {}
    for line in open(path):
        r = json.loads(line)
        known[r["image"]] = r
    n = m = 0
    for it in items:
        r = known.get(it["file"])
        if not r:
            continue
        for d, f in zip(it["dice"], r["faces"]):
            m += 1
            if f is not None:
                n += 1
                d["poly"] = np.float32(f)
        # one scene holds dice that nobody marked; elsewhere what is found besides is a mistake to learn from
        for b in r["ignore"] if it["scene"] == "office-table" else []:
            it["dice"].append(dict(box=b, poly=None, kind="unmarked", value=None, turned=None, visible=1.0, ignore=True, raw=0))
    print(f"top faces for {n} of {m} dice on photographs", flush=True)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--net", required=True)
    a.add_argument("--photos", required=True)
    a.add_argument("--out", required=True)
    a = a.parse_args()
    torch.set_num_threads(2)
    net = infer.load_detector(a.net)
    with open(a.out, "w") as f:
        for sets, area in ((["tray", "table", "floor"], infer.AREA), (["numbered"], 700_000), (["crops"], 230_000)):
            for it in data.photos(a.photos, sets, area):
                found = infer.detect(net, it["rgb"], 0.15, area=area if sets != ["crops"] else 20_000)
                faces, used = [], set()
                for d in it["dice"]:
                    x, y, w, h = d["box"]
                    best = None
                    for i, (s, c, size, poly) in enumerate(found):
                        p = poly.mean(0)
                        if i not in used and x < c[0] < x + w and y < c[1] < y + h and x < p[0] < x + w and y - 0.1 * h < p[1] < y + h and (sets == ["crops"] or 0.35 * max(w, h) < size < 1.2 * max(w, h)):
                            if best is None or s > found[best][0]:
                                best = i
                    if best is not None:
                        used.add(best)
                    faces.append(None if best is None else found[best][3].round(2).tolist())
                ignore = []
                for i, (s, c, size, poly) in enumerate(found):
                    if i not in used and s > 0.7 and sets != ["crops"]:
                        ignore.append([float(c[0] - 0.6 * size), float(c[1] - 0.6 * size), 1.2 * size, 1.2 * size])
                f.write(json.dumps(dict(image=it["file"], faces=faces, ignore=ignore)) + "\n")


if __name__ == "__main__":
    main()
