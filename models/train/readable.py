"""How strongly each top face that made pictures show agrees with its own print: `readability.json` for `sightline eval --scenes`.

    python readable.py DIR [DIR ...]               DIR: a copy's folder, as tables.py --enrol writes it
    python readable.py --film F [F ...] --of DIR   F: a film of that copy, as match.py makes it; F.readable.json for score.py

Every die of which four fifths are seen is cut out by its true outline, in grey, and correlated with the true cut-outs of
the enrolment photographs of every face in every turn, allowing for a pixel's shift. `ncc`: the best with a photograph of its
own face, as it truly is turned; `margin`: how much less the best of all others has. What glare, blur or darkness ate has
little of either; a person could not read it. In a film, each die that comes to lie is looked at once, a moment after it is first seen:
one that a shadow passes over just then counts as one that cannot be read, however long it lies.
"""
import argparse
import glob
import json
import os
import sys

import cv2
import numpy as np

from reader import rectify
from told_apart import dice, picture

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "synth"))
import score

SIZE, LEAST_SEEN = 32, 0.8
AFTER_S = 0.3  # what came to lie in a film is looked at so late: its hand is away, and nothing is smeared any more


def grey(im, poly):
    return cv2.cvtColor(rectify(im, poly, SIZE, 0.0), cv2.COLOR_RGB2GRAY).astype(np.float32)


def flat(v):
    v = v.reshape(*v.shape[:-2], -1)
    v = v - v.mean(-1, keepdims=True)
    return v / np.sqrt((v * v).sum(-1, keepdims=True) + SIZE * SIZE)


def inner(v, x=0, y=0):
    return v[..., 2 + y : SIZE - 2 + y, 2 + x : SIZE - 2 + x]


class Faces:
    """The true cut-outs of a copy's enrolment photographs."""

    def __init__(self, copy):
        cuts, self.names = [], []
        for path in sorted(glob.glob(os.path.join(copy, "enrol", "die_*.json"))):
            im = picture(path[:-5] + ".jpg")
            o, poly = next(dice(path))
            cuts.append(grey(im, poly))
            self.names.append((o["kind"], o["symbol"]))
        if not cuts:
            raise SystemExit(f"{copy}: no photographs of dice with their truth in enrol/")
        cuts = np.stack(cuts)
        # (turn, photograph, shift): every way an enrolled face may lie
        self.own = np.stack([flat(np.stack([inner(np.rot90(cuts, -turn, (1, 2)), x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)], 1)) for turn in range(4)])

    def agree(self, im, poly, kind, symbol):
        """(ncc, margin) of a top face; None of one that was not photographed."""
        mine = np.array([name == (kind, symbol) for name in self.names])
        if not mine.any():
            return None
        ncc = (self.own @ flat(inner(grey(im, poly)))).max(2)
        best = ncc[0, mine].max()
        return round(float(best), 3), round(float(best - ncc[:, ~mine].max()), 3)


def of_pictures(copy):
    faces, out, n, readable = Faces(copy), {}, 0, 0
    for path in sorted(glob.glob(os.path.join(copy, "[tbw]*", "*.json"))):
        im = picture(path[:-5] + ".jpg")
        told = out.setdefault("/".join(path[:-5].split(os.sep)[-2:]), {})
        for o, poly in dice(path):
            agrees = faces.agree(im, poly, o["kind"], o["symbol"])
            if o.get("visible_fraction", 0) < LEAST_SEEN or agrees is None:
                continue
            told[str(o["id"])] = dict(symbol=o["symbol"], ncc=agrees[0], margin=agrees[1])
            n, readable = n + 1, readable + score.can_be_read(*agrees)
    with open(os.path.join(copy, "readability.json"), "w") as f:
        json.dump(out, f, indent=0)
    print(f"{copy}: {readable} of {n} dice can be read")


def of_film(name, faces):
    lies, _, _, end, _ = score.truth(name + ".truth.jsonl")
    film = cv2.VideoCapture(name + ".mp4")
    rate = film.get(cv2.CAP_PROP_FPS)
    due = {}
    for q in lies:
        if not q.outside and q.seen < min(q.ends, end):
            due.setdefault(round((min(q.seen + AFTER_S, q.ends - 1 / rate, end - 1 / rate)) * rate), []).append(q)
    out, n, frame = {}, 0, 0
    while True:
        there, im = film.read()
        if not there:
            break
        for q in due.get(frame, []):
            agrees = faces.agree(np.ascontiguousarray(im[..., ::-1]), np.float32(q.line["polygon"]), *q.show())
            if agrees is not None:
                out[q.name()] = dict(ncc=agrees[0], margin=agrees[1])
                n += score.can_be_read(*agrees)
        frame += 1
    with open(name + ".readable.json", "w") as f:
        json.dump(out, f, indent=0)
    print(f"{name}: {n} of {len(out)} dice can be read when they come to lie")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("copies", nargs="*")
    p.add_argument("--film", nargs="+", default=[])
    p.add_argument("--of", help="the folder of the films' copy")
    a = p.parse_args()
    if bool(a.film) != bool(a.of):
        p.error("--film wants --of, the copy's folder, and the other way round")
    if not a.copies and not a.film:
        p.error("no copy and no film is named")
    for copy in a.copies:
        of_pictures(copy)
    if a.film:
        faces = Faces(a.of)
        for name in a.film:
            of_film(name, faces)


if __name__ == "__main__":
    main()
