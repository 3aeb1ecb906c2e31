"""Fits how sure a reader of prints may be, on made copies that trained nothing.

    python sure.py --scenes DIR --model print-reader.onnx --refiner face-refiner.onnx [--closer 0.65] [--test DIR]
    python sure.py --scenes DIR --model print-reader.onnx --refiner face-refiner.onnx --comparer print-comparer.onnx [--chooser print-chooser.onnx] [--test DIR]

DIR: tables.py --enrol. Every die whose top face is mostly seen is read as the program reads it (src/vision/reader/: one
view, seven where that leaves a doubt, all where those do, the same sum of exp(scale * likeness)), by an outline that is off as the detector's are and then
refined, against the true cut-outs of the enrolment photographs. A logistic regression on the log-odds of the likeliest face and its likeness says how often it is right.
Where faces' middles are looked at, too (--closer, or the file's own), they are a second witness: the two sums are multiplied.
Dice of no copy count a tenth: made tables are strewn with them. Colours, which the program asks too, are left out.
With --comparer what is not sure by the file's own numbers is held beside the pictures of its likeliest faces (comparer.py); then what both say counts as much as
makes the faces that are there likeliest (two weights), and the regression is of what that comes to. With --chooser, too, what is likely still is held between the
pictures of two faces of a kind at a time (chooser.py): by three weights of their own such faces share what they have by vectors and comparer, and a regression of its own says how sure that is. What is sure by the file's own numbers is held beside the
pictures of its face, too: another regression says whether it still is.
Printed: how it does on copies left out of the fit in six parts, on DIR of --test, and `fitted:` what export.py, or that of comparer.py and chooser.py, takes.
"""
import argparse
import glob
import os

import cv2
import numpy as np
import onnx
import onnxruntime

import comparer
import reader
import refiner
from told_apart import dice, enrolled, middle, picture

# scale, right, down (in sides), degrees: VIEWS of src/vision/shift.rs
N, S = 0.04, 0.045
VIEWS = [(1, 0, 0, 0), (1, N, N, 0), (1, -N, -N, 0), (1, S, 0, 0), (1, -S, 0, 0), (1, 0, S, 0), (1, 0, -S, 0), (0.97, 0, 0, 0), (1.04, 0, 0, 0),
         (0.97, S, 0, 0), (0.97, -S, 0, 0), (0.97, 0, S, 0), (0.97, 0, -S, 0), (1, 0, 0, 4), (1, 0, 0, -4), (1.02, 0, 0, 8), (1.02, 0, 0, -8)]
SURE, AT_BEST, STRANGERS = 0.99, 0.9, 0.1
DOUBTED = 0.03  # as in src/vision/reader/judge.rs
FACES, PICTURES, LEAST = 4, 3, 1e-3  # as in src/vision/reader/compare.rs
LIKELY = 0.01  # as in src/vision/reader/choose.rs
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


def looks(scenes, vectors, refine, parts, compare=None, choose=None):
    """For each die: copy, likenesses (face and middle, views, faces), which face it shows (-1: of no copy), and, where compare(seen, owners' pictures) is
    given, a function that says the log-odds of such faces as it is asked about; where choose(seen, owners' pictures of both) is, another one that says the log-odds of each of such
    faces against each."""
    r = np.random.default_rng(5)
    out = []
    for copy in sorted(glob.glob(os.path.join(scenes, "copy-*"))):
        cuts, names = enrolled(copy)
        if not cuts:
            continue
        own, faces = [vectors(enrolled(copy, part)[0]) for part in parts], sorted(set(names))
        which = np.array([faces.index(n) for n in names])
        owners = pictures_of(copy, faces) if compare else None
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
                by_face = np.stack([np.stack([q[:, which == f].max(1) for f in range(len(faces))], 1) for q in like])
                odds = chosen = kinds = None
                if compare:
                    # `enrolled` has each picture in four turns
                    turns = [int(np.flatnonzero(which == f)[like[0][:, which == f].max(0).argmax()]) % 4 for f in range(len(faces))]
                    odds = lambda asked, im=im, outline=outline, turns=turns, owners=owners: compare([(im, np.float32(np.roll(outline, turns[f], 0)), owners[f]) for f in asked])
                if choose:
                    chosen = lambda asked, im=im, outline=outline, turns=turns, owners=owners: against(choose, im, outline, turns, owners, asked)
                kinds = [kind for kind, _ in faces]
                out.append((os.path.basename(copy), by_face, faces.index(show) if show in faces else -1, (odds, chosen, kinds)))
    return out


