"""How well a film of match.py was followed: the lines of `sightline run --json` against the film's truth.

    sightline run --video F.mp4 --copy COPY --declare F.declare.jsonl --json > F.out
    python score.py F [G ...] [--list]   reads F.truth.jsonl and F.out; several are pooled; --list names dice told late or never

F+G+H is one match that several cameras saw (match.py --view), called F, G and H in the rig; F.out has the lines. A die can be seen
as soon as one of them sees it.

Where F.readable.json lies beside them (models/train/readable.py), what a person can read is counted apart, too.

Printed: minutes; dice that came to lie, told of, told twice, late; events of nothing; problems; exact tables after three
seconds of stillness. A die on a display that is nudged comes to lie nowhere: it rides along, and is to be kept, not told of anew. With each count its 95 % upper bound (Wilson) where it should be none.
"""
import argparse
import json
import math
import os

import cv2
import numpy as np

STILL_S = 3.0
LATE_S = 0.6  # what --list names
SEARCHED_S = 4.5  # until then displays are searched for, and no die is read
EARLY_S = 0.2  # a die that is told of so long before it lies still, where and as it lies then, is told of early
SHORT_S = 0.8  # what lies for a shorter time need not be told of
SOON_S = 1.4  # after a nudge, until the hand is away and the next one begins
FOLLOWED_MM = 3.0
READ_NCC, READ_MARGIN = 0.8, 0.03  # as src/cli/eval_dice.rs has them: a print that agrees so well with its own, and so much better than with others, can be read by a person
VISIBLE = 0.8  # part of a top face that has to be in the picture for the die to be one that can be told of


def wilson(k, n):
    if n == 0:
        return 0.0, 1.0
    z, p = 1.96, k / n
    mid, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max((mid - half) / (1 + z * z / n), 0), min((mid + half) / (1 + z * z / n), 1)


def middle(q):
    return np.mean(np.array(q), 0)


def side(q):
    q = np.array(q)
    a, b = q[2] - q[0], q[3] - q[1]
    return math.sqrt(abs(a[0] * b[1] - a[1] * b[0]) / 2)


def within(q, size):
    """Which part of a quadrilateral lies in the picture."""
    q = np.array(q, np.float32)
    w, h = size
    part, _ = cv2.intersectConvexConvex(q, np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32))
    return part / max(cv2.contourArea(q), 1e-6)


def can_be_read(ncc, margin):
    return ncc >= READ_NCC and margin >= READ_MARGIN


class Lie:
    """A die that lies still, from when it is seen until it is taken."""

    def __init__(self, line):
        self.line, self.die, self.begins, self.ends = line, line["die"], line["at_s"], math.inf
        self.at, self.side = middle(line["polygon"]), side(line["polygon"])
        self.seen, self.hidden = line["at_s"], []
        self.told = []
        self.outside = False
        self.rode = None  # how it lay until its display was nudged

    def show(self):
        return self.line["kind"], self.line["symbol"]

    def name(self):
        """Which die, and since when: its key in F.readable.json."""
        return f"{self.die}@{self.begins}"


def truth(path):
    lies, open_, problems, busy, end, size = [], {}, {}, [], 0.0, None
    last, nudged = {}, {}
    for l in map(json.loads, open(path)):
        what, at = l["what"], l["at_s"]
        end = max(end, at)
        if what == "film":
            size = l["size"]
            continue
        if what not in ("problem", "mended", "declared"):
            busy.append(at)
        if what == "nudged":
            nudged[l["surface"]] = at
        if what == "lies":
            open_[l["die"]] = Lie(l)
            before = last.get(l["die"])
            if nudged.get(l["surface"]) == at and before and before.line["surface"] == l["surface"] and before.show() == open_[l["die"]].show():
                open_[l["die"]].rode = before
            last[l["die"]] = open_[l["die"]]
            open_[l["die"]].outside = size is not None and within(l["polygon"], size) < VISIBLE
            lies.append(open_[l["die"]])
        elif what == "leaves" and l["die"] in open_:
            open_.pop(l["die"]).ends = at
        elif what == "covered" and l["die"] in open_:
            q = open_[l["die"]]
            q.hidden.append([at, math.inf])
            if at <= q.seen + 1e-6:
                q.seen = math.inf
        elif what == "seen" and l["die"] in open_:
            q = open_[l["die"]]
            if q.hidden:
                q.hidden[-1][1] = at
            if q.seen == math.inf:
                q.seen = at
        elif what == "problem":
            problems[l["die"], at] = dict(die=l["die"], lie=open_.get(l["die"]), begins=at, ends=math.inf, surface=l["surface"])
        elif what == "mended":
            for p in problems.values():
                if p["die"] == l["die"] and p["ends"] == math.inf:
                    p["ends"] = at
    for q in lies:
        # covered in the frame in which it came to lie: seen once the hand is gone
        if q.hidden and q.hidden[0][0] <= q.begins + 0.07:
            q.seen = q.hidden[0][1]
    return lies, list(problems.values()), sorted(busy), end, size


