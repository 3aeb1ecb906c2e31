"""Films a match of Dice Duel: hands, rolls, nudges, shadows, honest mistakes; with the truth of every moment.

    python match.py --out DIR --script demo --copy practice --seed 1 --size 1920x1080 --fps 15
    python match.py --out DIR --script play --copy 1400:0 --seed 3 --seconds 180 --fps 30 --size 1280x720

(--view 1 and --view 2, each with a --name of its own, film the same match from other places: score.py takes them together)

writes DIR/NAME.mp4 (H.264; wants ffmpeg), DIR/NAME.declare.jsonl (what is called out, for `sightline run --declare`), DIR/NAME.rig.toml
where there is a tray (for `--rig`: its inside, as an owner draws it), DIR/NAME.truth.jsonl and, for a made copy, what tables.py --enrol makes of it is the owner's folder (same seed and number).

Truth, one object a line, in order of time; `at_s` is the time of the first frame that shows it:
    {"what": "film", ...}                    size, frames a second, seed, copy, camera
    {"what": "lies", "die", "kind", "symbol", "surface", "zone", "polygon"}   it lies still from here on
    {"what": "leaves", "die"}                a hand took it
    {"what": "covered" | "seen", "die"}      less than 80 % of it can be seen, or all that again
    {"what": "ship", "ship", "square", "facing"}        it stands there from here on; "lifted" before
    {"what": "problem" | "mended", "die", "surface", "zone"}  a die lies where it may not
    {"what": "declared", "says"}
    {"what": "nudged", "surface", "size_mm", "corners"}   it lies otherwise from here on, in pixels, as it is read from its upper left
Squares count from the board's lower left, as the rules do. Frames are a function of the arguments alone.
"""
import argparse
import json
import math
import os
import subprocess
import time

import cv2
import numpy as np

import film
import pieces
import practice
import scenes
import tables
import truth
from dice import BASIS

STILL = 0.80  # share of a die that must be seen
REACH = 520.0  # mm that hands come from
FACINGS = "NESW"
STEP = dict(N=(0, 1), E=(1, 0), S=(0, -1), W=(-1, 0))
HELM_TURN = dict(F1=0, F2=0, FL=-1, FR=1, FU=2)


class Film:
    """The table as it is, who does what at the moment, and the file it goes to."""

    def __init__(self, stage, args, path):
        self.stage, self.box, self.fps = stage, stage.box, args.fps
        self.r = np.random.default_rng([73, args.seed])
        self.count, self.lying, self.things, self.actors = 0, {}, {}, []
        self.covered, self.path, self.lines, self.said = set(), path, [], []
        self.next, self.begun, self.shade = 100, time.time(), None
        W, H = stage.cam["W"], stage.cam["H"]
        self.pipe = subprocess.Popen(["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{W}x{H}", "-r", str(args.fps), "-i", "-",
                                      "-c:v", "libx264", "-preset", "medium", "-pix_fmt", "yuv420p", "-crf", str(args.crf), "-g", str(int(args.fps * 2)), path + ".part.mp4"], stdin=subprocess.PIPE)
        self.note(what="film", size=[W, H], fps=args.fps, seed=args.seed, copy=args.copy, script=args.script, camera=dict(K=stage.cam["K"].tolist(), D=stage.cam["D"].tolist(), R=stage.cam["R"].tolist(), position_mm=stage.cam["pos"].tolist()))

    @property
    def now(self):
        return self.count / self.fps

    def note(self, **what):
        self.lines.append(dict(at_s=round(self.now, 3), **what))

    # what lies

    def solids(self, thing):
        if thing["what"] == "die":
            return film.cube(self.box, thing["kind"], thing["pos"], thing["R"])
        return pieces.moved(thing["parts"], thing["R"], thing["pos"])

    def add(self, **thing):
        """A thing that is not on the table yet."""
        self.next += 1
        self.things[self.next] = dict(thing, id=self.next)
        return self.next

    def lay(self, i, quietly=False):
        """It lies where it is from now on."""
        q = self.things[i]
        self.lying[i] = self.solids(q)
        if not quietly:
            self.stage.rest(self.lying, self.lying[i])
        if q["what"] == "die":
            surface, zone, _ = self.where(q["pos"])
            h = self.box.kinds[self.box.kind_at[q["kind"]]]["size_mm"] / 2
            B = q["R"] @ BASIS[q["face"]].T
            corners = q["pos"] + h * B[:, 2] + h * truth.FACE[:, :1] * B[:, 0] + h * truth.FACE[:, 1:] * B[:, 1]
            q.update(surface=surface, zone=zone)
            self.note(what="lies", die=i, kind=q["kind"], symbol=q["symbol"], surface=surface, zone=zone, polygon=truth.num(truth.project(self.stage.cam, corners)[0], 1))
        elif q["what"] == "ship":
            self.note(what="ship", ship=q["team"], square=list(q["square"]), facing=q["facing"])

    def lift(self, i):
        parts = self.lying.pop(i)
        self.stage.rest(self.lying, parts)
        q = self.things[i]
        if q["what"] == "die":
            self.note(what="leaves", die=i)
            self.covered.discard(i)
            if q.pop("wrong", None):
                self.note(what="mended", die=i, surface=q["surface"], zone=q["zone"])
        elif q["what"] == "ship":
            self.note(what="lifted", ship=q["team"])

    def where(self, p):
        """(surface, zone, plate) under a point."""
        t = self.stage.table()
        plate = t.under(p)
        if plate is None:
            return None, None, None
        q = t.to_plate(plate, p)
        zone = next((z for z, poly in plate["zones"].items() if truth.inside(poly, q)), None)
        return plate["name"], zone, plate

    # time

    def frame(self):
        moving = {}
        for a in list(self.actors):
            try:
                moving.update(next(a) or {})
            except StopIteration:
                self.actors.remove(a)
        picture, share = self.stage.frame(self.lying, moving)
        for i in [i for i in self.lying if self.things[i]["what"] == "die"]:
            hid = share.get(i, 1.0) < STILL
            if hid != (i in self.covered):
                (self.covered.add if hid else self.covered.discard)(i)
                self.note(what="covered" if hid else "seen", die=i)
        if self.shade is not None:
            picture = self.shade(self.now, picture)
        self.pipe.stdin.write(picture.tobytes())
        self.count += 1
        if self.count % 15 == 0:
            print(f"\r{self.now:.0f} s of film, {time.time() - self.begun:.0f} s ", end="", flush=True)

    def wait(self, seconds):
        for _ in range(round(seconds * self.fps)):
            self.frame()

    def until_done(self):
        while self.actors:
            self.frame()

    def act(self, actor):
        self.actors.append(actor)
        self.until_done()

    def declare(self, **says):
        self.said.append(dict(at_s=round(self.now, 3), **says))
        self.note(what="declared", says=says)

    def draw_trays(self):
        """What an owner would draw in the window, to a pixel."""
        t, text = self.stage.table(), "format = 1\n"
        trays = [p for p in t.plates if p["type"] == "tray"]
        for p in trays:
            size = np.array(p["size"])
            corners, _ = truth.project(self.stage.cam, t.to_world(p, truth.FACE / 2 * size + size / 2))
            text += f"\n[[trays]]\nid = \"{p['name']}\"\nsize_mm = {size.tolist()}\ncorners_px = {np.round(corners).astype(int).tolist()}\n"
        if trays:
            with open(self.path + ".rig.toml", "w") as f:
                f.write(text)

    def close(self):
        self.pipe.stdin.close()
        if self.pipe.wait() != 0:
            raise SystemExit("ffmpeg failed")
        self.draw_trays()
        for end, lines in ((".truth.jsonl", self.lines), (".declare.jsonl", self.said)):
            with open(self.path + end, "w") as f:
                f.writelines(json.dumps(l) + "\n" for l in lines)
        os.replace(self.path + ".part.mp4", self.path + ".mp4")
        print(f"\n{self.path}.mp4: {self.now:.1f} s, {os.path.getsize(self.path + '.mp4') / 1e6:.1f} MB, made in {time.time() - self.begun:.0f} s")