def against(choose, im, outline, turns, owners, asked):
    """Log-odds (asked, asked) of each face against each, likeliest first; nan where one is not held against another, since it is upright in another turn."""
    out = np.full((len(asked), len(asked)), np.nan)
    for i, f in enumerate(asked):
        for j, g in list(enumerate(asked))[i + 1 :]:
            if turns[f] == turns[g]:
                out[i, j] = choose(im, np.float32(np.roll(outline, turns[f], 0)), owners[f], owners[g])
                out[j, i] = -out[i, j]
    return out


def pictures_of(copy, faces):
    """What an owner's photographs show of each face, as the net that compares takes it."""
    out = {f: [] for f in faces}
    for path in sorted(glob.glob(os.path.join(copy, "enrol", "die_*.json"))):
        o, poly = next(dice(path))
        out[o["kind"], o["symbol"]].append(reader.rectify(picture(path[:-5] + ".jpg"), poly, comparer.SIZE, comparer.MARGIN))
    return [out[f][:PICTURES] for f in faces]


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
    for copy, like, face, _ in some:
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


def judged(some, scale, none, near, th):
    """Each die with its likenesses by as many views as are looked at, its evidence, and whether it is sure by the vectors."""
    for copy, like, face, odds in some:
        for views in (*STAGES, like.shape[1]):
            x, _ = row(like[:, :views], scale, none)
            if sure := x[1] + AT_BEST >= near and 1 / (1 + np.exp(-np.dot(x, th))) >= SURE:
                break
        seen = like[:, :views]
        e = np.exp(scale * (seen - 1)).sum(1)
        e[1:] = np.maximum(e[1:], DOUBTED * e[1:].max(1, keepdims=True))
        yield copy, seen, face, odds, e.prod(0), sure


def surely(some, numbers, th):
    """Of each die that is sure by its vectors: copy, the log-odds of its face beside its pictures, whether it is that face, and whether it is of no copy."""
    return [(copy, *odds[0]([int(e.argmax())]), int(e.argmax()) == face, face < 0) for copy, _, face, odds, e, sure in judged(some, *numbers, th) if sure]


def doubtful(some, scale, none, near, th, before=None):
    """Of each die that is not sure by all views: copy, what is said of each face and of none (the last): logarithms of what the vectors say, log-odds of the pictures beside it; likenesses, which face
    it shows (the last where none), and, given the weights of the former two, of each kind's faces that are likely by them and are held against each other, which these are and what came of it."""
    out = []
    for copy, like, face, (odds, chosen, kinds), e, sure in judged(some, scale, none, near, th):
        if sure:
            continue
        order = [f for f in np.argsort(-e)[:FACES] if e[f] >= LEAST * e.max()]
        asked = odds(order)
        says = np.full(len(e) + 1, min(0.0, min(asked)))
        says[order], says[-1] = asked, 0.0
        logs = np.log(np.append(e, (like.shape[1] * np.exp(scale * (none - 1))) ** len(like)))
        groups = []
        if before is not None:
            z = before[0] * logs + before[1] * says
            likely = [f for f in order if z[f] >= z[order].max() + np.log(LIKELY)]
            for kind in dict.fromkeys(kinds[f] for f in likely):
                group = [f for f in likely if kinds[f] == kind]
                against_each = chosen(group)
                if not np.isnan(against_each).all():
                    groups.append((group, np.nansum(against_each, 1) / len(group)))
        out.append((copy, np.stack([logs, says], 1), like[0].max(0), face if face >= 0 else len(e), groups))
    return out


def weighed(some):
    """What each of several log-odds counts, so that the faces that are there are likeliest: a fit of (what is said of each (faces, log-odds), which it is, what that counts)."""
    n = some[0][0].shape[1]
    w = np.full(n, 0.7)
    for _ in range(40):
        g, H = np.zeros(n), 1e-3 * np.eye(n)
        for f, face, count in some:
            p = np.exp(f @ w - (f @ w).max())
            p /= p.sum()
            mean = p @ f
            g += count * (f[face] - mean)
            H += count * ((f - mean).T * p) @ (f - mean)
        w = np.clip(w + 0.5 * np.linalg.solve(H, g), 0.0, 10.0)
    return w