def pushed(name):
    """Displays that were nudged where they had been found: (all of them, followed, how far the farthest corner is off, mm)."""
    lines = [json.loads(l) for l in open(name + ".truth.jsonl")]
    seen = [l for l in map(json.loads, open(name + ".out")) if l["type"] == "surface"]
    n, off = 0, []
    for p in lines:
        if p["what"] != "nudged" or "corners" not in p:
            continue
        mine = [s for s in seen if s["id"].replace(".", "-") == p["surface"].replace("/", "-").replace(".", "-")]
        before, after = ([s for s in mine if s["at_s"] < p["at_s"] + late] for late in (-1.5, SOON_S))
        if not before or before[-1]["change"] in ("hidden", "lost"):
            continue
        n += 1
        if after[-1]["change"] not in ("hidden", "lost"):
            q = np.array(p["corners"])
            mm = np.mean(p["size_mm"]) / np.mean([np.linalg.norm(q[i] - q[i - 1]) for i in range(4)])
            off.append(mm * np.linalg.norm(np.array(after[-1]["corners"]) - q, axis=1).max())
    return n, sum(o < FOLLOWED_MM for o in off), off


def score(name):
    name, *others = name.split("+")
    lies, problems, busy, end, size = truth(name + ".truth.jsonl")
    views = {os.path.basename(o): {q.name(): q for q in truth(o + ".truth.jsonl")[0]} for o in others}
    for q in lies:
        seen = [v[q.name()] for v in views.values() if q.name() in v]
        q.seen = min([q.seen] + [o.seen for o in seen])
        q.outside = q.outside and all(o.outside for o in seen)
    legible = None
    if os.path.exists(name + ".readable.json"):
        with open(name + ".readable.json") as f:
            legible = {k: can_be_read(v["ncc"], v["margin"]) for k, v in json.load(f).items()}
        if unknown := set(legible) - {q.name() for q in lies}:
            raise SystemExit(f"{name}.readable.json: {len(unknown)} dice that are not in the film's truth: it is another film's")
    can = lambda q: legible is not None and legible.get(q.name(), False)
    events, game = [], []
    last = 0.0
    for l in map(json.loads, open(name + ".out")):
        last = max(last, l["at_s"])
        if l["type"] == "event":
            events.append(l)
        elif l["type"] == "game":
            game.append(l)
    end = max(end, last)
    nothing, early = [], 0
    for e in events:
        if e["change"] in ("taken", "hidden", "shown", "rezoned"):
            continue
        p, view = middle(e["polygon"]), views.get(e.get("camera"))
        # as the camera whose frame it is sees it
        as_seen = lambda q: view.get(q.name(), q) if view else q
        there = [q for q in lies if q.begins - EARLY_S <= e["at_s"] <= q.ends + 0.3 and np.linalg.norm(as_seen(q).at - p) < 0.5 * as_seen(q).side]
        near = [q for q in there if q.begins - 0.05 <= e["at_s"]]
        if not near:
            near = [q for q in there if q.show() == (e["kind"], e["face"])]
            early += bool(near)
        if near:
            near[-1].told.append(e)
        else:
            nothing.append(e)
    out = dict(minutes=end / 60, displays=0, on_displays=0, lies=0, told=0, right=0, surely=0, sure_right=0, twice=0, zone=0, zones=0, late=[], later=[], each=[], rode=0, kept=0, nothing=len(nothing), early=early, problems=0, found=0, soon=0, false=0, moments=0, exact=0, wrong=0, legible=0, legible_told=0, legible_right=0, legible_sure=0, legible_problems=0, legible_found=0, legible_moments=0, legible_exact=0)
    for q in lies:
        if q.outside or min(q.ends, end) - q.seen < SHORT_S:
            continue
        known = {e["die"] for e in q.rode.told} if q.rode else set()
        if known:
            out["wrong"] += any((e["kind"], e["face"]) != q.show() and e["status"] == "sure" for e in q.told)
            q.told = q.rode.told + q.told
            out["rode"] += 1
            out["kept"] += not any(e["change"] == "taken" and e["die"] in known and q.rode.ends - 0.1 <= e["at_s"] <= q.ends - 0.3 for e in events)
            continue
        out["lies"] += 1
        out["displays"] += bool(q.line["surface"])
        out["on_displays"] += bool(q.line["surface"] and q.told)
        out["legible"] += can(q)
        if not q.told:
            out["each"].append(f"never told: {q.show()} on {q.line['surface']} from {q.seen:.2f} s to {min(q.ends, end):.2f}, {q.side:.0f} px at {q.at.round().tolist()}")
            continue
        first = q.told[0]
        if first["at_s"] - q.seen > LATE_S:
            out["each"].append(f"told after {first['at_s'] - q.seen:.2f} s: {q.show()} on {q.line['surface']} from {q.seen:.2f} s, {q.side:.0f} px at {q.at.round().tolist()}")
        out["told"] += 1
        out["right"] += (first["kind"], first["face"]) == q.show()
        # what was not surely read at first may be read surely later
        sure = next((e for e in q.told if e["status"] == "sure"), None)
        out["surely"] += sure is not None
        if can(q):
            out["legible_told"] += 1
            out["legible_right"] += (first["kind"], first["face"]) == q.show()
            out["legible_sure"] += sure is not None
        out["sure_right"] += sure is not None and (sure["kind"], sure["face"]) == q.show()
        out["wrong"] += any((e["kind"], e["face"]) != q.show() and e["status"] == "sure" for e in q.told)
        placed = [e for e in q.told if e["change"] == "placed"]
        out["twice"] += len(placed) > 1
        if len(placed) > 1:
            out["each"].append(f"told twice: {q.show()} on {q.line['surface']} from {q.seen:.2f} s, " + ", ".join(f"{e['die']} {e['kind']} {e['face']} {e['status']} at {e['at_s']:.2f}" for e in placed))
        late = max(first["at_s"] - q.seen, 0.0)
        out["late"].append(late)
        if q.seen >= SEARCHED_S:
            out["later"].append(late)
    begun = [g for g in game if g["happened"] == "problem_begins"]
    # "white.shields.3" is on white-shields
    on = lambda g, p: g["at"].replace(".", "-").startswith(str(p["surface"]).replace(".", "-"))
    for p in problems:
        if p["lie"] is None or p["lie"].outside or min(p["ends"], end) - p["lie"].seen < 1.2:
            continue
        out["problems"] += 1
        hits = [g for g in begun if on(g, p) and p["lie"].seen - 0.2 <= g["at_s"] <= p["ends"]]
        out["found"] += bool(hits)
        if can(p["lie"]):
            out["legible_problems"] += 1
            out["legible_found"] += bool(hits)
        out["soon"] += any(g["at_s"] - p["lie"].seen <= 1.0 for g in hits)
    for g in begun:
        out["false"] += not any(on(g, p) and p["begins"] - 0.2 <= g["at_s"] <= min(p["ends"], end) + 0.5 for p in problems)
    # tables: what is told of against what lies on displays
    table, todo = {}, sorted(events, key=lambda e: e["at_s"])
    k = 0
    for t in np.arange(STILL_S, end, 0.5):
        while k < len(todo) and todo[k]["at_s"] <= t:
            e = todo[k]
            k += 1
            if e["change"] == "taken":
                table.pop(e["die"], None)
            elif e["change"] != "hidden":
                table[e["die"]] = (e.get("surface"), e["kind"], e["face"])
        if any(t - STILL_S < b <= t for b in busy):
            continue
        named = lambda s: str(s).replace(".", "-")
        on_displays = [q for q in lies if q.begins <= t < q.ends and q.line["surface"] and not q.outside]
        lying = sorted((named(q.line["surface"]), *q.show()) for q in on_displays)
        known = sorted((named(s), str(a), str(b)) for s, a, b in table.values() if s)
        out["moments"] += 1
        out["exact"] += lying == known
        if on_displays and all(map(can, on_displays)):
            out["legible_moments"] += 1
            out["legible_exact"] += lying == known
    return out


