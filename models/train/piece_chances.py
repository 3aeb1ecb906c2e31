"""What it counts that a piece is like the owner's photographs, that its print is, and how sure the detector is of it: fitted by likelihood.

    python piece_chances.py --data DIR --detector pieces.pt --judge piece-judge.pt --both … --reader piece-reader.pt [--every]    --every: no copy of DIR trained anything

The log-odds that something found is one of the copy's pieces, against its being none (another's, or nothing), are

    of a ship     scale * cosine                 + score * logit(score) - none
    of a token    scale * cosine + print * rings + score * logit(score) - none

where score is the judge's chance, with the best cosine of a ship's views, the cosine of a token's mean ones, and the correlation of a token's print with its photograph's
at the turn at which they are likest. Fitted on everything that the judge says from LEAST on; what is a piece of the copy counts 1,
what is nothing 1, and a piece of no copy STRANGERS. Prints, each half of the copies by a fit on the other half, how right it is.
"""
import argparse
import math

import cv2
import numpy as np
import torch

import judge as J
import pieces as P

LEAST = (0.1, 0.5)  # chance of ships and tokens
STRANGERS = 0.1  # for each piece of the copy's: none of the games has any, and somebody's own toy may stand there


def soft(crop):
    return cv2.GaussianBlur(crop, (0, 0), 0.6)


def rings(crop, at=(0, 0)):
    """A token's print in rings about a place so many pixels off the middle of its softened crop: (14, 64, 3), about its mean, its
    square 1. As `src/vision/pieces/turned.rs` has it."""
    m = (P.CROP - 1) / 2
    p = cv2.warpPolar(crop, (16, 64), (m + at[0], m + at[1]), 0.85 * P.CROP / 2 / P.SHARE, cv2.INTER_LINEAR)
    p = p.transpose(1, 0, 2)[2:].astype(np.float32)
    w = np.arange(2, 16, dtype=np.float32)[:, None, None]
    w /= w.sum() * 64
    p = (p - (p * w).sum((0, 1), keepdims=True)) * np.sqrt(w)
    return p / max(math.sqrt(float((p**2).sum())), 1e-6)


def alike(a, b):
    """Correlation at the turn at which two prints are likest."""
    f = (np.fft.fft(a, axis=1) * np.fft.fft(b, axis=1).conj()).sum((0, 2))
    return float(np.fft.ifft(f).real.max())


def printed(crop, photographs):
    """How like a token's softened crop is to any of some photographs' rings, where its middle has three pixels of play."""
    seen = {}

    def value(at):
        if at not in seen:
            here = rings(crop, at)
            seen[at] = max(alike(here, p) for p in photographs)
        return seen[at]

    at = (0, 0)
    for _ in range(3):
        best = max([(at[0] + x, at[1] + y) for x, y in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))], key=value)
        if best == at:
            break
        at = best
    return value(at)


def examples(shards, net, judge, both, tell, views=1, kinds=(0, 1)):
    """Of each thing found: copy, kind, weight, features (n, 3 or 4), and which of the copy's pieces of that kind it is, or -1."""
    vectors = lambda crops: tell(torch.from_numpy((np.float32(np.stack(crops)).transpose(0, 3, 1, 2) - P.MEAN) / P.STD)).numpy()
    turned = lambda crops: vectors([np.ascontiguousarray(np.rot90(c, k)) for c in crops for k in range(4)]).mean(0, keepdims=True)
    before = {}
    for number, s in enumerate(shards):
        own = {}
        for j, name in enumerate(s["names"]):
            kind = 0 if name.startswith("ship") else 1 if name.startswith("token") else 2
            if kind < 2:
                crops = P.enrolled(s, j, kind)
                own[j] = (kind, turned(crops), [rings(soft(c)) for c in crops]) if kind else (0, vectors(crops), [])
        others, before = before, own
        for i in range(len(s["now"])):
            big = P.decoded(s["now"][i])
            im, field = P.inputs(cv2.resize(big, (P.SIDE, P.SIDE), interpolation=cv2.INTER_AREA), P.decoded(s["print"][i]), s["lean"][i])
            here = J.alone(J.judged(judge, big, P.decoded(s["print"][i]), s["lean"][i], J.places(net, im, field, views, J.LOOKED_AT), both))
            here = [f for f in here if f[0] < 2 and f[1] >= LEAST[f[0]] and all(8 < v < P.SIDE - 8 for v in f[2:4])]
            taken = set()
            for kind, score, px, py, half, heading in here:
                if kind not in kinds:
                    continue
                of_it = [(math.hypot(px - q[3], py - q[4]), n, q) for n, q in enumerate(s["things"]) if q[0] == i and q[1] == kind and n not in taken]
                near = min((c for c in of_it if c[0] < max(0.6 * c[2][5], 4)), default=None, key=lambda c: c[0])
                which = -2  # nothing
                if near:
                    taken.add(near[1])
                    which, half = int(near[2][2]), half if kind == 0 else near[2][5]  # a token is compared at its owner's size
                crop = P.crop(s, [i, kind, 0, px, py, half, heading, 1, 0], big)
                v = vectors([crop])[0] if kind == 0 else turned([crop])[0]
                c = None if kind == 0 else soft(crop)
                score = min(max(score, 1e-6), 1 - 1e-6)
                sure = math.log(score / (1 - score))

                def features(known):
                    mine = [(j, o, p) for j, (k, o, p) in known.items() if k == kind]
                    rows = [[float((o @ v).max()), *([printed(c, p)] if kind else []), sure] for _, o, p in mine]
                    return [j for j, _, _ in mine], np.array(rows)

                names, rows = features(own)
                if names:
                    yield number, kind, STRANGERS if which == -1 else 1.0, rows, names.index(which) if which in names else -1
                # a token of another copy is one of none
                if which >= 0 and kind == 1:
                    names, rows = features(others)
                    if names:
                        yield number, kind, STRANGERS, rows, -1