def of_pictures(some):
    """Vectors and pictures: with none among the faces, strangers counting a tenth."""
    return weighed([(said, face, STRANGERS if face == len(said) - 1 else 1.0) for _, said, _, face, _ in some])


def of_choice(some):
    """Vectors, pictures and choices: among the faces of one kind that were held against each other, where one of these is right."""
    return weighed([(np.column_stack([said[group], scores]), group.index(face), 1.0) for _, said, _, face, groups in some for group, scores in groups if face in group])


def both(some, w, choice=None):
    """As `features`: what the regression sees of each, and so on; by the weights of vectors and pictures, and of `choice`, by which a kind's faces share what they have by the former:
    where these make another face the likeliest, it stays the one it was, and is not sure."""
    X, right, strange, copies, chosen = [], [], [], [], []
    for copy, said, like, face, groups in some:
        z = said @ w
        p = np.exp(z - z.max())
        p /= p.sum()
        best = int(p[:-1].argmax())
        if choice is not None:
            for group, scores in groups:
                q = np.column_stack([said[group], scores]) @ choice
                q = np.exp(q - q.max())
                p[group] = p[group].sum() * q / q.sum()
        doubted = best != int(p[:-1].argmax())
        q = np.clip(0 if doubted else p[best], 1e-12, 1 - 1e-12)
        X.append([np.log(q / (1 - q)), like[best] - AT_BEST, 1])
        right.append(best == face), strange.append(face == len(p) - 1), copies.append(copy), chosen.append(any(best in group for group, _ in groups) - 2 * doubted)
    return np.array(X), np.array(right), np.array(strange), np.array(copies), np.array(chosen, int)