def film(name):
    """A film's name without what it ends on, once its truth and what was said of it are known to lie beside it."""
    first, *others = (q.removesuffix(".mp4") for q in name.split("+"))
    for path in [first + ".out"] + [q + ".truth.jsonl" for q in (first, *others)]:
        if not os.path.exists(path):
            raise SystemExit(f"{path}: no such file; match.py writes F.truth.jsonl, and F.out has what `sightline run --json` says of the film")
    return "+".join([first, *others])


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("films", nargs="+", metavar="F", help="a film of match.py, with or without its .mp4; F+G+H is one match that several cameras saw")
    ap.add_argument("--list", action="store_true", help="name the dice that are told late or never, or twice")
    a = ap.parse_args()
    names = [film(name) for name in a.films]
    total = None
    for name in names:
        s = score(name)
        total = s if total is None else {k: total[k] + s[k] for k in s}
    nudges = [pushed(name) for name in names if "+" not in name]
    n, followed, off = (sum((q[i] for q in nudges), [] if i == 2 else 0) for i in range(3))
    if n:
        print(f"displays nudged where they had been found: {n}, followed {followed}; farthest corner off: median {np.median(off):.2f} mm, 95 % {np.quantile(off, 0.95):.2f}, most {max(off):.2f}")
    s = total
    of = lambda k, n: f"{k} of {n}, {100 * k / max(n, 1):.1f} % ({100 * wilson(k, n)[0]:.1f} to {100 * wilson(k, n)[1]:.1f})"
    late = np.array(s["late"]) if s["late"] else np.array([math.nan])
    print(f"{s['minutes']:.1f} minutes")
    print(f"dice that came to lie: told of {of(s['told'], s['lies'])} (on displays and boards {of(s['on_displays'], s['displays'])}); right {of(s['right'], s['told'])}; read surely {of(s['surely'], s['lies'])}, of those right {s['sure_right']}; wrong and sure {s['wrong']}; told twice {s['twice']}")
    if any(os.path.exists(name + ".readable.json") for name in names):
        print(f"that a person can read: told of {of(s['legible_told'], s['legible'])}; right {of(s['legible_right'], s['legible_told'])}; read surely {of(s['legible_sure'], s['legible'])}; problems found {of(s['legible_found'], s['legible_problems'])}; tables on which all can be read: exact {of(s['legible_exact'], s['legible_moments'])}")
    if s["rode"]:
        print(f"dice that rode along on a nudged display, told of before: {s['rode']}, kept {s['kept']}")
    print(f"told after they could be seen: median {np.median(late) * 1000:.0f} ms, p95 {np.quantile(late, 0.95) * 1000:.0f} ms")
    if s["later"]:
        later = np.array(s["later"]) * 1000
        print(f"of the {len(later)} that could be seen after {SEARCHED_S} s: median {np.median(later):.0f} ms, p95 {np.quantile(later, 0.95):.0f} ms")
    print(f"events of nothing: {s['nothing']} ({s['nothing'] / max(s['minutes'], 1e-9):.2f} a minute); told of up to {EARLY_S} s before it lay still, as it lies: {s['early']}")
    print(f"problems: found {of(s['found'], s['problems'])}, within a second {of(s['soon'], s['problems'])}; false {s['false']}")
    if a.list:
        print("\n".join(s["each"]))
    print(f"tables after {STILL_S:.0f} s of stillness: exact {of(s['exact'], s['moments'])}")


if __name__ == "__main__":
    main()
