"""How strongly each top face that made pictures show agrees with its own print: `readability.json` for `sightline eval --scenes`.

    python readable.py DIR [DIR ...]            DIR: a copy's folder, as tables.py --enrol writes it

Every die of which four fifths are seen is cut out by its true outline, in grey, and correlated with the true cut-outs of
the enrolment photographs of every face in every turn, allowing for a pixel's shift. `ncc`: the best with a photograph of its
own face, as it truly is turned; `margin`: how much less the best of all others has. What glare, blur or darkness ate has
little of either; a person could not read it.
"""
import glob
import json
import os
import sys

import cv2
import numpy as np

from reader import rectify
from told_apart import dice, picture

SIZE, LEAST_SEEN = 32, 0.8


def grey(im, poly):
    return cv2.cvtColor(rectify(im, poly, SIZE, 0.0), cv2.COLOR_RGB2GRAY).astype(np.float32)


def flat(v):
    v = v.reshape(*v.shape[:-2], -1)
    v = v - v.mean(-1, keepdims=True)
    return v / np.sqrt((v * v).sum(-1, keepdims=True) + SIZE * SIZE)


def inner(v, x=0, y=0):
    return v[..., 2 + y : SIZE - 2 + y, 2 + x : SIZE - 2 + x]


def main():
    for copy in sys.argv[1:]:
        cuts, names = [], []
        for path in sorted(glob.glob(os.path.join(copy, "enrol", "die_*.json"))):
            im = picture(path[:-5] + ".jpg")
            o, poly = next(dice(path))
            cuts.append(grey(im, poly))
            names.append((o["kind"], o["symbol"]))
        cuts = np.stack(cuts)
        # (turn, photograph, shift): every way an enrolled face may lie
        own = np.stack([flat(np.stack([inner(np.rot90(cuts, -turn, (1, 2)), x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)], 1)) for turn in range(4)])
        out, n, readable = {}, 0, 0
        for path in sorted(glob.glob(os.path.join(copy, "[tbw]*", "*.json"))):
            im = picture(path[:-5] + ".jpg")
            told = out.setdefault("/".join(path[:-5].split(os.sep)[-2:]), {})
            for o, poly in dice(path):
                mine = np.array([name == (o["kind"], o["symbol"]) for name in names])
                if o.get("visible_fraction", 0) < LEAST_SEEN or not mine.any():
                    continue
                ncc = (own @ flat(inner(grey(im, poly)))).max(2)
                best, other = ncc[0, mine].max(), ncc[:, ~mine].max()
                told[str(o["id"])] = dict(symbol=o["symbol"], ncc=round(float(best), 3), margin=round(float(best - other), 3))
                n, readable = n + 1, readable + (best >= 0.8 and best - other >= 0.03)
        with open(os.path.join(copy, "readability.json"), "w") as f:
            json.dump(out, f, indent=0)
        print(f"{copy}: {readable} of {n} dice can be read")


if __name__ == "__main__":
    main()
