"""How far a die's colour tells its kind, on made copies that trained nothing: what src/vision/colour.rs takes for granted.

    python colours.py --scenes DIR

DIR: tables.py --enrol. For each die four fifths of whose top face are seen, the likelihood of its kind by its colour alone,
by the same rule as the program's, under the light that the picture's other dice tell; for several least scatters and several
chances that a colour tells nothing (BLIND). `strong`: a kind 30 times as likely as all others together.
"""
import argparse
import glob
import os

import cv2
import numpy as np

from told_apart import dice, picture

FLOOR, LIVE, SIZE = 10.0, 1.3, 16
LEAST = ([0.12, 0.12, 0.4], [0.18, 0.18, 0.5], [0.25, 0.25, 0.6])
BLIND = (0.003, 0.001, 0.0003, 0.0001)
POOLED = 10


def colour(im, poly):
    side = np.sqrt(max(cv2.contourArea(poly), 1))
    if side > 1.5 * SIZE:
        k = 1.25 * SIZE / side
        im, poly = cv2.resize(im, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), (poly + 0.5) * k - 0.5
    c = poly.mean(0)
    to = np.float32([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]]) - 0.5
    m = cv2.getPerspectiveTransform(np.float32((poly - c) * 0.9 + c), to)
    face = cv2.warpPerspective(im, m, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    r, g, b = np.log(np.sort(face.reshape(-1, 3), 0)[SIZE * SIZE // 2].astype(float) + FLOOR)
    return np.array([r - g, b - g, g])


def pictures(scenes):
    """For each picture the owner's colours by kind, and its dice: (kind, colour)."""
    for copy in sorted(glob.glob(os.path.join(scenes, "copy-*"))):
        owned = {}
        for path in sorted(glob.glob(os.path.join(copy, "enrol", "die_*.json"))):
            o, poly = next(dice(path))
            owned.setdefault(o["kind"], []).append(colour(picture(path[:-5] + ".jpg"), poly))
        if len(owned) < 2:
            continue
        for path in sorted(glob.glob(os.path.join(copy, "[tbw]*", "*.json"))):
            im = picture(path[:-5] + ".jpg")
            seen = [(o["kind"], colour(im, poly)) for o, poly in dice(path) if o.get("face_visible_fraction", 0) >= 0.8 and o["kind"] in owned]
            if seen:
                yield owned, seen


def measured(all, least, blind):
    """Mean log-likelihood, share right, share strong, strong and wrong."""
    said = []
    for owned, seen in all:
        kinds = list(owned)
        squares = {k: ((np.array(v) - np.mean(v, 0)) ** 2).sum(0) for k, v in owned.items()}
        pooled = sum(squares.values()) / max(sum(len(v) - 1 for v in owned.values()), 1)
        scatter = lambda variance: np.maximum(least, LIVE * np.sqrt(variance))
        own = {k: scatter((POOLED * pooled + squares[k]) / (POOLED + len(v) - 1)) for k, v in owned.items()}
        light = np.median([c - np.mean(owned[k], 0) for k, c in seen], 0) if len(seen) >= 3 else 0
        for kind, c in seen:
            near = [np.exp(-(((c - light - np.array(owned[k])) / own[k]) ** 2).sum(1) / 2).mean() for k in kinds]
            p = np.array([n * scatter(pooled).prod() / own[k].prod() for n, k in zip(near, kinds)]) + blind
            p /= p.sum()
            said.append((np.log(p[kinds.index(kind)]), p.argmax() == kinds.index(kind), p.max() > 30 / 31))
    log, right, strong = np.array(said, float).T
    return log.mean(), right.mean(), strong.mean(), int((strong * (1 - right)).sum())


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--scenes", required=True)
    a = a.parse_args()
    all = list(pictures(a.scenes))
    print(f"{len(all)} pictures, {sum(len(s) for _, s in all)} dice")
    for least in LEAST:
        for blind in BLIND:
            print(f"least {least}, blind {blind}: " + "log-likelihood %.4f, right %.3f, strong %.3f, strong and wrong %d" % measured(all, np.array(least), blind))


if __name__ == "__main__":
    main()
