"""Tables with made copies of Dice Duel on them, as webcams see them, with exact truth.

    python tables.py --out DIR --copies 60 --pictures 600 --seed 500 [--first 0] [--enrol] [--jobs 2] [--edges] [--large]
                     [--renderer cycles]

Makes copies FIRST to FIRST + COPIES - 1 of the seed and PICTURES pictures of them in all:

    DIR/copy-NNNN/owner.json, enrol/            as an owner's folder for `sightline enrol --from` (with --enrol)
    DIR/copy-NNNN/{team,board,whole}/NAME.jpg, NAME.json    for `sightline eval --scenes`
    DIR/truth-JOB.jsonl                         one line a picture, for train/data.py (`synthetic(DIR)`)

What is there already is not made again; stop it with Ctrl-C and start it again. A picture depends on seed, copy and
its number alone. Truth has the fields of ../../../shared/table-photos (README.md there); besides, each die of a line has
`symbol` (id over all copies; below 6: pips), `name`, `turns` (quarter turns after which it looks the same), `kind_id`,
`rotation` (degrees, of the symbol's right in the picture, clockwise from the picture's right), `poly` (top face from
the symbol's upper left, clockwise), `visible` (of the top face) and `whole` (of the die). Kind `stranger`: a die of no copy.
Grounds and light borrow from photographs as scenes.py does, where --photos is there.
"""
import argparse
import json
import math
import multiprocessing as mp
import os

import cv2
import numpy as np

import art
import cards
import copies
import dice
import pieces
import progress
import scenes
import shade
import symbols
import trace
import truth
from dice import BASIS
from pieces import moved, prim, rotz

LEVELS = 4
LUT = dice.lin(np.arange(256) / 255).astype(np.float32)