def compared(some, numbers, th, test=None, chooses=False):
    """Fits and shows what comes of holding dice beside their pictures, and, where it `chooses`, between two."""
    near = numbers[2]
    every = doubtful(some, *numbers, th)
    copies = sorted({q[0] for q in every})
    split = lambda d, k: [q for q in d if copies.index(q[0]) % 6 != k]

    def say(name, parts):
        p, right, strange = (np.concatenate(v) for v in zip(*parts))
        sure, known = p >= SURE, ~strange
        nearly = (p >= 0.9) & ~sure & known
        print(f"{name}: {known.sum()} doubtful dice, right {right[known].mean():.4f}, sure {sure[known].sum()}, wrong and sure {(sure & ~right & known).sum()}; "
              f"{strange.sum()} of no copy, sure {(sure & strange).sum()}; said to be 90 to 99 % right: {nearly.sum()}, right {right[nearly].mean():.4f}")

    def told(d, w, choice, t, only):
        """Of dice, those that a choice was made of if `only`: how sure, whether right, whether of no copy."""
        X, right, strange, _, chosen = both(d, w, choice)
        which = chosen != 0 if only else np.ones(len(d), bool)
        p = np.where((X[:, 1] + AT_BEST < near) | (chosen < 0), 0, 1 / (1 + np.exp(-X @ t)))
        return p[which], right[which], strange[which]

    def sureness(d, w, choice, only):
        X, right, strange, _, chosen = both(d, w, choice)
        ok = (X[:, 1] + AT_BEST >= near) & ((chosen > 0) | (not only))
        return fit(X[ok], right[ok], strange[ok])

    def fitted_to(d, tested, name, choose, only):
        """Weights and regression; prints how it does on copies left out of the fit, and on others."""
        def of(some):
            w = of_pictures(some)
            choice = of_choice(some) if choose else None
            return w, choice, sureness(some, w, choice, only)

        say("copies left out" + name, [told([q for q in d if copies.index(q[0]) % 6 == k], *of(split(d, k)), only) for k in range(6)])
        own = of(d)
        if tested:
            say("test           " + name, [told(tested, *own, only)])
        return own

    own = fitted_to(every, doubtful(test, *numbers, th) if test else None, "", False, False)
    if chooses:
        d = doubtful(some, *numbers, th, own[0])
        tested = doubtful(test, *numbers, th, own[0]) if test else None
        # how well the same dice are read without
        fitted_to(d, tested, ", where there is a choice, without it", False, True)
        choice = fitted_to(d, tested, ", where there is a choice", True, True)

    def of_sure(d):
        _, said, right, strange = map(np.array, zip(*d))
        return fit(np.stack([said, np.ones(len(d))], 1), right, strange)

    def say_sure(name, d, of):
        still = np.array([1 / (1 + np.exp(-of(copy) @ [said, 1])) >= SURE for copy, said, _, _ in d])
        _, _, right, strange = map(np.array, zip(*d))
        count = lambda which: f"{which.sum()}, still {(which & still).sum()}"
        print(f"{name}: sure and right {count(right)}; wrong {count(~right & ~strange)}; of no copy {count(strange)}")

    sure = surely(some, numbers, th)
    sure_folds = [of_sure([q for q in sure if copies.index(q[0]) % 6 != k]) for k in range(6)]
    still = of_sure(sure)
    say_sure("copies left out", sure, lambda copy: sure_folds[copies.index(copy) % 6])
    if test:
        say_sure("test           ", surely(test, numbers, th), lambda copy: still)
    numbers_of = lambda name, some: f" --{name} " + " ".join(f"{v:.3f}" for v in some)
    print("fitted:" + numbers_of("weights", own[0]) + numbers_of("sure", own[2]) + numbers_of("still", still))
    if chooses:
        print("fitted chooser:" + numbers_of("weights", choice[1]) + numbers_of("sure", choice[2]))


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
    a.add_argument("--comparer", help="the net that looks at faces beside their pictures: its numbers are fitted, the reader's stay as the file has them")
    a.add_argument("--chooser", help="the net that looks at faces between two others' pictures, besides")
    a.add_argument("--test")
    given = a.parse_args()
    if given.chooser and not given.comparer:
        a.error("--chooser goes with --comparer")
    a = given
    held = {p.key.removeprefix("sightline."): p.value for p in onnx.load(a.model).metadata_props}
    numbers = [float(held[k]) for k in ("scale", "none", "near")]
    session = onnxruntime.InferenceSession(a.model, providers=["CPUExecutionProvider"])
    run = lambda ims: session.run(None, {"faces": (np.float32(np.stack(ims)).transpose(0, 3, 1, 2) - reader.MEAN) / reader.STD})[0]
    vectors = lambda ims: np.concatenate([run(ims[i : i + 64]) for i in range(0, len(ims), 64)])
    refine = refiner.by(a.refiner)
    closer = a.closer or float(held.get("closer", 1))
    parts = [1.0] + [closer] * (closer < 1)
    own = [float(held[k]) for k in ("sure_odds", "sure_likeness", "sure_bias")] if "sure_odds" in held else None
    if a.comparer:
        net = onnxruntime.InferenceSession(a.comparer, providers=["CPUExecutionProvider"])
        planes = lambda im: (np.float32(im).transpose(2, 0, 1) - comparer.MEAN) / comparer.STD

        def compare(asked):
            out = []
            for im, outline, owners in asked:
                seen = planes(reader.rectify(im, outline, comparer.SIZE, comparer.MARGIN))
                pairs = np.stack([np.concatenate([seen, planes(o)]) for o in owners])
                out.append(float(net.run(None, {"pairs": pairs})[0].mean()))
            return out

        between = onnxruntime.InferenceSession(a.chooser, providers=["CPUExecutionProvider"]) if a.chooser else None

        def choose(im, outline, first, second):
            seen = planes(reader.rectify(im, outline, comparer.SIZE, comparer.MARGIN))
            triples = np.stack([np.concatenate([seen, planes(first[k % len(first)]), planes(second[k % len(second)])]) for k in range(max(len(first), len(second)))])
            return float(between.run(None, {"triples": triples})[0].mean())

        given = lambda folder: looks(folder, vectors, refine, parts, compare, choose if between else None)
        compared(given(a.scenes), numbers, np.array(own), given(a.test) if a.test else None, between is not None)
        return
    some = looks(a.scenes, vectors, refine, parts)
    copies = sorted({d[0] for d in some})
    folds = [fitted([d for d in some if copies.index(d[0]) % 6 != k], numbers) for k in range(6)]
    show("odds as they are", some, numbers, lambda copy: AS_IS)
    show("copies left out ", some, numbers, lambda copy: folds[copies.index(copy) % 6])
    th = fitted(some, numbers)
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
