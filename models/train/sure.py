"""Fits how sure a reader of prints may be, on made copies that trained nothing.

    python sure.py --scenes DIR --model print-reader.onnx [--test DIR]

DIR: tables.py --enrol. Every die whose top face is mostly seen is read as the program reads it (src/vision/reader.rs: the same
views, the same sum of exp(scale * likeness)), by an outline that is off as the detector's are, against the true cut-outs of the
enrolment photographs. A logistic regression on the log-odds of the likeliest face and its likeness says how often it is right.
Dice of no copy count a tenth: made tables are strewn with them. Colours, which the program asks too, are left out.
Printed: how it does on copies left out of the fit in six parts, on DIR of --test, and `fitted:` what export.py takes.
"""
import argparse
import glob
import os

import cv2
import numpy as np
import onnx
import onnxruntime

import reader
from told_apart import dice, picture

# scale, right, down (in sides), degrees: VIEWS of src/vision/reader.rs
VIEWS = [(1, 0, 0, 0), (1, 0.12, 0.12, 0), (1, -0.12, -0.12, 0), (1, 0.14, 0, 0), (1, -0.14, 0, 0), (1, 0, 0.14, 0), (1, 0, -0.14, 0), (0.9, 0, 0, 0), (1.12, 0, 0, 0),
         (0.9, 0.14, 0, 0), (0.9, -0.14, 0, 0), (0.9, 0, 0.14, 0), (0.9, 0, -0.14, 0), (1, 0, 0, 10), (1, 0, 0, -10), (1.06, 0, 0, 20), (1.06, 0, 0, -20)]
SURE, AT_BEST, STRANGERS = 0.99, 0.9, 0.1


def side(q):
    return float(np.sqrt(max(cv2.contourArea(np.float32(q)), 1)))


def moved(q, scale, right, down, degrees):
    c, t = q.mean(0), np.deg2rad(degrees)
    R = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) * scale
    return (q - c) @ R.T + c + np.array([right, down]) * side(q)


def off(r, q):
    """As a detector finds an outline: all its corners together more than each by itself."""
    return moved(q, np.exp(r.normal(0, 0.05)), *r.normal(0, 0.06, 2), r.normal(0, 3)) + r.normal(0, 0.025, (4, 2)) * side(q)


def looks(scenes, vectors):
    """For each die: copy, likenesses (views, faces), which face it shows (-1: of no copy)."""
    r = np.random.default_rng(5)
    out = []
    for copy in sorted(glob.glob(os.path.join(scenes, "copy-*"))):
        cuts, names = [], []
        for path in sorted(glob.glob(os.path.join(copy, "enrol", "die_*.json"))):
            im = picture(path[:-5] + ".jpg")
            o, poly = next(dice(path))
            cuts += [reader.rectify(im, np.roll(poly, -turn, 0)) for turn in range(4)]
            names += [(o["kind"], o["symbol"])] * 4
        if not cuts:
            continue
        own, faces = vectors(cuts), sorted(set(names))
        which = np.array([faces.index(n) for n in names])
        for path in sorted(glob.glob(os.path.join(copy, "[tbw]*", "*.json"))):
            im = picture(path[:-5] + ".jpg")
            for o, poly in dice(path):
                if o.get("face_visible_fraction", 0) < 0.8:
                    continue
                found = off(r, np.float64(poly))
                like = vectors([reader.rectify(im, np.float32(moved(found, *v))) for v in VIEWS]) @ own.T
                show = (o["kind"], o["symbol"])
                out.append((os.path.basename(copy), np.stack([like[:, which == f].max(1) for f in range(len(faces))], 1), faces.index(show) if show in faces else -1))
    return out


def features(some, scale, none, near):
    """What the regression sees of dice that are not `unknown`; whether the likeliest face is right; strangers; copies."""
    X, right, strange, copies = [], [], [], []
    for copy, like, face in some:
        if like.max() < near:
            continue
        e = np.exp(scale * (like - 1)).sum(0)
        p = np.clip(e.max() / (e.sum() + len(like) * np.exp(scale * (none - 1))), 1e-12, 1 - 1e-12)
        best = int(e.argmax())
        X.append([np.log(p / (1 - p)), like[:, best].max() - AT_BEST, 1])
        right.append(best == face), strange.append(face < 0), copies.append(copy)
    return np.array(X), np.array(right), np.array(strange), np.array(copies)


def fit(X, right, strange):
    """Newton's method, a little ridge."""
    w, th = np.where(strange, STRANGERS, 1.0), np.zeros(X.shape[1])
    for _ in range(80):
        p = 1 / (1 + np.exp(-X @ th))
        H = (X * (w * p * (1 - p))[:, None]).T @ X + 1e-2 * np.eye(len(th))
        th = th + 0.7 * np.linalg.solve(H, X.T @ (w * (right - p)) - 1e-2 * th)
    return th


def show(name, p, right, strange):
    sure, nearly, known = p >= SURE, (p >= 0.9) & (p < SURE), ~strange
    print(f"{name}: {known.sum()} dice, sure {sure[known].mean():.4f}, wrong and sure {(sure & ~right & known).sum()}; {strange.sum()} of no copy, sure {(sure & strange).sum()}; "
          f"said to be 90 to 99 % right: {nearly.sum()}, right {right[nearly & known].mean():.4f} of the copy's")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--scenes", required=True)
    a.add_argument("--model", required=True)
    a.add_argument("--test")
    a = a.parse_args()
    held = {p.key.removeprefix("sightline."): p.value for p in onnx.load(a.model).metadata_props}
    numbers = [float(held[k]) for k in ("scale", "none", "near")]
    session = onnxruntime.InferenceSession(a.model, providers=["CPUExecutionProvider"])
    run = lambda ims: session.run(None, {"faces": (np.float32(np.stack(ims)).transpose(0, 3, 1, 2) - reader.MEAN) / reader.STD})[0]
    vectors = lambda ims: np.concatenate([run(ims[i : i + 64]) for i in range(0, len(ims), 64)])
    odds = lambda X, th: 1 / (1 + np.exp(-X @ th))
    X, right, strange, copies = features(looks(a.scenes, vectors), *numbers)
    part = np.unique(copies, return_inverse=True)[1] % 6
    p = np.zeros(len(X))
    for k in range(6):
        p[part == k] = odds(X[part == k], fit(X[part != k], right[part != k], strange[part != k]))
    show("odds as they are", odds(X, np.array([1, 0, 0])), right, strange)
    show("copies left out ", p, right, strange)
    th = fit(X, right, strange)
    if a.test:
        X, right, strange, _ = features(looks(a.test, vectors), *numbers)
        show("test, as they are", odds(X, np.array([1, 0, 0])), right, strange)
        show("test, fitted     ", odds(X, th), right, strange)
    print("fitted: --sure " + " ".join(f"{v:.3f}" for v in th))


if __name__ == "__main__":
    main()