def upright(face, yaw):
    """A die's rotation with that face up and its symbol's right turned by yaw from +x."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, s, 0], [s, -c, 0], [0, 0, 1.0]]) @ BASIS[face]


def pyramid(pictures, per_mm, wrap):
    """Pictures (uint8 sRGB) with smaller and smaller ones in one buffer, and where each lies."""
    bufs, dirs, at = [], np.zeros((len(pictures), LEVELS, 5)), 0
    for i, im in enumerate(pictures):
        w = im.shape[1]
        for k in range(LEVELS):
            dirs[i, k] = at, im.shape[1], im.shape[0], per_mm[i] * im.shape[1] / w, wrap[i]
            bufs.append(im.reshape(-1))
            at += im.size
            im = cv2.resize(im, (max(im.shape[1] // 2, 2), max(im.shape[0] // 2, 2)), interpolation=cv2.INTER_AREA)
    return np.concatenate(bufs), dirs


class Box:
    """A copy made ready to be laid out: its textures and its kinds of dice, strangers among them."""

    def __init__(self, seed, index, die_mm=None):
        c = self.copy = copies.make(seed, index, die_mm)
        r = np.random.default_rng([95, seed, index])
        self.names = list(c["art"]) + list(c["tokens"])
        pictures = [c["art"][k] for k in c["art"]] + [t["art"] for t in c["tokens"].values()]
        self.pictures = pictures
        self.tex = {n: i + 1 for i, n in enumerate(self.names)}
        self.kinds = [dict(c["dice"][k], name=k) for k in c["kinds"]]
        base = 4 * (50_000_000 + (seed % 100_000 * 1000 + index) * 64 + 50)
        for i in range(4):
            q = dice.kind(r)
            if i == 0:
                ids, looks = list(range(6)), np.random.default_rng([96, seed, index])
                names = [str(j + 1) for j in range(6)]
                if r.random() < 0.5:
                    q = dict(c["dice"]["energy"])
            elif i == 1:
                ids, looks, names = [-(base + 1) * 8 - j - 1 for j in range(6)], None, [str(j + 1) for j in range(6)]
            else:
                ids, looks = [base + 8 * i + j for j in range(6)], (art.style(r) if r.random() < 0.5 else None)
                names = [f"stranger-{j}" for j in range(6)]
                if r.random() < 0.5:  # as a die of this copy, but for its print
                    k = copies.FACES and c["kinds"][int(r.integers(len(c["kinds"])))]
                    q = dict(c["dice"][k])
            if "size_mm" not in q or r.random() < 0.5:
                q["size_mm"] = c["dice"]["energy"]["size_mm"]
            q.update(faces=names, ids=dict(zip(names, ids)), name="stranger", kind_id=-((seed % 100_000 * 1000 + index) * 8 + i) - 1)
            q["prints"] = np.stack([art.symbol(s, copies.PRINT, looks) for s in ids])
            q["turns"] = {n: art.same_turns(p) for n, p in zip(names, q["prints"])}
            self.kinds.append(q)
        self.kind_at = {q["name"]: i for i, q in reversed(list(enumerate(self.kinds)))}
        self.prints = np.stack([q["prints"] for q in self.kinds])
        self.kv = np.stack([dice.vector(q) for q in self.kinds])
        self.nz = np.stack([dice.noises()[q["noise"]] for q in self.kinds])

    # every die on a display lies near an edge of a zone
    edges = False
    # what makes light of a table: trace.py, or Blender's Cycles
    renderer = "trace"

    # what the game calls things, and what made copies do

    def die_of(self, station):
        return station

    def fits(self, station, zone, symbol):
        """May a die of the station that shows this lie there?"""
        if station == "helm":
            return zone in ("A", "B", "C")
        part = zone.split("/")[-1]
        return {"weapons": symbol == part, "shields": symbol == part, "sensors": symbol.startswith(part), "tractor": symbol.startswith(part)}.get(station, False)


class Table:
    """Things being laid out: solids with their owners, plates, objects. Object ids are those of the truth."""

    def __init__(self, box, r):
        self.box, self.copy, self.r = box, box.copy, r
        self.parts, self.owner, self.level = [], [], []
        self.plates, self.objects, self.levels = [], [], [0.0]
        self.pictures, self.per_mm = [None] + list(box.pictures), [0.0] + [cards.PPM] * len(box.pictures)
        self.feet = []  # (x, y, half, yaw, z, height, object): what dice must not be put into

    def add(self, parts, owner, level=-1):
        for p in parts:
            self.parts.append(p)
            self.owner.append(owner)
            self.level.append(level)

    def picture(self, im):
        self.pictures.append(im)
        self.per_mm.append(cards.PPM)
        return len(self.pictures) - 1

    def plate(self, name, kind, team, station, size, thick, centre, yaw, zones, tex, gloss):
        if thick not in self.levels:
            self.levels.append(thick)
        R = rotz(yaw)
        parts = pieces.slab(size[0], size[1], thick, tex, np.full(3, 0.3), gloss, 25.0)
        self.add(moved(parts, R, np.array([*centre, 0.0])), 1000 + len(self.plates), self.levels.index(thick))
        self.plates.append(dict(id=1000 + len(self.plates), name=name, type=kind, team=team, station=station, size=size, thick=thick, centre=np.array(centre), yaw=yaw, zones=zones, R=R))

    def to_world(self, plate, q, up=0.0):
        q = np.asarray(q, float)
        x, y = q[..., 0] - plate["size"][0] / 2, plate["size"][1] / 2 - q[..., 1]
        v = np.stack([x, y, np.zeros_like(x)], -1) @ plate["R"].T
        return v + [*plate["centre"], plate["thick"] + up]

    def to_plate(self, plate, p):
        v = (np.asarray(p)[:2] - plate["centre"]) @ plate["R"][:2, :2]
        return np.array([v[0] + plate["size"][0] / 2, plate["size"][1] / 2 - v[1]])

    def under(self, p):
        """The plate at a point of the table, the topmost."""
        best = None
        for q in self.plates:
            x, y = self.to_plate(q, p)
            if 0 <= x <= q["size"][0] and 0 <= y <= q["size"][1] and (best is None or q["thick"] > best["thick"]):
                best = q
        return best

    def ground(self, p, reach=0.0):
        z = 0.0
        for a in range(9):
            d = reach * np.array([math.cos(a * 0.785), math.sin(a * 0.785)]) if a else np.zeros(2)
            q = self.under(np.asarray(p)[:2] + d)
            z = max(z, q["thick"] if q else 0.0)
        return z

    def free(self, x, y, half, yaw, z, height):
        """Is there room? By separating axes of squares, where heights meet."""
        for fx, fy, fh, fyaw, fz, fheight, _ in self.feet:
            if z >= fz + fheight - 0.1 or fz >= z + height - 0.1:
                continue
            d = np.array([fx - x, fy - y])
            if d @ d > 2.1 * (half + fh) ** 2:
                continue
            apart = False
            for a in (yaw, fyaw):
                for e in (np.array([math.cos(a), math.sin(a)]), np.array([-math.sin(a), math.cos(a)])):
                    t = abs(math.cos(yaw - a)) + abs(math.sin(yaw - a))
                    u = abs(math.cos(fyaw - a)) + abs(math.sin(fyaw - a))
                    if abs(d @ e) >= half * t + fh * u - 1e-6:
                        apart = True
            if not apart:
                return False
        return True

    def die(self, kind, name, p, yaw, team, intended, z=None, lean=None, where=None, R=None):
        """A die with that symbol up at p; None where there is no room."""
        k = self.box.kind_at[kind] if isinstance(kind, str) else kind
        q = self.box.kinds[k]
        h = q["size_mm"] / 2
        faces = [i for i, f in enumerate(q["faces"]) if f == name]
        face = faces[int(self.r.integers(len(faces)))]
        ground = self.ground(p, h) if z is None else z
        if where is None and not self.free(p[0], p[1], h + 0.02, yaw, ground, 2 * h):
            return None
        if R is None:
            R = upright(face, yaw)
            if lean is not None:
                R = lean @ R
        low = float((np.abs(R[2]).sum() * (h - q["radius"] * h)) + q["radius"] * h)  # how far its lowest point lies below its middle
        pos = np.array([p[0], p[1], ground + low])
        up = int(np.argmax([(R @ BASIS[f][2])[2] for f in range(6)]))
        oid = len(self.objects) + 1
        self.add([prim(0, pos, [h, h, h], [0, 0, 0], rot=R, rnd=q["radius"] * h, gloss=q["gloss"], shiny=q["shiny"], trans=q["trans"], tex=k, mat=1)], oid)
        self.objects.append(dict(id=oid, type="die", kind=q["name"], team=team, symbol=q["faces"][up], pos=pos, R=R, face=up, half=h, k=k, intended=intended, where=where, part=len(self.parts) - 1, parts=[len(self.parts) - 1]))
        self.feet.append((p[0], p[1], h, yaw, ground, 2 * h, oid))
        return oid

    def thing(self, what, name, team, parts, p, yaw, **more):
        """A ship, token or crystal standing at p."""
        z = self.ground(p) + more.pop("lift", 0.0)
        oid = len(self.objects) + 1
        R = rotz(yaw)
        pos = np.array([p[0], p[1], z])
        n = len(self.parts)
        self.add(moved(parts, R, pos), oid)
        reach = max(np.linalg.norm(q["pos"][:2]) + q["bound"] for q in parts) * 0.75
        self.objects.append(dict(id=oid, type=what, kind=more.pop("kind", what), team=team, symbol=name, pos=pos, R=R, parts=list(range(n, len(self.parts))), **more))
        self.feet.append((p[0], p[1], reach, yaw, z, 20.0, oid))


def lay(t, view):
    """Displays, board, pieces and dice; returns the middle of what is to be seen, and the team."""
    r, c = t.r, t.copy
    team = copies.TEAMS[int(r.integers(2))]
    b = c["board"]
    gloss = r.uniform(0, 0.35)
    with_board = view != "team" or r.random() < 0.7
    bw, bh = b["width_mm"], b["height_mm"]
    if with_board:
        t.plate("board", "board", None, None, (bw, bh), b["thickness_mm"], r.normal(0, 4, 2), r.normal(0, 0.02), b["zones"], t.box.tex["board"], gloss)
    focus = []
    for i, who in enumerate(copies.TEAMS):
        shown = [s for s in c["displays"] if r.random() < 0.93] or list(c["displays"])[:1]
        if view == "board" and r.random() < 0.5:
            shown = shown[: len(shown) // 2]
        r.shuffle(shown)
        cols = int(np.clip(round(math.sqrt(len(shown)) + r.uniform(-0.3, 0.8)), 1, 4))
        back = 1 if who == "black" else -1
        y = back * ((bh / 2 if with_board else 30) + r.uniform(12, 45))
        for row in range(0, len(shown), cols):
            line = shown[row : row + cols]
            gap = r.uniform(4, 22)
            total = sum(c["displays"][s]["size"][0] for s in line) + gap * (len(line) - 1)
            x, deep = -total / 2 + r.normal(0, 8), max(c["displays"][s]["size"][1] for s in line)
            for s in line:
                w, h = c["displays"][s]["size"]
                centre = np.array([x + w / 2, y + back * deep / 2]) + r.uniform(-2, 2, 2)
                yaw = (math.pi if back > 0 else 0.0) + r.normal(0, 0.03) + (r.choice([-1, 1]) * math.pi / 2 * 0 if r.random() < 0.95 else 0)
                t.plate(f"{who}/{s}", "display", who, s, (w, h), c["thickness"], centre, yaw, c["displays"][s]["zones"], t.box.tex[who, s], gloss)
                if who == team:
                    focus.append(centre)
                x += w + gap
            y += back * (deep + r.uniform(4, 20))
    mid = np.mean(focus, 0) if view == "team" else (np.zeros(2) if with_board else np.mean([p["centre"] for p in t.plates], 0))
    if with_board:
        men(t)
    for p in [q for q in t.plates if q["type"] == "display"]:
        settle(t, p, view, team)
    if with_board and r.random() < 0.7:
        for z in b["zones"]:
            if z.startswith("damage") and r.random() < 0.4:
                place(t, t.plates[0], z, "energy", str(r.integers(1, 7)), z.split("/")[1])
    extras(t, view, team)
    return mid, team


def men(t):
    """Ships, tokens and crystals on the board's squares."""
    r, c, board = t.r, t.copy, t.plates[0]
    b = c["board"]
    cells = [(int(v) % b["cols"], int(v) // b["cols"]) for v in r.permutation(b["cols"] * b["rows"])]

    def middle(cell, loose):
        x, y = b["grid_origin_mm"]
        return t.to_world(board, [x + (cell[0] + 0.5) * b["square_mm"] + r.normal(0, loose), y + (cell[1] + 0.5) * b["square_mm"] + r.normal(0, loose)])

    for who in copies.TEAMS:
        if r.random() < 0.92:
            parts, outline, top = c["ships"][who]
            yaw = board["yaw"] + int(r.integers(4)) * math.pi / 2 + r.normal(0, 0.06)
            t.thing("ship", "ship", who, parts, middle(cells.pop(), b["square_mm"] * 0.04), yaw, outline=outline, top=top)
    for n, q in c["tokens"].items():
        for _ in range(int(r.integers(0, 2 if q["team"] else 5))):
            if not cells:
                return
            parts, outline = pieces.token(q["shape"], q["radius"], q["thick"], t.box.tex[n], q["side"], 0.2)
            t.thing("token", n.replace("mine_" + str(q["team"]), "mine"), q["team"], parts, middle(cells.pop(), b["square_mm"] * 0.05), r.uniform(0, 6.28) if r.random() < 0.7 else 0.0, outline=outline, top=q["thick"], kind="mine" if q["team"] else "obstacle")
    for _ in range(int(r.integers(0, 5))):
        if cells:
            t.thing("crystal", "crystal", None, c["crystal"], middle(cells.pop(), b["square_mm"] * 0.1), r.uniform(0, 6.28), outline=None, top=0)
    if "used-crystals" in b["zones"]:
        q = np.array(b["zones"]["used-crystals"])
        for i in range(int(r.integers(0, 4))):
            t.thing("crystal", "crystal", None, c["crystal"], t.to_world(board, [q[0, 0] + 10 + 14 * i, q[:, 1].mean()]), r.uniform(0, 6.28), outline=None, top=0)


def place(t, plate, zone, kind, symbol, team, loose=1.0):
    """A die in a zone of a plate, somewhere near its middle; tries a few places."""
    r = t.r
    q = np.array(plate["zones"][zone])
    c = q.mean(0)
    half = t.box.kinds[t.box.kind_at[kind]]["size_mm"] / 2
    room = np.maximum(np.ptp(q, axis=0) / 2 - half * 1.2, 0.3)
    for _ in range(6):
        p = t.to_world(plate, c + np.clip(r.normal(0, 0.45, 2), -1, 1) * room * loose)
        yaw = plate["yaw"] + (r.normal(0, 0.12) if r.random() < 0.7 else r.uniform(0, 6.28)) + (int(r.integers(4)) * math.pi / 2 if r.random() < 0.25 else 0)
        if t.die(kind, symbol, p, yaw, team, f"{plate['name']}/{zone}"):
            return True
    return False


def at_an_edge(t, plate, zone, kind, symbol, who):
    """A die 0.5 to 5 mm inside or outside an edge of a zone, not near a corner of it."""
    r, q = t.r, np.array(plate["zones"][zone])
    j = int(r.integers(len(q)))
    a, b = q[j], q[(j + 1) % len(q)]
    n = np.array([b[1] - a[1], a[0] - b[0]]) / (np.linalg.norm(b - a) + 1e-9)
    p = a + (b - a) * r.uniform(0.15, 0.85) + n * r.choice([-1, 1]) * r.uniform(0.5, 5)
    return t.die(kind, symbol, t.to_world(plate, p), plate["yaw"] + r.normal(0, 0.4), who, f"{plate['name']}/edge")


def settle(t, plate, view, team):
    """Dice on and about a display: in zones, over their edges, beside it, some where they don't belong."""
    r, c, s = t.r, t.copy, plate["station"]
    who = plate["team"]
    if t.box.edges:
        zones = list(plate["zones"])
        for _ in range(8):
            kind = s if s in t.box.kind_at and r.random() < 0.8 else "energy"
            name = str(r.integers(1, 7)) if kind == "energy" else str(r.choice(copies.FACES[kind]))
            at_an_edge(t, plate, zones[int(r.integers(len(zones)))], kind, name, who)
        return
    busy = 1.0 if who == team or view != "team" else 0.5
    zones = list(plate["zones"])
    inner = [z for z in zones if z != "energy"]
    if s == "engineering":
        for _ in range(int(r.integers(0, 6) * busy)):
            place(t, plate, "pool", "energy", str(r.integers(1, 7)), who)
        return
    if "energy" in zones:
        for _ in range(int(r.integers(0, 3))):
            place(t, plate, "energy", "energy", str(copies.NUMBERS[s] if r.random() < 0.9 else r.integers(1, 7)), who)
    names = copies.FACES[s]
    corners = t.to_world(plate, np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * plate["size"])
    for i in range(c["per_team"][s]):
        if r.random() > busy:
            continue
        name, k = str(r.choice(names)), r.random()
        if k < 0.62:
            kind = s
            if r.random() < 0.05:
                kind = c["kinds"][int(r.integers(len(c["kinds"])))]
                name = str(r.choice(copies.FACES[kind]))
            z = inner[int(r.integers(len(inner)))] if r.random() < 0.95 else "energy"
            mine = [v for v in inner if v.endswith("/" + name) or name.startswith(v)]
            if mine and r.random() < 0.75:
                z = mine[int(r.integers(len(mine)))]
            if z in plate["zones"]:
                place(t, plate, z, kind, name, who)
        elif k < 0.75:  # close to an edge of a zone
            at_an_edge(t, plate, inner[int(r.integers(len(inner)))], s, name, who)
        else:  # resting beside it
            j = int(r.integers(4))
            a, b = corners[j], corners[(j + 1) % 4]
            out = (a + b) / 2 - corners.mean(0)
            out /= np.linalg.norm(out)
            t.die(s, name, a + (b - a) * r.uniform(0.05, 0.95) + out * r.uniform(2, 35), r.uniform(0, 6.28), who, "rest")


def extras(t, view, team):
    """Dice that touch, lean and stand on others, strangers, dice on the bare table."""
    r = t.r
    some = [o for o in t.objects if o["type"] == "die"]
    for o in some:
        k = r.random()
        if k > 0.16:
            continue
        kind = o["kind"] if r.random() < 0.6 else t.copy["kinds"][int(r.integers(len(t.copy["kinds"])))]
        q = t.box.kinds[t.box.kind_at[kind]]
        name = str(r.choice(q["faces"]))
        foot = next(f for f in t.feet if f[6] == o["id"])
        if k < 0.025:
            t.die(kind, name, o["pos"][:2] + r.normal(0, 1.2, 2), r.uniform(0, 6.28), o["team"], "stacked", z=foot[4] + foot[5])
        else:
            far = o["half"] + q["size_mm"] / 2 + (0.03 if r.random() < 0.6 else r.uniform(0.1, 1.5))
            a = foot[3] + int(r.integers(4)) * math.pi / 2
            d, side = np.array([math.cos(a), math.sin(a)]), np.array([-math.sin(a), math.cos(a)])
            lean = None
            if k < 0.06:  # with one edge on the other
                lean = cv2.Rodrigues(np.array([*side, 0.0]) * -r.uniform(0.1, 0.6))[0]
                far += 1.5
            t.die(kind, name, o["pos"][:2] + d * far + side * r.normal(0, 3), foot[3], o["team"], "leaning" if lean is not None else "touching", lean=lean)
    spots = [p["centre"] for p in t.plates if p["team"] == team] or [p["centre"] for p in t.plates]
    strangers = [i for i, q in enumerate(t.box.kinds) if q["name"] == "stranger"]
    for _ in range(int(r.choice([0, 0, 1, 2, 3]))):
        k = strangers[int(r.integers(len(strangers)))]
        t.die(k, str(r.choice(t.box.kinds[k]["faces"])), spots[int(r.integers(len(spots)))] + r.normal(0, 60, 2), r.uniform(0, 6.28), None, "stranger")
    for _ in range(int(r.integers(0, 6))):
        kind = t.copy["kinds"][int(r.integers(len(t.copy["kinds"])))]
        p = spots[int(r.integers(len(spots)))] + r.normal(0, 110, 2)
        if t.under(p) is None:
            t.die(kind, str(r.choice(t.box.kinds[t.box.kind_at[kind]]["faces"])), p, r.uniform(0, 6.28), team, "rest")


def clutter(t, mid, reach):
    """Mugs, phones, paper, pens, dice of other shapes and hands; returns what there is by name."""
    r, names = t.r, []

    def anywhere(room):
        for _ in range(12):
            a, d = r.uniform(0, 6.28), reach * math.sqrt(r.uniform(0.02, 1.1))
            p = mid + d * np.array([math.cos(a), math.sin(a)])
            if t.free(p[0], p[1], room, 0.0, t.ground(p), 30):
                return p
        return None

    def put(name, parts, room):
        p = anywhere(room)
        if p is None:
            return
        if name in ("mug",) and t.under(p) is not None and r.random() < 0.8:
            return
        t.add(moved(parts, rotz(r.uniform(0, 6.28)), np.array([*p, t.ground(p, room * 0.7)])), -10)
        t.feet.append((p[0], p[1], room, 0.0, t.ground(p), 30, -10))
        names.append(name)

    if r.random() < 0.18:
        put("mug", pieces.mug(r), 45)
    if r.random() < 0.2:
        w, h = r.uniform(66, 78), r.uniform(138, 160)
        put("phone", pieces.slab(w, h, 8, t.picture(cards.phone(r, w, h)) if r.random() < 0.6 else t.picture(np.full((8, 8, 3), 12, np.uint8)), np.full(3, 0.02), 0.9, 300.0, 3.0), 50)
    if r.random() < 0.15:
        w, h = r.uniform(90, 210), r.uniform(90, 280)
        p = mid + r.normal(0, reach * 0.7, 2)
        if t.under(p) is None:
            t.add(moved(pieces.slab(w, h, 0.25, t.picture(cards.paper(r, w, h)), np.full(3, 0.7), 0.02, rnd=0.05), rotz(r.uniform(0, 6.28)), np.array([*p, 0.0])), -10)
            names.append("paper")
    if r.random() < 0.12:
        put("pen", pieces.pen(r), 25)
    for _ in range(int(r.choice([0, 0, 0, 1, 2]))):
        put("polyhedron", pieces.polyhedron(r, dice.body_colour(r)), 12)
    held = None
    if r.random() < 0.33:
        some = [o for o in t.objects]
        at = some[int(r.integers(len(some)))]["pos"][:2] + r.normal(0, 15, 2) if some and r.random() < 0.7 else mid + r.normal(0, reach * 0.5, 2)
        out = math.atan2(at[1] - 0, at[0] + 1e-6) if abs(at[1]) > 60 else r.choice([-1, 1]) * math.pi / 2
        towards = (math.pi / 2 if math.sin(out) > 0 else -math.pi / 2) + r.normal(0, 0.45)
        lift = r.choice([0, r.uniform(5, 60)])
        t.add(pieces.hand(r, at, towards, lift), -2)
        names.append("hand")
        if r.random() < 0.4:
            kind = t.copy["kinds"][int(r.integers(len(t.copy["kinds"])))]
            back = np.array([math.cos(towards), math.sin(towards)])
            held = t.die(kind, str(r.choice(t.box.kinds[t.box.kind_at[kind]]["faces"])), at + back * 6, r.uniform(0, 6.28), None, "in_hand", z=3 + lift, lean=cv2.Rodrigues(r.normal(0, 0.4, 3))[0], where="in_hand")
    return names, held


def camera(r, size, mid, px16, tilt, azimuth, hfov, k1):
    W, H = size
    f = W / 2 / math.tan(math.radians(hfov) / 2)
    dist = f * 16 / px16
    fwd = np.array([math.sin(tilt) * math.cos(azimuth), math.sin(tilt) * math.sin(azimuth), -math.cos(tilt)])
    right = np.array([math.sin(azimuth), -math.cos(azimuth), 0.0])
    roll = r.normal(0, 0.03)
    right = right * math.cos(roll) + np.cross(fwd, right) * math.sin(roll)
    R = np.stack([right, np.cross(fwd, right), fwd])
    pos = np.array([*mid, 0.0]) - fwd * dist
    K = np.array([f, f, W / 2 - 0.5 + r.normal(0, W * 0.004), H / 2 - 0.5 + r.normal(0, H * 0.004)])
    D = np.array([k1, -0.25 * k1 * r.uniform(0, 1), r.normal(0, 0.0004), r.normal(0, 0.0004), 0.0])
    return dict(W=W, H=H, K=K, D=D, R=R, pos=pos, dist=dist)


def table_top(r, grounds, n=1024):
    """A table's surface, uint8 sRGB, and how many mm it is wide: photographed, wood, cloth, plain, now and then a printed mat."""
    own = getattr(grounds, "own", None)
    if own is not None:
        return own(r, n), 300.0
    k = r.random()
    if k < 0.3 and grounds.files:
        im = grounds.photo(r, n)
        if im is not None:
            return np.uint8(np.clip(im, 0, 1) * 255), math.exp(r.uniform(math.log(150), math.log(700)))
    if k < 0.4:
        return np.uint8(np.sqrt(np.clip(grounds.make(r, n=n), 0, 1)) * 255), math.exp(r.uniform(math.log(200), math.log(1200)))
    c = dice.hsv(r.uniform(0.04, 0.12), r.uniform(0.15, 0.7), r.uniform(0.2, 0.9)) if k < 0.65 else dice.hsv(r.random(), r.uniform(0, 0.8) ** 1.5, r.uniform(0.05, 0.95))
    v = np.ones((n, n), np.float32)
    if k < 0.65:  # wood: rings cut lengthwise, fine pores, boards
        g = art.noise(r, n, 3, 2)
        y = np.arange(n, dtype=np.float32)[:, None] / n
        v += r.uniform(0.03, 0.15) * np.sin(2 * np.pi * (np.round(r.uniform(3, 25)) * y + r.uniform(0.5, 2.5) * cv2.resize(g[:, :16], (n, n))))
        v += r.uniform(0.01, 0.06) * cv2.resize(r.standard_normal((n, 24)).astype(np.float32), (n, n))
        if r.random() < 0.5:
            for x in range(0, n, n // int(r.integers(2, 6))):
                v[x : x + 3] *= 0.55
    else:  # cloth, felt, stone, plastic
        v += r.uniform(0.01, 0.2) ** 1.3 * art.noise(r, n, 5, int(r.choice([4, 16, 64])))
        if r.random() < 0.35:
            w = np.sin(np.arange(n) * 2 * np.pi * round(r.uniform(60, 250)) / n)
            v += r.uniform(0.02, 0.1) * w[:, None] * w[None]
    tint = 1 + r.normal(0, 0.03, 3) * (v[..., None] - 1) * 20
    return np.uint8(np.clip(c * v[..., None] * tint, 0, 1) * 255), math.exp(r.uniform(math.log(150), math.log(700)))


def arrays(t):
    """The solids as trace.py takes them."""
    n = len(t.parts)
    A = lambda k, dt=np.float64: np.array([p[k] for p in t.parts], dt)
    planes, npl = np.zeros((n, 40, 4)), np.zeros(n, np.int64)
    for i, p in enumerate(t.parts):
        if p["planes"] is not None:
            npl[i] = len(p["planes"])
            planes[i, : npl[i]] = p["planes"]
    return A("kind", np.int64), A("pos"), A("rot"), A("half"), A("rnd"), planes, npl, A("bound")


def lamps_over(r, mid, soft=False):
    """One lamp or two, and how much of the light is theirs."""
    m3 = np.array([*mid, 0.0])
    nl = int(r.choice([1, 1, 2]))
    lamps, col, sizes = [], [], []
    share = r.uniform(0.15, 0.4) if soft else r.uniform(0.3, 0.85)
    for i in range(nl):
        e, a = math.radians(r.uniform(28, 85)), r.uniform(0, 6.28)
        d = r.uniform(700, 2600)
        v = d * np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
        lamps.append([*(m3 + v), d * d])
        warm = r.uniform(-0.25, 1)
        col.append(np.array([1 + 0.18 * warm, 1.0, 1 - 0.3 * warm]) * share * (1.0 if i == 0 else r.uniform(0.2, 0.7)) / max(math.sin(e), 0.5))
        sizes.append(d * r.choice([0.01, 0.03, 0.08, 0.2]) * (2.5 if soft else 1))
    return dict(lamps=np.array(lamps), colours=np.array(col), sizes=np.array(sizes), share=share)


def laid_on(r, t, grounds):
    """Puts the table's own picture under everything: how it lies, and its gloss."""
    t.pictures[0], wide = table_top(r, grounds)
    t.per_mm[0] = 1024 / wide
    a = r.uniform(0, 6.28)
    return np.array([r.uniform(0, 999), r.uniform(0, 999), math.cos(a), math.sin(a), r.choice([0.0, 0.03, 0.15, 0.5]), r.uniform(10, 120)])


def shaders(t, pos, bound, light):
    """Which solids may shade which: (n, 28) and how many."""
    n = len(t.parts)
    out, count = np.zeros((n, 28), np.int64), np.zeros(n, np.int64)
    solid = np.array(t.level, np.int64) < 0
    for i in np.nonzero(solid)[0]:
        near = np.zeros(n, bool)
        for lamp, size in zip(light["lamps"], light["sizes"]):
            v = lamp[:3] - pos[i]
            far = np.linalg.norm(v)
            v = v / far
            w = pos - pos[i]
            b = w @ v
            off = np.linalg.norm(w - b[:, None] * v, axis=1)
            near |= (off < bound + bound[i] + np.maximum(b, 0) / far * size) & (b > -bound[i] * 0.5) & solid
        near[i] = False
        k = np.nonzero(near)[0]
        k = k[np.argsort(np.linalg.norm(pos[k] - pos[i], axis=1))][:28]
        out[i, : len(k)], count[i] = k, len(k)
    return out, count


def expose(t, cam, common, ids, light, pictures, area, offsets, grain):
    """The picture in linear light. `pictures`: `pyramid(t.pictures, ...)`; `area`: x0, y0, x1, y1 mm of the table that shadows are
    reckoned for; `offsets` (n, 2): where in its noise each solid lies; `grain`: seed of soft shadows' noise."""
    A = lambda k, dt=np.float64: np.array([p[k] for p in t.parts], dt)
    hulls = [p["points"] @ p["rot"].T + p["pos"] for p in t.parts]
    lit, open_sky, at = shade.maps(None, hulls, t.levels, light["lamps"], light["sizes"], area)
    env, sky = light["env"]
    return trace.light(cam["W"], cam["H"], cam["K"], cam["D"], cam["R"], cam["pos"], ids, *common, *shaders(t, common[1], common[7], light),
                       A("mat", np.int64), np.array(t.level, np.int64), A("tint"), A("gloss"), A("shiny"), A("trans"), A("rough"), t.box.prints, t.box.kv, t.box.nz, offsets, A("tex", np.int64), *pictures, light["ground"], LUT,
                       light["lamps"], light["colours"], light["sizes"], lit, open_sky, at, env, sky, float(1 - light["share"]), symbols.grain(), grain)


def traced(t, cam, common, ids, light, mid, offsets, grain):
    """The picture in linear light by trace.py, shadows reckoned for what is in it."""
    pictures = pyramid(t.pictures, t.per_mm, [1] + [0] * (len(t.pictures) - 1))
    seen = np.array([[0, 0], [cam["W"], 0], [cam["W"], cam["H"]], [0, cam["H"]], [cam["W"] / 2, 0]], float)
    q = truth.on_plane(cam, seen, 0.0)
    q = q[np.isfinite(q).all(1)]
    reach = 550
    lo, hi = np.maximum(q.min(0) - 20, mid - reach), np.minimum(q.max(0) + 20, mid + reach)
    lo, hi = np.minimum(lo, mid - 60), np.maximum(hi, mid + 60)
    return expose(t, cam, common, ids, light, pictures, (*lo, *hi), offsets, grain)


def shine(t, cam, r, grounds, mid, soft=False):
    """The picture in linear light and the map of what each pixel shows."""
    common = arrays(t)
    ids = trace.see(cam["W"], cam["H"], cam["K"], cam["D"], cam["R"], cam["pos"], *common)
    light = lamps_over(r, mid, soft)
    light["env"] = grounds.env(r)
    light["ground"] = laid_on(r, t, grounds)
    offsets, grain = r.uniform(0, 1, (len(t.parts), 2)), int(r.integers(1 << 30))
    if t.box.renderer == "cycles":
        import blender  # which only a Python with bpy can

        img = blender.expose(t, cam, ids, light, offsets, grain)
    else:
        img = traced(t, cam, common, ids, light, mid, offsets, grain)
    setup = dict(lights=dict(lamps=[dict(position_mm=[round(float(v), 1) for v in l[:3]], size_mm=round(float(s), 1)) for l, s in zip(light["lamps"], light["sizes"])], key_share=round(float(light["share"]), 3)))
    return img, ids, setup


def develop(r, img, kind, careful=False, width=None):
    """A webcam's lens, sensor and coder; uint8 and what was done. `width`: of the whole picture, of which img is a part."""
    H, W, _ = img.shape
    s = (width or W) / 1920
    soft = r.uniform(0.45, 0.9) * s
    defocus = r.uniform(0.8, 2.2) * s if r.random() < 0.12 and not careful else 0.0
    motion = r.uniform(2, 9) * s if r.random() < 0.1 and not careful else 0.0
    img = cv2.GaussianBlur(img, (0, 0), math.hypot(soft, defocus))
    angle = r.uniform(0, math.pi)
    if motion > 1.5:
        n = int(motion) * 2 + 1
        ker = np.zeros((n, n), np.float32)
        d = np.array([math.cos(angle), math.sin(angle)]) * motion / 2
        cv2.line(ker, tuple(int(v) for v in np.round(n // 2 - d)), tuple(int(v) for v in np.round(n // 2 + d)), 1, 1)
        img = cv2.filter2D(img, -1, ker / ker.sum())
    v = r.uniform(0, 0.35)
    if v > 0.05:
        y, x = np.mgrid[:H, :W].astype(np.float32)
        img *= (1 - v * (((x - W / 2) ** 2 + (y - H / 2) ** 2) / (W * W / 4 + H * H / 4)))[..., None]
    small = img[::8, ::8].mean(2)
    ev = r.uniform(0.55, 1.15) * (0.9 if careful else 1)
    gain = ev * 0.8 / max(float(np.quantile(small, 0.9)), 1e-3)
    grey = img[::8, ::8].mean((0, 1))
    white = (grey.mean() / np.maximum(grey, 1e-3)) ** r.uniform(0, 0.9) * np.exp(r.normal(0, 0.05, 3))
    noisy = r.uniform(0, 1) ** 2 * (0.3 if careful else 1)
    out = np.empty((H, W, 3), np.uint8)
    bend = 1 / r.uniform(1.9, 2.5)
    symbols._develop(img, gain * white, bend, float(0.05 * r.uniform(0, 1) ** 2), r.uniform(0.65, 1.25), 0.003 * noisy, 0.0003 * noisy, symbols.grain(), int(r.integers(1 << 20)), out)
    sharpen = r.uniform(0, 1) if r.random() < 0.6 else 0.0
    if sharpen > 0.1:
        out = cv2.addWeighted(out, 1 + sharpen, cv2.GaussianBlur(out, (0, 0), 1.2 * s), -sharpen, 0)
    quality = int(r.integers(90, 97)) if careful else int(r.choice([r.integers(45, 75), r.integers(70, 95)]))
    mjpeg = not careful and r.random() < 0.4
    if mjpeg:  # as the camera sent it, before it was kept
        out = cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
        quality = 92
    return out, dict(soft=round(soft, 3), defocus=round(defocus, 3), motion=round(motion, 3), ev=round(ev, 3), noise=round(noisy, 3), sharpen=round(sharpen, 3), vignette=round(v, 3), mjpeg=mjpeg, quality=quality), quality


def picture(box, seed, index, number, grounds, large=False):
    """(view, JPEG bytes, table truth, training line) of one picture."""
    r = np.random.default_rng([97, seed, index, number])
    view = str(r.choice(["team", "team", "team", "board", "whole"]))
    size = [(1920, 1080), (1280, 720), (1600, 896), (1920, 1080)][int(r.integers(4))]
    if view == "whole" and large:
        size = (3840, 2160)
    t = Table(box, r)
    mid, team = lay(t, view)
    tilt = math.radians(min(60 * r.uniform(0, 1) ** 1.2, 60))
    hfov = r.uniform(42, 78)
    px = math.exp(r.uniform(math.log(24), math.log(85))) * (size[0] / 1920) ** 0.5
    px = {"team": px, "board": px * 0.75, "whole": px * 0.5}[view]
    px = max(px, 20 * (1 if view != "whole" else 0.9))
    reach = size[0] / 2 * 16 / px
    mid = mid + r.normal(0, 0.25, 2) * min(reach, 150)
    azimuth = (math.pi / 2 if team == "white" else -math.pi / 2) + (r.normal(0, 0.35) if r.random() < 0.75 else r.uniform(0, 6.28))
    cam = camera(r, size, mid, px, tilt, azimuth, hfov, r.normal(0, 0.05))
    names, held = clutter(t, mid, min(reach, 350))
    img, ids, setup = shine(t, cam, r, grounds, mid)
    out, done, quality = develop(r, img, view)
    setup.update(view=view, clutter=[n for n in names if n != "hand"], hand="reach" if "hand" in names else None, held_die=held, hfov_deg=round(hfov, 1), tilt_deg=round(math.degrees(tilt), 1), camera_height_mm=round(float(cam["pos"][2]), 1), px_16mm=round(px, 1), develop=done)
    name = f"{view}/{view}_{number:04d}"
    full, line = truth.of(t, cam, ids, name, view, team, setup)
    line.update(tilt=round(math.degrees(tilt), 2), copy=f"{seed}-{index}")
    return name, cv2.imencode(".jpg", out[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes(), full, line


def enrol_list(c):
    out = []
    for k in c["kinds"]:
        out += [("die", k, n, j) for n in dict.fromkeys(c["dice"][k]["faces"]) for j in (1, 2, 3)]
    out += [("display", t, s, 0) for t in copies.TEAMS for s in c["displays"]] + [("board", "", "", 0)]
    out += [("ship", t, h, 0) for t in copies.TEAMS for h in "NESW"] + [("token", n, "", 0) for n in c["tokens"]] + [("crystal", "", "", 0)]
    return out


def enrol_name(e):
    return {"die": f"die_{e[1]}_{e[2]}_{e[3]}", "display": f"display_{e[1]}_{e[2]}", "board": "board", "ship": f"ship_{e[1]}_{e[2]}", "token": f"token_{e[1]}", "crystal": "crystal"}[e[0]]


def enrol_picture(box, seed, index, e, grounds):
    """What an owner photographs once: one thing alone, nearly from above, in good light, on one table."""
    c = box.copy
    number = enrol_list(c).index(e)
    r = np.random.default_rng([98, seed, index, number])
    t = Table(box, r)
    if e[0] == "die":
        size, wide = (640, 640), c["dice"][e[1]]["size_mm"] * 3.0
        t.die(e[1], e[2], np.zeros(2), r.normal(0, 0.03) if e[3] == 1 else r.normal(0, 0.25), None, "enrol")
    elif e[0] == "display":
        v = c["displays"][e[2]]
        size, wide = (1600, 1200), max(v["size"][0], v["size"][1] * 4 / 3) * 1.25
        t.plate(f"{e[1]}/{e[2]}", "display", e[1], e[2], v["size"], c["thickness"], np.zeros(2), r.normal(0, 0.02), v["zones"], box.tex[e[1], e[2]], 0.1)
    elif e[0] == "board":
        b = c["board"]
        size, wide = (1920, 1440), max(b["width_mm"], b["height_mm"] * 4 / 3) * 1.2
        t.plate("board", "board", None, None, (b["width_mm"], b["height_mm"]), b["thickness_mm"], np.zeros(2), r.normal(0, 0.02), b["zones"], box.tex["board"], 0.1)
    elif e[0] == "ship":
        parts, outline, top = c["ships"][e[1]]
        size, wide = (640, 640), np.ptp(outline) * 2.4
        t.thing("ship", "ship", e[1], parts, np.zeros(2), {"N": 0, "E": -1, "S": 2, "W": 1}[e[2]] * math.pi / 2 + r.normal(0, 0.03), outline=outline, top=top)
    elif e[0] == "token":
        q = c["tokens"][e[1]]
        size, wide = (640, 640), q["radius"] * 4.5
        parts, outline = pieces.token(q["shape"], q["radius"], q["thick"], box.tex[e[1]], q["side"], 0.2)
        t.thing("token", "mine" if q["team"] else e[1], q["team"], parts, np.zeros(2), r.normal(0, 0.03), outline=outline, top=q["thick"], kind="mine" if q["team"] else "obstacle")
    else:
        size, wide = (640, 640), 40.0
        t.thing("crystal", "crystal", None, c["crystal"], np.zeros(2), r.uniform(0, 6.28), outline=None, top=0)
    tilt = math.radians(r.uniform(0, 4 if e[3] < 2 else 14))
    cam = camera(r, size, r.normal(0, wide * 0.01, 2), size[0] / wide * 16, tilt, math.pi / 2 + r.normal(0, 0.02), r.uniform(32, 45), r.normal(0, 0.01))
    # the owner's one table, of a colour that all can be seen on
    state = np.random.default_rng([99, seed, index])
    plain = scenes.Grounds(None)
    plain.lights = grounds.lights
    plain.own = lambda q, n: np.uint8(np.clip(table_colour(state) * (1 + 0.03 * art.noise(q, n, 4, 30)[..., None]), 0, 1) * 255)
    img, ids, setup = shine(t, cam, r, plain, np.zeros(2), soft=True)
    out, done, quality = develop(r, img, "enrol", careful=True)
    setup.update(hfov_deg=0.0, tilt_deg=round(math.degrees(tilt), 1), develop=done)
    name = f"enrol/{enrol_name(e)}"
    full, _ = truth.of(t, cam, ids, name, "enrol", None, setup)
    full["label"] = [str(v) for v in e]
    return cv2.imencode(".jpg", out[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes(), full


def table_colour(r):
    return dice.hsv(r.random(), r.uniform(0, 0.35), r.uniform(0.35, 0.75))


def keep(path, data):
    """Writes whole or not at all."""
    with open(path + ".part", "wb") as f:
        f.write(data)
    os.replace(path + ".part", path)


def work(args, todo, job, count):
    cv2.setNumThreads(1)
    grounds = scenes.Grounds(args.photos)
    box, at = None, None
    with open(os.path.join(args.out, f"truth-{job}.jsonl"), "a") as lines:
        while True:
            item = todo.get()
            if item is None:
                return
            what, index, number = item
            if at != index:
                box, at = Box(args.seed, index, args.die_mm), index
                box.edges, box.renderer = args.edges, args.renderer
            folder = os.path.join(args.out, f"copy-{index:04d}")
            try:
                if what == "enrol":
                    e = enrol_list(box.copy)
                    for q in e:
                        path = os.path.join(folder, "enrol", enrol_name(q))
                        if not os.path.exists(path + ".json"):
                            jpg, full = enrol_picture(box, args.seed, index, q, grounds)
                            keep(path + ".jpg", jpg)
                            keep(path + ".json", json.dumps(full).encode())
                    keep(os.path.join(folder, "owner.json"), json.dumps(box.copy["owner"], indent=1).encode())
                else:
                    name, jpg, full, line = picture(box, args.seed, index, number, grounds, args.large)
                    keep(os.path.join(folder, name + ".jpg"), jpg)
                    keep(os.path.join(folder, name + ".json"), json.dumps(full).encode())
                    line["image"] = f"copy-{index:04d}/{name}.jpg"
                    line["number"] = number
                    lines.write(json.dumps(line) + "\n")
                    lines.flush()
            except Exception as error:  # one bad table must not end a night's work; it is said, and the next run tries it again
                print(f"copy {index} {what} {number}: {type(error).__name__}: {error}", flush=True)
            with count.get_lock():
                count.value += 1


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--out", required=True)
    a.add_argument("--copies", type=int, default=10)
    a.add_argument("--pictures", type=int, default=100)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--first", type=int, default=0, help="number of the first copy")
    a.add_argument("--enrol", action="store_true", help="enrolment photographs and owner.json, too")
    a.add_argument("--edges", action="store_true", help="every die on a display lies 0.5 to 5 mm from an edge of a zone")
    a.add_argument("--die-mm", type=float, help="edge of every die of every copy; else each copy has its own")
    a.add_argument("--renderer", choices=("trace", "cycles"), default="trace", help="cycles: Blender's, see blender.py; the same tables, lamps and lenses")
    a.add_argument("--large", action="store_true", help="pictures of the whole table in 3840x2160")
    a.add_argument("--photos", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../shared/photos"))
    a.add_argument("--jobs", type=int, default=2)
    args = a.parse_args()
    args.photos = args.photos if os.path.isdir(args.photos) else None
    done = set()
    os.makedirs(args.out, exist_ok=True)
    for f in os.listdir(args.out):
        if f.startswith("truth") and f.endswith(".jsonl"):
            for l in open(os.path.join(args.out, f)):
                if l.endswith("\n"):
                    q = json.loads(l)
                    done.add((int(q["copy"].split("-")[1]), q["number"]))
    todo = []
    for i in range(args.copies):
        index = args.first + i
        for sub in ("team", "board", "whole", "enrol"):
            os.makedirs(os.path.join(args.out, f"copy-{index:04d}", sub), exist_ok=True)
        n = args.pictures * (i + 1) // args.copies - args.pictures * i // args.copies
        todo += [("picture", index, k) for k in range(n) if (index, k) not in done]
        if args.enrol and not os.path.exists(os.path.join(args.out, f"copy-{index:04d}", "owner.json")):
            todo.append(("enrol", index, 0))
    if not todo:
        print("all there")
        return
    ctx = mp.get_context("spawn")
    queues, count = [ctx.Queue() for _ in range(args.jobs)], ctx.Value("i", 0)
    for k, item in enumerate(sorted(todo, key=lambda q: q[1])):
        queues[item[1] % args.jobs].put(item)
    procs = []
    for j in range(args.jobs):
        queues[j].put(None)
        procs.append(ctx.Process(target=work, args=(args, queues[j], j, count), daemon=True))
        procs[-1].start()
    progress.wait(procs, count, len(todo))


if __name__ == "__main__":
    main()