def odds(w, rows):
    x = torch.from_numpy(rows)
    return torch.cat([x @ w[:-1] - w[-1], torch.zeros(1, dtype=torch.float64)])


def fit(jobs):
    w = torch.tensor([10.0] * (jobs[0][3].shape[1] - 1) + [1.0, 5.0], dtype=torch.float64, requires_grad=True)
    opt = torch.optim.LBFGS([w], max_iter=300, line_search_fn="strong_wolfe")

    def loss():
        opt.zero_grad()
        total = -sum(weight * torch.log_softmax(odds(w, rows), 0)[mine] for _, _, weight, rows, mine in jobs) / len(jobs)
        total.backward()
        return total

    with torch.enable_grad():
        opt.step(loss)
    return w.detach()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True)
    p.add_argument("--detector", required=True)
    p.add_argument("--judge", required=True)
    p.add_argument("--both", nargs=3, required=True, help="as `judge.py fit` says")
    p.add_argument("--reader", required=True)
    p.add_argument("--every", action="store_true")
    p.add_argument("--only", choices=("ship", "token"), help="fit that one alone")
    p.add_argument("--views", type=int, default=1, help="of each square that are weighed together")
    a = p.parse_args()
    shards = P.every(a.data) if a.every else P.load(a.data, True)
    with torch.no_grad():
        jobs = list(examples(shards, P.loaded(P.PieceDetector(), a.detector), P.loaded(J.PieceJudge(), a.judge), J.said(a.both), P.loaded(P.PieceReader(), a.reader), a.views, [k for k, n in enumerate(("ship", "token")) if a.only in (None, n)]))
    said = []
    for kind, name in enumerate(("ship", "token")):
        mine = [j for j in jobs if j[1] == kind]
        if not mine:
            continue
        print(f"{name}s: {sum(j[4] >= 0 for j in mine)} of the copies', {sum(j[4] < 0 and j[2] == 1 for j in mine)} that are nothing, {sum(j[2] < 1 for j in mine)} of no copy")
        told = []
        for half in (0, 1):
            w = fit([j for j in mine if j[0] % 2 != half])
            told += [(torch.softmax(odds(w, j[3]), 0).numpy(), j[4], j[2]) for j in mine if j[0] % 2 == half]
        best = [(q[:-1].max(), q[:-1].argmax() == m, m, weight) for q, m, weight in told]
        own = [b for b in best if b[2] >= 0]
        print(f"  taken for itself: {np.mean([q >= 0.5 and right for q, right, _, _ in own]):.4f}; for another: {np.mean([q >= 0.5 and not right for q, right, _, _ in own]):.4f}")
        for least, most in ((0.5, 0.9), (0.9, 0.95), (0.95, 0.99), (0.99, 0.995), (0.995, 0.998), (0.998, 1.1)):
            here = [b for b in best if least <= b[0] < most]
            right, nothing = sum(b[1] for b in here if b[2] >= 0), sum(b[2] < 0 and b[3] == 1 for b in here)
            print(f"  said {least} to {min(most, 1)}: {right} right, {sum(not b[1] for b in here if b[2] >= 0)} another, {nothing} nothing, {sum(b[3] < 1 for b in here)} of no copy")
        said.append(f"{name}=" + ",".join(f"{float(v):.2f}" for v in fit(mine)))
    print("weights: " + " ".join(said))


if __name__ == "__main__":
    main()