class Hand:
    """A player's hand: comes from its side of the table, takes things, puts them down, and goes."""

    def __init__(self, film, team, towards):
        self.f, self.team, self.towards = film, team, towards
        self.looks = int(film.r.integers(1 << 30))
        self.at, self.held = None, []
        self.owner = -2 if team == "white" else -3

    def parts(self, lift):
        return {self.owner: pieces.hand(np.random.default_rng(self.looks), self.at, self.towards, lift)}

    def shown(self, lift):
        """The hand and what it holds."""
        out = self.parts(lift)
        for n, i in enumerate(self.held):
            q = dict(self.f.things[i])
            back = np.array([math.cos(self.towards), math.sin(self.towards)])
            side = np.array([-back[1], back[0]])
            p = self.at + back * (8 + 17 * (n // 2)) + side * (n % 2 * 18 - 9 if len(self.held) > 1 else 0)
            q["pos"] = np.array([*p, q["pos"][2] + lift + 3])
            out[i] = self.f.solids(q)
        return out

    def go(self, to, speed=1.0, high=45.0):
        """Moves the fingertips to a point of the table; from outside, where it was not there before."""
        to = np.asarray(to, float)[:2]
        back = np.array([math.cos(self.towards), math.sin(self.towards)])
        start = to + back * REACH if self.at is None else self.at
        far = np.linalg.norm(to - start)
        n = max(round(self.f.fps * (0.22 + far / 1400) / speed), 2)
        for k in range(1, n + 1):
            e = film.eased(k / n)
            self.at = start + (to - start) * e
            yield self.shown(high * max(math.sin(math.pi * k / n), 0.0) ** 0.7)  # at the end it is a hair below 0, of which there is no such power

    def away(self):
        back = np.array([math.cos(self.towards), math.sin(self.towards)])
        start = self.at
        n = max(round(self.f.fps * 0.5), 2)
        for k in range(1, n + 1):
            self.at = start + back * REACH * film.eased(k / n)
            yield self.shown(30 * k / n)
        self.at = None

    def take(self, *ids):
        """Goes to each and takes it."""
        for i in ids:
            yield from self.go(self.f.things[i]["pos"])
            self.f.lift(i)
            self.held.append(i)
            yield self.shown(4.0)

    def put(self, i, spot, yaw, face=None):
        """Puts a thing it holds down at (x, y); with `face`, that face of a die up."""
        yield from self.go(spot)
        self.held.remove(i)
        place(self.f, i, spot, yaw, face)
        self.f.lay(i)
        yield self.shown(2.0)

    def rest(self, seconds):
        for _ in range(round(seconds * self.f.fps)):
            yield self.shown(3.0)

    def roll(self, ids, spots, faces, seconds=0.8):
        """Throws what it holds: each die comes to lie at its spot with its face up."""
        yield from self.go(np.mean(spots, 0) + 95 * np.array([math.cos(self.towards), math.sin(self.towards)]))
        yield from self.rest(0.2)
        r, rolls = self.f.r, []
        for i, spot, face in zip(ids, spots, faces):
            self.held.remove(i)
            q = self.f.things[i]
            place(self.f, i, spot, r.uniform(0, 6.28), face)
            away, lasts = self.at + r.normal(0, 6, 2), seconds * r.uniform(0.85, 1.15)
            rolls.append((i, lasts, film.thrown(r, np.asarray(spot, float), q["R"], away, lasts)))
        n = round(self.f.fps * seconds * 1.15)
        leave = self.away()
        for k in range(1, n + 1):
            out = next(leave, {}) or {}
            for i, lasts, at in rolls:
                if i in self.f.lying:
                    continue
                if k / self.f.fps >= lasts:
                    self.f.lay(i)
                    continue
                p, lift, R = at(k / self.f.fps)
                q = dict(self.f.things[i], R=R)
                z = film.lying(self.f.box, q["kind"], R, self.f.stage.table().ground(p, 8)) + lift
                out[i] = self.f.solids(dict(q, pos=np.array([*p, z])))
            yield out
        for i, *_ in rolls:
            if i not in self.f.lying:
                self.f.lay(i)
        yield from leave


def place(f, i, spot, yaw, face=None):
    """Where a thing is to lie from now on."""
    q = f.things[i]
    spot = np.asarray(spot, float)[:2]
    if q["what"] == "die":
        kind = f.box.kinds[f.box.kind_at[q["kind"]]]
        if face is not None:
            faces = [j for j, n in enumerate(kind["faces"]) if n == face]
            q.update(face=faces[int(f.r.integers(len(faces)))], symbol=face)
        q["R"] = tables.upright(q["face"], yaw)
        ground = f.stage.table().ground(spot, kind["size_mm"] / 2)
        q["pos"] = np.array([*spot, film.lying(f.box, q["kind"], q["R"], ground)])
    else:
        q["R"] = pieces.rotz(yaw)
        q["pos"] = np.array([*spot, f.stage.table().ground(spot)])


class Game:
    """Both teams' things by name, and the chores that players do with them."""

    def __init__(self, f, hands):
        self.f, self.box, self.hands = f, f.box, hands
        self.plates = {p["name"]: p for p in f.stage.table().plates}
        self.ships = {}

    def cells(self, surface, zone):
        """Places for dice side by side in a zone, row by row, in the display's millimetres."""
        q = np.array(self.plates[surface]["zones"][zone], float)
        lo, span = q.min(0), np.ptp(q, 0)
        cols, rows = max(int(span[0] // 20.5), 1), max(int(span[1] // 20.5), 1)
        cells = [lo + span * np.array([(n % cols + 0.5) / cols, (n // cols + 0.5) / rows]) for n in range(cols * rows)]
        # of a zone with slanted edges some cells are none of it
        return [c for c in cells if cv2.pointPolygonTest(np.float32(q), c, True) > WITHIN] or [q.mean(0)]

    def spot(self, surface, zone, nth=0, of=1, loose=1.0):
        """A place in a zone: its middle, or one of several side by side; and how a die is turned that lies along it."""
        plate = self.plates[surface]
        q = np.array(plate["zones"][zone], float)
        if of > 1:
            cells = self.cells(surface, zone)
            p = cells[nth % len(cells)]
        else:
            p = q.mean(0)
        room = 1.0 if of > 1 else max(min(np.ptp(q, 0).min() / 2 - 10, 4), 0.5)
        p = p + np.clip(self.f.r.normal(0, 0.5, 2), -1, 1) * room * loose
        return self.world(surface, p), plate["yaw"] + self.f.r.normal(0, 0.06)

    def world(self, surface, p):
        t = self.f.stage.table()
        return t.to_world(t.plates[list(self.plates).index(surface)], p)[:2]

    def die(self, kind, symbol, surface=None, zone=None, spot=None, nth=0, of=1):
        """A die that lies there when the film begins."""
        i = self.f.add(what="die", kind=kind)
        yaw = self.f.r.uniform(0, 6.28)
        if spot is None:
            spot, yaw = self.spot(surface, zone, nth, of)
        place(self.f, i, spot, yaw, symbol)
        self.f.lay(i, quietly=True)
        return i

    def middle(self, square):
        b, plate = self.box.copy["board"], self.plates["board"]
        x, y = b["grid_origin_mm"]
        s = b["square_mm"]
        p = [x + (square[0] + 0.5) * s, y + (b["rows"] - 1 - square[1] + 0.5) * s]
        return self.f.stage.table().to_world(plate, p)[:2] + self.f.r.normal(0, s * 0.03, 2)

    def ship(self, team, square, facing):
        parts = self.box.copy["ships"][team][0]
        i = self.f.add(what="ship", team=team, parts=parts, square=tuple(square), facing=facing)
        place(self.f, i, self.middle(square), self.plates["board"]["yaw"] - FACINGS.index(facing) * math.pi / 2 + self.f.r.normal(0, 0.04))
        self.f.lay(i, quietly=True)
        self.ships[team] = i
        return i

    def piece(self, name, square):
        i = self.f.add(what=name, parts=self.box.copy[name])
        place(self.f, i, self.middle(square), self.f.r.normal(0, 0.15))
        self.f.lay(i, quietly=True)
        return i

    # chores: what a hand does, as actors

    def move(self, team, i, surface, zone, nth=0, of=1, face=None, wrong=False, spot=None):
        """Takes a die and puts it into a zone."""
        hand = self.hands[team]
        yield from hand.take(i)
        yaw = self.f.r.uniform(0, 6.28)
        if spot is None:
            spot, yaw = self.spot(surface, zone, nth, of)
        yield from hand.put(i, spot, yaw, face)
        if wrong:
            q = self.f.things[i]
            q["wrong"] = True
            self.f.note(what="problem", die=i, surface=q["surface"], zone=q["zone"])

    def rolls(self, team, ids, where, faces):
        hand = self.hands[team]
        yield from hand.take(*ids)
        r = self.f.r
        spots = [np.asarray(where, float) + [28 * (n % 3) - 28 + r.normal(0, 4), 30 * (n // 3) + r.normal(0, 4)] for n in range(len(ids))]
        # two dice are never in one place
        for n in range(len(spots)):
            while any(np.linalg.norm(spots[n] - o) < APART for o in spots[:n]):
                spots[n] += [3, 0]
        yield from hand.roll(list(ids), spots, faces)

    def sail(self, team, square, facing):
        hand, i = self.hands[team], self.ships[team]
        yield from hand.take(i)
        q = self.f.things[i]
        q.update(square=tuple(square), facing=facing)
        yield from hand.put(i, self.middle(square), self.plates["board"]["yaw"] - FACINGS.index(facing) * math.pi / 2 + self.f.r.normal(0, 0.04))

    def away(self, team):
        if self.hands[team].at is not None:
            yield from self.hands[team].away()


def sailed(square, facing, helm, cols, rows):
    """Where a ship ends that moves by these helm dice (Dice Duel, Helm)."""
    x, y = square
    for die in helm:
        for _ in range(2 if die == "F2" else 1):
            nx, ny = x + STEP[facing][0], y + STEP[facing][1]
            if 0 <= nx < cols and 0 <= ny < rows:
                x, y = nx, ny
        facing = FACINGS[(FACINGS.index(facing) + HELM_TURN[die]) % 4]
    return (x, y), facing


APART = 24.0  # mm between the middles of dice that are rolled together, at least: more than the diagonal of one of 16 mm
FELT = 2.0  # mm that a tray's bottom is thick
RAIL = 7.0, 15.0  # that its rails are wide and high


def tray(t, centre, yaw, size):
    """A tray of felt in wooden rails: a plate with nothing printed on it. `size`: its inside, mm."""
    felt, wood = pieces.lin((0.18, 0.26, 0.29)), pieces.lin((0.55, 0.41, 0.26))
    t.levels += [] if FELT in t.levels else [FELT]
    R, (w, h), (wide, high) = pieces.rotz(yaw), size, RAIL
    at, owner, level = np.array([*centre, 0.0]), 1000 + len(t.plates), t.levels.index(FELT)
    t.add(pieces.moved([pieces.prim(0, [0, 0, FELT / 2], [w / 2, h / 2, FELT / 2], felt, rnd=0.1, gloss=0.0, rough=0.25)], R, at), owner, level)
    sides = [([0, s * (h + wide) / 2], [w / 2 + wide, wide / 2]) for s in (-1, 1)] + [([s * (w + wide) / 2, 0], [wide / 2, h / 2]) for s in (-1, 1)]
    t.add(pieces.moved([pieces.prim(0, [*p, high / 2], [*half, high / 2], wood, rnd=1.5, gloss=0.25, rough=0.12) for p, half in sides], R, at), owner)
    t.plates.append(dict(id=owner, name="tray", type="tray", team=None, station=None, size=size, thick=FELT, centre=np.array(centre), yaw=yaw, zones={}, R=R))


def laid(box, plan):
    """A function that puts plates down: {name: (centre, yaw)}, of a tray its size, too."""
    c = box.copy

    def lay(t):
        for name, (centre, yaw, *size) in plan.items():
            if name == "tray":
                tray(t, np.array(centre, float), yaw, *size)
            elif name == "board":
                b = c["board"]
                t.plate("board", "board", None, None, (b["width_mm"], b["height_mm"]), b["thickness_mm"], np.array(centre, float), yaw, b["zones"], box.tex["board"], 0.1)
            else:
                team, station = name.split("-")
                d = c["displays"][station]
                t.plate(name, "display", team, station, d["size"], c["thickness"], np.array(centre, float), yaw, d["zones"], box.tex[team, station], 0.1)

    return lay


def looked_at(size, mid, wide, tilt, hfov, k1=0.0, azimuth=math.pi / 2):
    """A camera over the middle that sees so many mm across there."""
    r = np.random.default_rng(0)
    return tables.camera(r, size, np.array(mid, float), size[0] / wide * 16, math.radians(tilt), azimuth, hfov, k1)


# where a play's cameras stand: radians about the table from its near side, and how much more of it each sees
VIEWS = (0.0, 1.0), (0.6, 1.15), (-0.6, 1.15)
DEMO = {"board": ((0, 62), 0.0), "white-helm": ((-188, -205), 0.012), "white-weapons": ((0, -204), -0.01), "white-sensors": ((189, -206), 0.006),
        "white-engineering": ((-366, -66), 0.01), "white-shields": ((-366, 64), -0.012), "white-tractor": ((-367, 194), 0.008),
        "black-shields": ((367, 60), math.pi - 0.01), "black-sensors": ((366, 190), math.pi + 0.012), "black-helm": ((367, -70), math.pi),
        "tray": ((398, -245), 0.015, (168.0, 88.0))}


def demo(f):
    """Loading a torpedo, a lock, a shield die in the wrong sector, a move, and Fire 1, whose blast is rolled in the tray."""
    hands = dict(white=Hand(f, "white", -math.pi / 2 + 0.12), black=Hand(f, "black", 0.25))
    g = Game(f, hands)
    g.ship("white", (4, 2), "N")
    g.ship("black", (5, 5), "S")
    g.piece("asteroid", (1, 3))
    g.piece("nebula", (8, 4))
    for n in (1, 3, 4, 6):
        g.piece("crystal", g.box.copy["board"]["crystal_squares"][f"crystal-{n}"])
    pool = [g.die("energy", s, "white-engineering", "pool", nth=n, of=20) for n, s in enumerate("364")]
    helm5 = g.die("energy", "5", "white-helm", "energy", nth=0, of=4)
    sens2 = g.die("energy", "2", "white-sensors", "energy", nth=0, of=4)
    weap1 = g.die("energy", "1", "white-weapons", "energy", nth=0, of=4)
    g.die("weapon", "TAIL", "white-weapons", "front-1.tail")
    g.die("weapon", "BODY", "white-weapons", "front-1.body")
    w = [g.die("weapon", s, spot=(-60 + 40 * k, -290)) for k, s in enumerate(("BLAST1", "TAIL"))]
    lock1 = g.die("sensor", "L1", "white-sensors", "lock", nth=0, of=4)
    s = [g.die("sensor", "J1", spot=(170, -290))]
    A = g.die("helm", "F1", "white-helm", "A")
    B = g.die("helm", "FR", "white-helm", "B")
    h = g.die("helm", "FU", spot=(-190, -290))
    g.die("shield", "S1", "white-shields", "1")
    sh = g.die("shield", "EXP", spot=(-300, -155))
    jam = g.die("sensor", "J1", "black-sensors", "jammer", nth=0, of=4)
    bs = g.die("shield", "S1", "black-shields", "1")
    hit = g.die("energy", "4", spot=(452, -150))
    f.stage.rest(f.lying)
    white, black = hands["white"], hands["black"]
    f.wait(3)
    # energy: a six is rolled again, a four goes to the shields
    f.act(chain(g.rolls("white", [pool[0], pool[1]], (-380, -215), ["6", "4"])))
    f.wait(1.6)
    f.act(chain(g.move("white", pool[1], "white-shields", "energy", nth=0, of=4), g.away("white")))
    f.wait(1.0)
    # a shield die is rolled and lands in the wrong sector
    f.act(chain(g.rolls("white", [sh], (-300, -165), ["S2"])))
    f.wait(1.2)
    f.act(chain(g.move("white", sh, "white-shields", "3", wrong=True), g.away("white")))
    f.wait(3.2)
    f.act(chain(g.move("white", sh, "white-shields", "2"), g.move("white", pool[1], "white-engineering", "pool", nth=4, of=20), g.away("white")))
    f.wait(1.5)
    # the nose that the torpedo lacks
    f.act(chain(g.rolls("white", [w[0]], (-40, -290), ["NOSE"])))
    f.wait(1.2)
    f.act(chain(g.move("white", w[0], "white-weapons", "front-1.nose"), g.move("white", weap1, "white-engineering", "pool", nth=6, of=20), g.away("white")))
    f.wait(2.5)
    # helm: the third die, and the ship moves
    f.act(chain(g.rolls("white", [h], (-190, -290), ["FL"])))
    f.wait(1.0)
    f.act(chain(g.move("white", h, "white-helm", "C"), g.move("white", helm5, "white-engineering", "pool", nth=7, of=20), g.away("white")))
    f.wait(1.5)
    b = g.box.copy["board"]
    to, facing = sailed((4, 2), "N", ["F1", "FR", "FL"], b["cols"], b["rows"])
    f.act(chain(g.sail("white", to, facing), g.away("white")))
    f.wait(0.6)
    f.act(chain(*[g.move("white", i, None, None, spot=(-250 + 40 * n, -290)) for n, i in enumerate((A, B, h))], g.away("white")))
    f.wait(1.5)
    # the lock
    f.act(chain(g.rolls("white", [s[0]], (170, -290), ["L2"])))
    f.wait(1.0)
    f.act(chain(g.move("white", s[0], "white-sensors", "lock", nth=1, of=4), g.move("white", sens2, "white-engineering", "pool", nth=8, of=20), g.away("white")))
    f.wait(3.5)
    f.declare(declare="fire", ship="white", torpedoes=1)
    f.wait(3.0)
    # the blast is rolled with a weapon die
    f.act(chain(g.rolls("white", [w[1]], (398, -245), ["BLAST1"])))
    f.wait(3.0)
    # clean-up
    tube = [i for i, q in f.things.items() if q.get("surface") == "white-weapons" and q.get("kind") == "weapon"]
    f.act(chain(*[g.move("white", i, None, None, spot=(-70 + 36 * n, -292)) for n, i in enumerate(tube)], g.away("white")))
    f.act(chain(*[g.move("white", i, None, None, spot=(160 + 36 * n, -292)) for n, i in enumerate((lock1, s[0]))], g.away("white")))
    f.act(chain(g.move("black", jam, None, None, spot=(330, -168)), g.move("black", bs, None, None, spot=(385, -172)), g.move("black", hit, "board", "black-damage-1"), g.away("black")))
    f.wait(2.0)
    f.declare(declare="do", action="resume")
    f.wait(4.0)


NUMBERS = dict(weapons="1", sensors="2", tractor="3", shields="4", helm="5")
GAP = 9.0  # mm between displays
WITHIN = 3.0  # mm by which a die that is laid in a zone stands within its edge, at least


def beside(box, r, team="white"):
    """A plan of one team's displays in two rows, and how much of the table that takes: (plan, middle, width, height)."""
    sizes = {s: d["size"] for s, d in box.copy["displays"].items()}
    names = sorted(sizes, key=lambda s: (s != "engineering", s))
    per_row = math.ceil(len(names) / 2)
    plan, y = {}, 0.0
    for row in (names[:per_row], names[per_row:]):
        if not row:
            continue
        total = sum(sizes[s][0] for s in row) + GAP * (len(row) - 1)
        deep, x = max(sizes[s][1] for s in row), -total / 2
        for s in row:
            w, h = sizes[s]
            plan[f"{team}-{s}"] = (np.array([x + w / 2, y - deep / 2]) + r.normal(0, 1.5, 2), r.normal(0, 0.02))
            x += w + GAP
        y -= deep + GAP
    wide = max(abs(c[0]) + sizes[n.split("-", 1)[1]][0] / 2 for n, (c, _) in plan.items()) * 2
    return plan, wide, -y


class Play:
    """One team's crew at work, as the rules have it, with honest mistakes now and then."""

    def __init__(self, f, plan, wide, tall, mistakes):
        self.f, self.plan, self.mistakes = f, plan, mistakes
        self.hand = Hand(f, "white", -math.pi / 2 + f.r.normal(0, 0.15))
        self.g = g = Game(f, dict(white=self.hand))
        r, box = f.r, f.box
        self.stations = [s for s in box.copy["displays"] if s != "engineering"]
        self.pool = "white-engineering" if "white-engineering" in plan else None
        # where dice rest and are rolled: a strip of bare table before the displays
        self.row, self.wide = -tall - 14, wide
        self.home, self.taken = {}, 0
        self.energy = [self.begin("energy", str(r.integers(1, 6))) for _ in range(min(box.copy["per_team"].get("energy", 6), 6))]
        self.dice = {s: [self.begin(box.die_of(s), str(r.choice(box.kinds[box.kind_at[box.die_of(s)]]["faces"]))) for _ in range(min(box.copy["per_team"][box.die_of(s)], 6))] for s in self.stations}

    def begin(self, kind, face):
        """A die that lies before the displays, or in the pool, when the film begins."""
        n = self.taken
        self.taken += 1
        per = max(int(self.wide / 27), 1)
        spot = np.array([-self.wide / 2 + 13 + 27 * (n % per), self.row - 12 - 27 * (n // per)]) + self.f.r.normal(0, 1.5, 2)
        if kind == "energy" and self.pool and n < len(self.g.cells(self.pool, "pool")):
            i = self.g.die(kind, face, self.pool, "pool", nth=n, of=20)
        else:
            i = self.g.die(kind, face, spot=spot)
        self.home[i] = spot
        return i

    def lies_in(self, surface, zone=None):
        return [i for i in self.f.lying if self.f.things[i]["what"] == "die" and self.f.things[i].get("surface") == surface and zone in (None, self.f.things[i].get("zone"))]

    def rest(self, ids):
        """Dice that lie on the bare table, or in the tray."""
        return [i for i in ids if i in self.f.lying and self.f.things[i].get("surface") in (None, "tray")]

    def free(self, station):
        """Slots of a station's display with nothing in them; areas hold several."""
        plate = self.g.plates[f"white-{station}"]
        room = lambda z: min(len(self.g.cells(plate["name"], z)), 3) if z in ("lock", "jammer", "beam") or station == "shields" else 1
        return [z for z in plate["zones"] if z not in ("energy", "rest") and len(self.lies_in(plate["name"], z)) < room(z)]

    def into(self, i, station, zone, **more):
        """A die comes into a zone, where there is most room in one that holds several."""
        name = f"white-{station}"
        if zone not in ("energy", "lock", "jammer", "beam") and station != "shields":
            return self.g.move("white", i, name, zone, **more)
        cells = [self.g.world(name, c) for c in self.g.cells(name, zone)]
        n = max(range(len(cells)), key=lambda n: min(self.room(cells[n], self.lies_in(name), i), 30))
        return self.g.move("white", i, name, zone, nth=n, of=20, **more)

    def room(self, at, ids, but=None):
        """How far the nearest of some dice is, in millimetres."""
        return min((np.linalg.norm(at - self.f.things[j]["pos"][:2]) for j in ids if j != but), default=99)

    def back(self, i):
        """An energy die returns to engineering, where there is room when it comes, or to where it began."""
        if self.pool:
            cells = [self.g.world(self.pool, c) for c in self.g.cells(self.pool, "pool")]
            n = max(range(len(cells)), key=lambda n: min(self.room(cells[n], self.lies_in(self.pool), i), 30))
            yield from self.g.move("white", i, self.pool, "pool", nth=n, of=20)
        else:
            yield from self.g.move("white", i, None, None, spot=self.home[i])

    def thrown(self, ids, faces):
        """Rolls dice before the displays, or in the tray there, somewhere nothing lies."""
        r = self.f.r
        others = [q["pos"][:2] for i, q in self.f.things.items() if i in self.f.lying and i not in ids]
        best, room = None, -1
        for _ in range(30):
            at = np.array([r.uniform(-self.wide / 2 + 50, self.wide / 2 - 50), self.row - r.uniform(60, 95)])
            if "tray" in self.plan:
                centre, _, size = self.plan["tray"]
                at = centre + np.array([r.uniform(-1, 1) * (size[0] / 2 - 45), r.uniform(-1, 1) * (size[1] / 2 - 22)])
            near = min((np.linalg.norm(at + [28 * (n % 3) - 28, 30 * (n // 3)] - o) for o in others for n in range(len(ids))), default=99)
            if near > room:
                best, room = at, near
        return self.g.rolls("white", ids, best, faces)

    # chores

    def engineering(self):
        r, f = self.f.r, self.f
        mine = self.lies_in(self.pool, "pool") if self.pool else self.rest(self.energy)
        if not mine:
            return
        some = [mine[int(k)] for k in r.permutation(len(mine))[: int(r.integers(1, 4))]]
        wanted = [NUMBERS[s] for s in self.stations]
        while some:
            faces = [str(r.choice(wanted)) if r.random() < 0.75 else str(r.integers(1, 7)) for _ in some]
            f.act(self.thrown(some, faces))
            f.wait(r.uniform(0.5, 1.5))
            again = []
            for i, face in zip(some, faces):
                station = next((s for s in self.stations if NUMBERS[s] == face), None)
                if station is None or len(self.lies_in(f"white-{station}", "energy")) >= min(len(self.g.cells(f"white-{station}", "energy")), 3):
                    again.append(i)
                    continue
                if r.random() < self.mistakes / 2 and len(self.stations) > 1:
                    other = str(r.choice([s for s in self.stations if s != station]))
                    f.act(chain(self.into(i, other, "energy", wrong=True), self.g.away("white")))
                    f.wait(r.uniform(2, 4))
                f.act(self.into(i, station, "energy"))
            if again and r.random() < 0.5:
                f.act(chain(*[self.back(i) for i in again]))
                again = []
            f.act(self.g.away("white"))
            some = again

    def station(self, s):
        r, f = self.f.r, self.f
        energy, loose, slots = self.lies_in(f"white-{s}", "energy"), self.rest(self.dice[s]), self.free(s)
        if not energy or not loose or not slots:
            return False
        kind = f.box.kinds[f.box.kind_at[f.box.die_of(s)]]
        some = loose[: int(min(len(energy), len(loose), 2))]
        for attempt in range(3):
            faces = [str(r.choice(kind["faces"])) for _ in some]
            useful = [n for n in dict.fromkeys(kind["faces"]) if any(f.box.fits(s, z, n) for z in slots)]
            if attempt == 2 and useful:
                faces[0] = str(r.choice(useful))
            f.act(self.thrown(some, faces))
            f.wait(r.uniform(0.4, 1.2))
            if any(n in useful for n in faces):
                break
        done = 0
        for i, face in zip(some, faces):
            fit = [z for z in self.free(s) if f.box.fits(s, z, face)]
            if not fit:
                continue
            zone = fit[int(r.integers(len(fit)))]
            if s != "helm" and r.random() < self.mistakes:
                wrong = [z for z in self.free(s) if not f.box.fits(s, z, face)]
                if wrong:
                    f.act(chain(self.into(i, s, wrong[int(r.integers(len(wrong)))], wrong=True), self.g.away("white")))
                    f.wait(r.uniform(2, 4))
            f.act(self.into(i, s, zone))
            done += 1
        for i in energy[:done]:
            f.act(self.back(i))
        f.act(self.g.away("white"))
        return True

    def sailed(self):
        """Three helm dice are done with."""
        if "helm" not in self.stations or len(placed := [i for z in "ABC" for i in self.lies_in("white-helm", z)]) < 3:
            return False
        self.f.wait(self.f.r.uniform(1, 2))
        self.f.act(chain(*[self.g.move("white", i, None, None, spot=self.home[i]) for i in placed], self.g.away("white")))
        return True

    def unload(self):
        """A die is taken off its display."""
        some = [i for s in self.stations for i in self.lies_in(f"white-{s}") if self.f.things[i]["kind"] != "energy"]
        if len(some) > 4:
            i = some[int(self.f.r.integers(len(some)))]
            self.f.act(chain(self.g.move("white", i, None, None, spot=self.home[i]), self.g.away("white")))

    def nudge(self):
        """A display is pushed, and what lies on it goes along."""
        f, r = self.f, self.f.r
        name = str(r.choice([n for n in self.plan if n != "tray"]))
        centre, yaw = self.plan[name]
        off, by = r.uniform(-3, 3, 2), r.normal(0, 0.025)
        ids = self.lies_in(name)
        start = {i: (f.things[i]["pos"].copy(), f.things[i]["R"].copy()) for i in ids}

        def push():
            yield from self.hand.go(centre - [0, self.g.plates[name]["size"][1] * 0.4])
            for i in ids:
                f.note(what="leaves", die=i)
                f.covered.discard(i)
            n = max(round(f.fps * 0.4), 3)
            for k in range(1, n + 1):
                e = film.eased(k / n)
                self.plan[name] = (centre + off * e, yaw + by * e)
                R = pieces.rotz(by * e)
                for i in ids:
                    p, Q = start[i]
                    f.things[i].update(pos=np.array([*(centre + off * e + R[:2, :2] @ (p[:2] - centre)), p[2]]), R=R @ Q)
                    f.lying[i] = f.solids(f.things[i])
                f.stage.rest(f.lying)
                yield self.hand.shown(0.0)
            t = f.stage.table()
            self.g.plates = {p["name"]: p for p in t.plates}
            size = np.array(self.g.plates[name]["size"])
            corners = t.to_world(self.g.plates[name], truth.FACE / 2 * size + size / 2)
            f.note(what="nudged", surface=name, size_mm=truth.num(size, 1), corners=truth.num(truth.project(f.stage.cam, corners)[0], 2))
            for i in ids:
                f.lay(i, quietly=True)
            yield from self.hand.away()

        f.act(push())

    def pushes(self, seconds):
        """Displays pushed about, one after the other, and nothing else."""
        self.f.stage.rest(self.f.lying)
        self.f.wait(4)
        while self.f.now < seconds - 5:
            self.nudge()
            self.f.wait(1.5)
        self.f.wait(max(seconds - self.f.now, 0))

    def shadow(self):
        """Somebody leans over, between the lamp and the table."""
        f, r = self.f, self.f.r
        begun, long, deep, angle = f.now, r.uniform(1.5, 3), r.uniform(0.25, 0.5), r.uniform(0, 6.28)
        W, H = f.stage.cam["W"], f.stage.cam["H"]
        y, x = np.mgrid[:H, :W].astype(np.float32)
        along = (x / W - 0.5) * math.cos(angle) + (y / H - 0.5) * math.sin(angle)

        def shade(now, picture):
            k = math.sin(math.pi * min(max((now - begun) / long, 0), 1))
            edge = 1 / (1 + np.exp((along - 0.9 + 0.9 * k) * 9))
            return np.uint8(picture * (1 - deep * (1 - edge) * (k > 0))[..., None])

        f.shade = shade
        f.wait(long)
        f.shade = None

    def go(self, seconds):
        f, r = self.f, self.f.r
        f.stage.rest(f.lying)
        f.wait(3)
        while f.now < seconds - 4:
            k = r.random()
            if k < 0.06:
                self.nudge()
            elif k < 0.12:
                self.shadow()
            elif k < 0.2:
                self.unload()
            elif k < 0.5:
                self.engineering()
            elif not self.sailed():
                for s in [self.stations[int(n)] for n in r.permutation(len(self.stations))]:
                    if self.station(s):
                        break
                else:
                    self.engineering()
            f.wait(r.uniform(0.3, 2.5))
        f.wait(max(seconds - f.now, 0))


def chain(*actors):
    for a in actors:
        yield from a


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--out", required=True)
    a.add_argument("--name")
    a.add_argument("--script", choices=["demo", "play", "nudges"], default="demo")
    a.add_argument("--copy", default="practice", help="practice, or SEED:NUMBER of a made copy")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--seconds", type=float, default=180)
    a.add_argument("--fps", type=int, default=15)
    a.add_argument("--size", default="1920x1080")
    a.add_argument("--crf", type=int, default=23)
    a.add_argument("--mistakes", type=float, default=0.15, help="share of dice that are placed wrong at first")
    a.add_argument("--tray", action="store_true", help="a crew at work rolls its dice in a tray")
    a.add_argument("--view", type=int, choices=range(len(VIEWS)), default=0, help="the same match as another camera sees it: 0 from the near side, 1 and 2 from its right and left")
    a.add_argument("--work", default="/tmp/sightline-practice")
    a.add_argument("--photos", help="photographs to take tables and lights from; without, all is drawn, as in the bundled film")
    args = a.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(args.out, exist_ok=True)
    size = tuple(int(v) for v in args.size.split("x"))
    grounds = scenes.Grounds(args.photos)
    box = practice.Box(args.work) if args.copy == "practice" else tables.Box(*[int(v) for v in args.copy.split(":")])
    r = np.random.default_rng([74, args.seed])
    if args.script == "demo":
        plan, mid = DEMO, np.array([0.0, -24.0])
        cam = looked_at(size, mid, 1035, 8, 58)
    else:
        plan, wide, tall = beside(box, r)
        if args.tray:
            plan["tray"] = (np.array([0.0, -tall - 150]), 0.0, (min(wide - 20, 320.0), 92.0))
        deep = tall + 80 * args.tray
        mid = np.array([0, -(deep + 115) / 2])
        aside, farther = VIEWS[args.view]
        cam = looked_at(size, mid, max(wide + 50, (deep + 130) * size[0] / size[1]) * 1.05 * farther, r.uniform(5, 28), r.uniform(50, 74), r.normal(0, 0.03), math.pi / 2 + r.normal(0, 0.12) + aside)
    stage = film.Stage(box, cam, args.seed, grounds, laid(box, plan), mid)
    f = Film(stage, args, os.path.join(args.out, args.name or f"{args.script}-{args.seed}"))
    if args.script == "demo":
        demo(f)
    else:
        play = Play(f, plan, wide, tall, args.mistakes)
        (play.go if args.script == "play" else play.pushes)(args.seconds)
    f.close()


if __name__ == "__main__":
    main()
