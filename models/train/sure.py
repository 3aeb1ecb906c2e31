"""Fits how sure a reader of prints may be, on made copies that trained nothing.

    python sure.py --scenes DIR --model print-reader.onnx --refiner face-refiner.onnx [--closer 0.65] [--test DIR]

DIR: tables.py --enrol. Every die whose top face is mostly seen is read as the program reads it (src/vision/reader.rs: one
view, seven where that leaves a doubt, all where those do, the same sum of exp(scale * likeness)), by an outline that is off as the detector's are and then
refined, against the true cut-outs of the enrolment photographs. A logistic regression on the log-odds of the likeliest face and its likeness says how often it is right.
Where faces' middles are looked at, too (--closer, or the file's own), they are a second witness: the two sums are multiplied.
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
import refiner
from told_apart import dice, enrolled, middle, picture

# scale, right, down (in sides), degrees: VIEWS of src/vision/shift.rs
N, S = 0.04, 0.045
VIEWS = [(1, 0, 0, 0), (1, N, N, 0), (1, -N, -N, 0), (1, S, 0, 0), (1, -S, 0, 0), (1, 0, S, 0), (1, 0, -S, 0), (0.97, 0, 0, 0), (1.04, 0, 0, 0),
         (0.97, S, 0, 0), (0.97, -S, 0, 0), (0.97, 0, S, 0), (0.97, 0, -S, 0), (1, 0, 0, 4), (1, 0, 0, -4), (1.02, 0, 0, 8), (1.02, 0, 0, -8)]
SURE, AT_BEST, STRANGERS = 0.99, 0.9, 0.1
DOUBTED = 0.03  # as in src/vision/reader.rs
STAGES = 1, 7  # so many views every die is read by; so many those that are not sure then; the others all
AS_IS = np.array([1.0, 0.0, 0.0])


def side(q):
    return float(np.sqrt(max(cv2.contourArea(np.float32(q)), 1)))


def moved(q, scale, right, down, degrees):
    c, t = q.mean(0), np.deg2rad(degrees)
    R = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) * scale
    return (q - c) @ R.T + c + np.array([right, down]) * side(q)


def found(r, im, poly, refine):
    """The outline that is read of a die whose top face lies at poly; its corners in the same order, since turns are not in question."""
    q = refiner.off(r, poly)
    if cv2.contourArea(q) < 60 or not cv2.isContourConvex(q):
        return None
    q = refine(im, q)
    return np.float64(min((np.roll(q, k, 0) for k in range(4)), key=lambda t: float(((t - poly) ** 2).sum())))


def looks(scenes, vectors, refine, parts):
    """For each die: copy, likenesses (face and middle, views, faces), which face it shows (-1: of no copy)."""
    r = np.random.default_rng(5)
    out = []
    for copy in sorted(glob.glob(os.path.join(scenes, "copy-*"))):
        cuts, names = enrolled(copy)
        if not cuts:
            continue
        own, faces = [vectors(enrolled(copy, part)[0]) for part in parts], sorted(set(names))
        which = np.array([faces.index(n) for n in names])
        for path in sorted(glob.glob(os.path.join(copy, "[tbw]*", "*.json"))):
            im = picture(path[:-5] + ".jpg")
            for o, poly in dice(path):
                if o.get("face_visible_fraction", 0) < 0.8:
                    continue
                outline = found(r, im, poly, refine)
                if outline is None:
                    continue
                like = [vectors([reader.rectify(im, middle(moved(outline, *v), part)) for v in VIEWS]) @ o.T for part, o in zip(parts, own)]
                show = (o["kind"], o["symbol"])
                out.append((os.path.basename(copy), np.stack([np.stack([q[:, which == f].max(1) for f in range(len(faces))], 1) for q in like]), faces.index(show) if show in faces else -1))
    return out


def row(like, scale, none):
    """(what the regression sees, which face is likeliest) of likenesses (face and middle, views, faces)."""
    e = np.exp(scale * (like - 1)).sum(1)
    e[1:] = np.maximum(e[1:], DOUBTED * e[1:].max(1, keepdims=True))
    e = e.prod(0)
    p = np.clip(e.max() / (e.sum() + (like.shape[1] * np.exp(scale * (none - 1))) ** len(like)), 1e-12, 1 - 1e-12)
    best = int(e.argmax())
    return [np.log(p / (1 - p)), like[0, :, best].max() - AT_BEST, 1], best


def features(some, scale, none, near, th):
    """What the regression sees of each die, by the first views that make it sure by `th`, else by all; whether the
    likeliest face is right; strangers; copies; what is unknown."""
    X, right, strange, copies, unknown = [], [], [], [], []
    for copy, like, face in some:
        for views in (*STAGES, like.shape[1]):
            x, best = row(like[:, :views], scale, none)
            if x[1] + AT_BEST >= near and 1 / (1 + np.exp(-np.dot(x, th))) >= SURE:
                break
        X.append(x), right.append(best == face), strange.append(face < 0), copies.append(copy), unknown.append(x[1] + AT_BEST < near)
    return np.array(X), np.array(right), np.array(strange), np.array(copies), np.array(unknown)


def fitted(some, numbers):
    """The regression: which views count depends on it, so that it is fitted a few times over."""
    th = AS_IS
    for _ in range(4):
        X, right, strange, _, unknown = features(some, *numbers, th)
        th = fit(X[~unknown], right[~unknown], strange[~unknown])
    return th


def fit(X, right, strange):
    """Newton's method, a little ridge."""
    w, th = np.where(strange, STRANGERS, 1.0), np.zeros(X.shape[1])
    for _ in range(80):
        p = 1 / (1 + np.exp(-X @ th))
        H = (X * (w * p * (1 - p))[:, None]).T @ X + 1e-2 * np.eye(len(th))
        th = th + 0.7 * np.linalg.solve(H, X.T @ (w * (right - p)) - 1e-2 * th)
    return th


