"""How sure a ship or token is that the program tells of on whole tables: what piece_chances.py fitted on surfaces, put right by tables.

    sightline eval --scenes DIR/copy-NNNN --copy COPY --each [--effort live] > TOLD      for each copy of tables.py --enrol
    python recalibrate.py TOLD [TOLD ...] [--model piece-reader.onnx --form ship] [--often] [--test TOLD ...]

Surfaces of squares.py are small, dark, blurred and crowded on purpose; those of a table are less so, and what is said there with a chance
of 0.8 is right more often. The log-odds that something is one piece of the copy are linear in what is measured of it, so that
odds' = a * odds + b is the same rule with other numbers: all of a form's weights times a, and b less for none. a and b are
found by likelihood, held to 1 and 0 by normal priors of deviation PRIOR, since where all are right nothing else would hold them. Printed: what is
right by chance before and after, a fit of one half of the copies on the other; with --model the file is written anew for each --form (--often: for
pictures shown several ways, as `read` does).
"""
import argparse
import json

import numpy as np

PRIOR = np.array([0.5, 1.0])
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.01)
FORMS = ("ship", "token")


def read(paths):
    """By form: log-odds said, whether it is so, and which file said it."""
    out = {form: [] for form in FORMS}
    for number, path in enumerate(paths):
        for line in open(path):
            told = json.loads(line)
            if told["form"] in out:
                c = min(max(told["confidence"], 1e-4), 1 - 1e-4)
                out[told["form"]].append((np.log(c / (1 - c)), told["said"] == told["is"], number))
    return {form: np.array(rows, np.float64).reshape(-1, 3) for form, rows in out.items()}


def fit(odds, right, steps=200):
    """a and b by Newton's steps."""
    x = np.stack([odds, np.ones_like(odds)], 1)
    start = np.array([1.0, 0.0])
    w = start.copy()
    for _ in range(steps):
        p = 1 / (1 + np.exp(-x @ w))
        slope = x.T @ (right - p) - (w - start) / PRIOR**2
        bend = (x * (p * (1 - p))[:, None]).T @ x + np.diag(1 / PRIOR**2)
        step = np.linalg.solve(bend, slope)
        w += np.clip(step, -0.5, 0.5)
        if abs(step).max() < 1e-9:
            break
    return w


def curve(odds, right):
    p = 1 / (1 + np.exp(-odds))
    bins = [(p >= lo) & (p < hi) for lo, hi in zip(BINS, BINS[1:])]
    loss = -np.mean(np.where(right > 0.5, np.log(p), np.log(1 - p)))
    text = ", ".join(f"{lo:.2f}: {int(right[m].sum())} of {int(m.sum())}" for lo, m in zip(BINS, bins) if m.any())
    return f"{text}; loss {loss:.4f}"


def rewrite(path, form, before, w):
    import onnx

    model = onnx.load(path)
    for p in model.metadata_props:
        key = p.key.removeprefix("sightline.")
        if key in [f"{before}{form}_{name}" for name in ("scale", "print", "score")]:
            p.value = repr(round(float(p.value) * float(w[0]), 3))
        elif key == f"{before}{form}_none":
            p.value = repr(round(float(p.value) * float(w[0]) - float(w[1]), 3))
    onnx.save(model, path)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("told", nargs="+")
    p.add_argument("--test", nargs="*", default=[])
    p.add_argument("--model")
    p.add_argument("--form", action="append", choices=FORMS, default=[])
    p.add_argument("--often", action="store_true")
    a = p.parse_args()
    rows, test = read(a.told), read(a.test)
    for form in FORMS:
        odds, right, copy = rows[form].T
        print(f"{form}: {len(odds)} of {len(set(copy))} copies, as said: {curve(odds, right)}")
        even = copy % 2 == 0
        crossed = odds.copy()
        for here in (even, ~even):
            w = fit(odds[here], right[here])
            crossed[~here] = w[0] * odds[~here] + w[1]
        print(f"  by the other half's fit: {curve(crossed, right)}")
        w = fit(odds, right)
        print(f"  a {w[0]:.4f}, b {w[1]:.4f}")
        if a.test:
            odds, right, copy = test[form].T
            print(f"  others, {len(set(copy))} copies, as said: {curve(odds, right)}\n    and then: {curve(w[0] * odds + w[1], right)}")
        if a.model and form in a.form:
            rewrite(a.model, form, "often_" if a.often else "", w)


if __name__ == "__main__":
    main()
