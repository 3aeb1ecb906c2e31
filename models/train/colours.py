"""How far a die's colour tells its kind, on made copies that trained nothing: what src/vision/colour.rs takes for granted.

    python colours.py --scenes DIR [DIR ...]

DIR: tables.py --enrol. For each die four fifths of whose top face are seen, the likelihood of its kind by its colour alone,
by the same rule as the program's, under the light that the picture's other dice tell; for several least scatters and several
chances that a colour tells nothing (BLIND). `strong`: a kind 30 times as likely as all others together.

And how many times as far as kinds scatter dice lie from the nearest kind, of the copy's and strangers, or from their own (strangers: from energy
dice, whose pips they mostly have), by the rule of `Palette::own`, with and without its stray light and the error of the light, which all other dice of a picture tell, or three of
one other kind. (The program's light is that of dice whose print is sure.)
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
STRAY = 6
FAR = (1.5, 2, 2.5, 3, 3.5, 4, 5)


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
            all = [(o["kind"], colour(im, poly)) for o, poly in dice(path) if o.get("face_visible_fraction", 0) >= 0.8]
            seen = [d for d in all if d[0] in owned]
            if seen:
                yield owned, seen, [d for d in all if d[0] == "stranger"]


def scatters(owned, least):
    """How far each kind's colours scatter, and all kinds' together."""
    squares = {k: ((np.array(v) - np.mean(v, 0)) ** 2).sum(0) for k, v in owned.items()}
    pooled = sum(squares.values()) / max(sum(len(v) - 1 for v in owned.values()), 1)
    scatter = lambda variance: np.maximum(least, LIVE * np.sqrt(variance))
    return {k: scatter((POOLED * pooled + squares[k]) / (POOLED + len(v) - 1)) for k, v in owned.items()}, scatter(pooled)


def far(all, stray, doubt, light, of_own=False):
    """How many times as far as its kind scatters each die's colour lies from the nearest kind's: own dice, and strangers.
    `stray`: grey levels; `doubt`: the light's standard error counts; `light`: told by all other dice, or, once for each other
    kind that has as many, by three of that kind; `of_own`: from its own kind, strangers from energy dice."""
    rng = np.random.default_rng(0)
    out = [], []
    as_stray = lambda c: stray / np.exp([c[0] + c[2], c[1] + c[2], c[2]])
    off = lambda c: np.hypot(as_stray(c), [as_stray(c)[2], as_stray(c)[2], 0])
    for owned, seen, strangers in all:
        own, _ = scatters(owned, np.array(LEAST[1]))
        for which, i, c in [(0, i, c) for i, (_, c) in enumerate(seen)] + [(1, None, c) for _, c in strangers]:
            kinds = [seen[i][0] if i is not None else "energy"] if of_own else list(owned)
            if any(k not in owned for k in kinds):
                continue
            others = [d for j, d in enumerate(seen) if j != i]
            groups = [others]
            if light != "all":
                of = lambda kind: [d for d in others if d[0] == kind]
                groups = [of(k) for k in owned if (which or k != seen[i][0]) and len(of(k)) >= 3]
                groups = [[g[j] for j in rng.choice(len(g), 3, replace=False)] for g in groups]
            for known in groups:
                if len(known) < 3:
                    continue
                shift = np.sort([c - np.mean(owned[k], 0) for k, c in known], 0)[len(known) // 2]
                error = 1.25 * np.sqrt(sum(own[k] ** 2 + off(c) ** 2 for k, c in known)) / len(known) * doubt
                times = [np.sqrt((((c - shift - v) / np.sqrt(own[k] ** 2 + off(v + shift) ** 2 + error ** 2)) ** 2).sum())
                         for k in kinds for v in owned[k]]
                out[which].append(min(times))
    return np.array(out[0]), np.array(out[1])


def measured(all, least, blind):
    """Mean log-likelihood, share right, share strong, strong and wrong."""
    said = []
    for owned, seen, _ in all:
        kinds = list(owned)
        own, pooled = scatters(owned, least)
        light = np.median([c - np.mean(owned[k], 0) for k, c in seen], 0) if len(seen) >= 3 else 0
        for kind, c in seen:
            near = [np.exp(-(((c - light - np.array(owned[k])) / own[k]) ** 2).sum(1) / 2).mean() for k in kinds]
            p = np.array([n * pooled.prod() / own[k].prod() for n, k in zip(near, kinds)]) + blind
            p /= p.sum()
            said.append((np.log(p[kinds.index(kind)]), p.argmax() == kinds.index(kind), p.max() > 30 / 31))
    log, right, strong = np.array(said, float).T
    return log.mean(), right.mean(), strong.mean(), int((strong * (1 - right)).sum())


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--scenes", required=True, nargs="+")
    a = a.parse_args()
    all = [p for scenes in a.scenes for p in pictures(scenes)]
    print(f"{len(all)} pictures, {sum(len(s) for _, s, _ in all)} dice")
    for least in LEAST:
        for blind in BLIND:
            print(f"least {least}, blind {blind}: " + "log-likelihood %.4f, right %.3f, strong %.3f, strong and wrong %d" % measured(all, np.array(least), blind))
    for light in ("all", "three of a kind"):
        for stray, doubt in ((0, 0), (STRAY, 0), (0, 1), (STRAY, 1)):
            own, strangers = far(all, stray, doubt, light)
            shares = ", ".join(f"{n}: {(own > n).sum()} and {(strangers > n).sum()}" for n in FAR)
            print(f"light of {light}, stray {stray}, its error {doubt}: of {len(own)} and {len(strangers)} strangers farther than {shares}")
    own, strangers = far(all, STRAY, 1, "all", of_own=True)
    shares = ", ".join(f"{n}: {(own > n).sum()} and {(strangers > n).sum()}" for n in FAR)
    print(f"light of all, from their own kind: of {len(own)} and {len(strangers)} strangers farther than {shares}")


if __name__ == "__main__":
    main()