def show(name, some, numbers, of):
    """Figures of a regression, or of one for each copy: of(copy)."""
    parts = [features([d for d in some if d[0] == copy], *numbers, of(copy)) + (of(copy),) for copy in sorted({d[0] for d in some})]
    p = np.concatenate([np.where(q[4], 0, 1 / (1 + np.exp(-q[0] @ q[5]))) for q in parts])
    right, strange = (np.concatenate([q[i] for q in parts]) for i in (1, 2))
    sure, nearly, known = p >= SURE, (p >= 0.9) & (p < SURE), ~strange
    print(f"{name}: {known.sum()} dice, sure {sure[known].mean():.4f}, wrong and sure {(sure & ~right & known).sum()}; {strange.sum()} of no copy, sure {(sure & strange).sum()}; "
          f"said to be 90 to 99 % right: {(nearly & known).sum()}, right {right[nearly & known].mean():.4f}")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--scenes", required=True)
    a.add_argument("--model", required=True)
    a.add_argument("--refiner", required=True)
    a.add_argument("--closer", type=float, help="part of a face's side that its middle is")
    a.add_argument("--test")
    a = a.parse_args()
    held = {p.key.removeprefix("sightline."): p.value for p in onnx.load(a.model).metadata_props}
    numbers = [float(held[k]) for k in ("scale", "none", "near")]
    session = onnxruntime.InferenceSession(a.model, providers=["CPUExecutionProvider"])
    run = lambda ims: session.run(None, {"faces": (np.float32(np.stack(ims)).transpose(0, 3, 1, 2) - reader.MEAN) / reader.STD})[0]
    vectors = lambda ims: np.concatenate([run(ims[i : i + 64]) for i in range(0, len(ims), 64)])
    refine = refiner.by(a.refiner)
    closer = a.closer or float(held.get("closer", 1))
    parts = [1.0] + [closer] * (closer < 1)
    some = looks(a.scenes, vectors, refine, parts)
    copies = sorted({d[0] for d in some})
    folds = [fitted([d for d in some if copies.index(d[0]) % 6 != k], numbers) for k in range(6)]
    show("odds as they are", some, numbers, lambda copy: AS_IS)
    show("copies left out ", some, numbers, lambda copy: folds[copies.index(copy) % 6])
    th = fitted(some, numbers)
    own = [float(held[k]) for k in ("sure_odds", "sure_likeness", "sure_bias")] if "sure_odds" in held else None
    if a.test:
        test = looks(a.test, vectors, refine, parts)
        for name, q in (("test, as they are", AS_IS), ("test, fitted     ", th), ("test, as the file", own)):
            if q is not None:
                show(name, test, numbers, lambda copy: np.array(q))
    if own:
        show("as the file     ", some, numbers, lambda copy: np.array(own))
    print("fitted: --sure " + " ".join(f"{v:.3f}" for v in th))


if __name__ == "__main__":
    main()
