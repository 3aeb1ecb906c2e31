"""Boards and displays laid flat, with pieces, dice and hands on them, as the program sees them: what pieces.py trains on.

    python squares.py --out DIR --copies 150 --each 24 --seed 700 [--first 0] [--jobs 2] [--photos DIR] [--renderer cycles]

Writes DIR/squares-NNNN.npz, one for each made copy (copies.py); what is there already is not made again. With Blender's Cycles
(blender.py) a square takes seconds, so that each that is made is kept in DIR/squares-NNNN.parts until its copy is whole. In the npz:

    now    EACH JPEGs of a square of the surface, 2 * SIDE pixels wide, flattened with the error of a registration
    print  EACH JPEGs of the same square of the enrolled reference picture, SIDE pixels wide
    lean   (EACH, 3, 3): how far a point 1 mm above each place of it seems shifted, in mm: [u, v] = lean[:2] @ [x, y, 1],
           x and y in pixels of SIDE; that is the camera's place as seen from the surface
    cover  (EACH, SIDE / 4, SIDE / 4) uint8: how much of each cell shows neither the surface nor what belongs to the game
    things (N, 9) float32: picture, kind (0 ship, 1 token, 2 crystal, 3 die), which (place in `names`; -1: of no copy, and
           dice), foot x, y and half length (radius of tokens, half edge of dice) in pixels of SIDE, heading in degrees
           clockwise from up, share visible (of dice: of the top face), height in mm. Dice that lean or stand on others are
           not told: they have share 0.5
    album  JPEGs, ALBUM pixels wide: each of `names` photographed alone from above, as an owner does; its middle in the
           middle and 1.5 times its length wide; ships in four headings
    of     (len(album), 2): place in `names`, heading
    names  ship/white, ship/black, token/..., crystal
"""
import argparse
import hashlib
import json
import math
import multiprocessing as mp
import os
import pickle
import shutil
import time

import cv2
import numpy as np

import art
import cards
import copies
import dice
import pieces
import scenes
import tables
import truth
from pieces import rotz

SIDE, SQUARE, ALBUM = 192, 48.0, 128
KINDS = {"ship": 0, "token": 1, "crystal": 2, "die": 3}


def cut(cam, q):
    """The part of a camera that shows world points q, as a camera of its own."""
    px, z = truth.project(cam, q)
    if (z < 20).any():
        return None
    x0, y0 = np.floor(px.min(0)).astype(int) - 2
    x1, y1 = np.ceil(px.max(0)).astype(int) + 3
    if not (8 < x1 - x0 < 900 and 8 < y1 - y0 < 900):
        return None
    return dict(cam, W=int(x1 - x0), H=int(y1 - y0), K=cam["K"] - [0, 0, x0, y0])


def jpeg(im, quality=95):
    return cv2.imencode(".jpg", im[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def stand(t, plate, name, at, yaw, fresh, lift=0.0):
    """One piece at `at`, mm of the plate, or on another that is `lift` high. A fresh ship is one of no copy: the
    detector is to know any."""
    r, c = t.r, t.copy
    p = t.to_world(plate, at)
    what, _, who = name.partition("/")
    if what == "ship":
        parts, outline, top = fresh if fresh else c["ships"][who]
        if lift or t.free(p[0], p[1], np.ptp(outline[:, 1]) * 0.35, 0.0, t.ground(p), 20):
            t.thing("ship", name if fresh is None else "fresh", who, parts, p, plate["yaw"] + yaw, outline=outline, top=top, half=float(np.ptp(outline[:, 1])) / 2, high=top, lift=lift)
    elif what == "token":
        q = c["tokens"][who]
        parts, outline = pieces.token(q["shape"], q["radius"], q["thick"], t.box.tex[who], q["side"], r.uniform(0, 0.4))
        if lift or t.free(p[0], p[1], q["radius"] * 0.8, 0.0, t.ground(p), 20):
            t.thing("token", name, q["team"], parts, p, plate["yaw"] + yaw, outline=outline, top=q["thick"], half=q["radius"], high=q["thick"], lift=lift)
    else:
        parts = c["crystal"]
        pts = parts[0]["points"]
        if lift or t.free(p[0], p[1], 6, 0.0, t.ground(p), 8):
            t.thing("crystal", name, None, parts, p, plate["yaw"] + yaw, outline=None, top=0, half=float(np.ptp(pts, axis=0)[:2].max()) / 2, high=float(np.ptp(pts[:, 2])), lift=lift)


def ship(t, square):
    """Any ship, solid or of paper."""
    r = t.r
    long = square * r.uniform(0.45, 0.95)
    if r.random() < 0.3:
        im, outline = cards.paper_ship(r, long)
        return pieces.paper_ship(r, outline, long, t.picture(im))
    return pieces.ship(r, dice.body_colour(r), long)


def fill(t, plate, mid, names, per_mm):
    """Pieces and dice in and about the square of the plate that is looked at."""
    r, b = t.r, t.copy["board"]
    reach = SIDE / per_mm / 2
    if plate["type"] == "board":
        square, (x0, y0) = b["square_mm"], b["grid_origin_mm"]
        cells = [(i, j) for j in range(b["rows"]) for i in range(b["cols"])]
        near = [c for c in cells if abs(x0 + (c[0] + 0.5) * square - mid[0]) < reach + square / 2 and abs(y0 + (c[1] + 0.5) * square - mid[1]) < reach + square / 2]
        middle = lambda c: np.array([x0 + (c[0] + 0.5) * square, y0 + (c[1] + 0.5) * square])
    else:
        square = SQUARE / per_mm
        near = [(i, j) for j in range(-2, 3) for i in range(-2, 3)]
        middle = lambda c: mid + np.array(c) * square
    inside = lambda p: (np.clip(p, 4, np.array(plate["size"]) - 4) == p).all()
    near = [near[int(i)] for i in r.permutation(len(near))]
    share = {"ship": 0.22, "token": 0.3, "crystal": 0.2, "die": 0.1} if plate["type"] == "board" else {"ship": 0.02, "token": 0.1, "crystal": 0.08, "die": 0.4}
    if r.random() < 0.12:
        share = {}
    loose = r.choice([0.05, 0.12, 0.3], p=[0.5, 0.3, 0.2]) * square
    for c in near:
        k = r.random()
        for what, s in share.items():
            k -= s
            if k < 0:
                break
        else:
            continue
        p = middle(c) + r.normal(0, loose, 2)
        if not inside(p):
            continue
        quarter = int(r.integers(4)) * math.pi / 2 + r.normal(0, 0.08)
        if what == "die":
            kind = t.copy["kinds"][int(r.integers(len(t.copy["kinds"])))]
            t.die(kind, str(r.choice(t.box.kinds[t.box.kind_at[kind]]["faces"])), t.to_world(plate, p), r.uniform(0, 6.28), None, "-")
            continue
        some = [n for n in names if n.startswith(what)]
        fresh = None
        if what == "ship" and r.random() < 0.6:
            fresh = ship(t, square)
        yaw = quarter if what == "ship" and r.random() < 0.5 else r.uniform(0, 6.28)
        name = some[int(r.integers(len(some)))]
        stand(t, plate, name, p, yaw, fresh)
        if what == "token" and r.random() < 0.3:  # a ship has moved there, or a crystal lies on it
            on = "crystal" if r.random() < 0.35 else f"ship/{copies.TEAMS[int(r.integers(2))]}"
            fresh = ship(t, square) if on != "crystal" and r.random() < 0.6 else None
            thick = t.copy["tokens"][name[6:]]["thick"]
            stand(t, plate, on, p + r.normal(0, 0.08, 2) * square, int(r.integers(4)) * math.pi / 2 + r.normal(0, 0.1), fresh, thick)
    if plate["type"] == "display":
        tables.settle(t, plate, "team", plate["team"])
        if r.random() < 0.5:
            tables.extras(t, "team", plate["team"])
    world = lambda: t.to_world(plate, mid + r.uniform(-1.1, 1.1, 2) * reach)[:2]
    if r.random() < 0.4:
        t.add(pieces.hand(r, world(), r.uniform(0, 6.28), r.choice([0, r.uniform(0, 50)])), -2)
    if r.random() < 0.15:
        p = world()
        k = r.random()
        parts = pieces.mug(r) if k < 0.3 else pieces.pen(r) if k < 0.7 else pieces.slab(70, 145, 8, t.picture(np.full((8, 8, 3), 12, np.uint8)), np.full(3, 0.02), 0.9, 300.0, 3.0)
        t.add(tables.moved(parts, rotz(r.uniform(0, 6.28)), np.array([*p, t.ground(p)])), -10)
    if r.random() < 0.15:
        p = world()
        if t.free(p[0], p[1], 12, 0.0, t.ground(p), 20):
            t.add(tables.moved(pieces.polyhedron(r, dice.body_colour(r)), rotz(r.uniform(0, 6.28)), np.array([*p, t.ground(p)])), -10)


def printed(r, im, per_mm, to_flat):
    """The reference picture of a square as enrolment keeps it: another light, another camera, half a millimetre off."""
    k = to_flat @ np.diag([1 / per_mm, 1 / per_mm, 1.0])
    big = cv2.warpAffine(im, (np.diag([2, 2, 1.0]) @ k)[:2], (2 * SIDE, 2 * SIDE), flags=cv2.INTER_LINEAR, borderValue=(127, 127, 127))
    out = cv2.resize(big, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    out = cv2.GaussianBlur(out, (0, 0), r.uniform(0.2, 1.1))
    out = np.clip(out, 0, 1) ** math.exp(r.normal(0, 0.2))
    y, x = np.mgrid[:SIDE, :SIDE] / SIDE - 0.5
    out = out * r.uniform(0.55, 1.1) * (1 + r.normal(0, 0.12) * x + r.normal(0, 0.12) * y)[..., None] * np.exp(r.normal(0, 0.08, 3))
    grey = out.mean(2, keepdims=True)
    out = grey + (out - grey) * r.uniform(0.7, 1.25) + r.normal(0, r.uniform(0, 0.02), out.shape)
    there = cv2.warpAffine(np.ones(im.shape[:2], np.float32), k[:2], (SIDE, SIDE), flags=cv2.INTER_LINEAR)
    return np.where(there[..., None] < 0.5, np.uint8(127), np.uint8(np.clip(out, 0, 1) * 255))


def view(box, r, grounds, names):
    """One square of a surface; None where the camera can't see it."""
    t = tables.Table(box, r)
    c, b = t.copy, t.copy["board"]
    board = r.random() < 0.5 or not c["displays"]
    gloss = r.uniform(0, 0.35)
    if board:
        size, tex = (b["width_mm"], b["height_mm"]), box.tex["board"]
        t.plate("board", "board", None, None, size, b["thickness_mm"], np.zeros(2), 0.0, b["zones"], tex, gloss)
        per_mm = SQUARE / b["square_mm"]
    else:
        s = list(c["displays"])[int(r.integers(len(c["displays"])))]
        team = copies.TEAMS[int(r.integers(2))]
        size, tex = c["displays"][s]["size"], box.tex[team, s]
        t.plate(f"{team}/{s}", "display", team, s, size, c["thickness"], np.zeros(2), 0.0, c["displays"][s]["zones"], tex, gloss)
        per_mm = 1.0
    plate = t.plates[0]
    half = SIDE / per_mm / 2
    mid = np.array([r.uniform(min(half * 0.7, v / 2), max(v - half * 0.7, v / 2)) for v in size])
    fill(t, plate, mid, names, per_mm)
    corners = mid + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    world = t.to_world(plate, corners)
    px16 = 16 / (1 / per_mm) * math.exp(r.uniform(math.log(0.5), math.log(2.4)))
    tilt = math.radians(min(60 * r.uniform(0, 1) ** 1.1, 60))
    aim = t.to_world(plate, mid)[:2] + r.normal(0, 120, 2)
    cam = tables.camera(r, (1920, 1080), aim, max(px16, 12), tilt, r.uniform(0, 6.28), r.uniform(42, 78), r.normal(0, 0.05))
    if cam["pos"][2] < 150:
        return None
    cam = cut(cam, np.concatenate([world, world + [0, 0, 30]]))
    if cam is None:
        return None
    img, ids, _ = tables.shine(t, cam, r, grounds, t.to_world(plate, mid)[:2])
    wide = 1920
    out, _, quality = tables.develop(r, img, "squares", width=wide)
    out = cv2.imdecode(cv2.imencode(".jpg", out[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)[..., ::-1]
    # laid flat by corners that are found nearly right
    flat = np.float32([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]) - 0.5
    px, _ = truth.project(cam, world)
    exact = cv2.getPerspectiveTransform(np.float32(px), flat)
    off = np.diag([1, 1, 1.0])
    off[:2, 2] = r.normal(0, 0.25, 2) * per_mm
    off[:2, :2] += r.normal(0, 0.0015, (2, 2))
    H = off @ exact
    twice = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1.0]])
    now = cv2.warpPerspective(out, twice @ H, (2 * SIDE, 2 * SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    owner = np.array(t.owner + [0], np.int64)
    strange = np.where(ids >= 0, owner[np.maximum(ids, 0)] < 0, ids == -2).astype(np.float32)
    cover = cv2.warpPerspective(strange, exact, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.resize(cover, (SIDE // 4, SIDE // 4), interpolation=cv2.INTER_AREA)
    # the camera's place over the surface, known as well as a camera without calibration is
    cx, cy = t.to_plate(plate, cam["pos"])
    cz = (cam["pos"][2] - plate["thick"]) * math.exp(r.normal(0, 0.12))
    cx, cy = np.array([cx, cy]) + r.normal(0, 0.03, 2) * cz
    x0, y0 = corners[0]
    lean = np.array([[1 / per_mm, 0, x0 + 0.5 / per_mm - cx], [0, 1 / per_mm, y0 + 0.5 / per_mm - cy], [0, 0, cz]]) / cz
    to_flat = np.array([[per_mm, 0, -x0 * per_mm - 0.5], [0, per_mm, -y0 * per_mm - 0.5], [0, 0, 1]])
    shift = np.eye(3)
    shift[:2, 2] = r.normal(0, 0.15, 2) * per_mm
    ref = printed(r, t.pictures[tex], t.per_mm[tex], shift @ to_flat)
    count = np.bincount((ids + 2).ravel(), minlength=len(t.parts) + 2)[2:]
    things = []
    for o in t.objects:
        if o["type"] not in KINDS:
            continue
        q = to_flat @ [*t.to_plate(plate, o["pos"]), 1]
        if not ((q[:2] > -24) & (q[:2] < SIDE + 24)).all():
            continue
        area, _ = truth.whole_area(t, o, cam)
        seen = sum(count[i] for i in o["parts"])
        share = min(seen / max(area[0], 1), 1.0) if area is not None else 0.0
        if o["type"] == "die":
            things.append(cube(o, plate, t, cam, ids, q, per_mm))
            continue
        yaw = math.degrees(math.atan2(o["R"][1, 0], o["R"][0, 0]))
        which = names.index(o["symbol"]) if o["symbol"] in names else -1
        things.append([KINDS[o["type"]], which, q[0], q[1], o["half"] * per_mm, -yaw % 360, share, o["high"]])
    return jpeg(now), jpeg(ref), lean, np.uint8(np.round(cover * 255)), things


def cube(o, plate, t, cam, ids, foot, per_mm):
    """A die's row of `things`: where it stands, how it is turned, how much of its top face is seen."""
    u, v, n = (o["R"] @ dice.BASIS[o["face"]].T).T
    grid = np.stack(np.meshgrid(np.linspace(-0.86, 0.86, 9), np.linspace(-0.86, 0.86, 9)), -1).reshape(-1, 2) * o["half"]
    px = np.round(truth.project(cam, o["pos"] + o["half"] * n + grid[:, :1] * u + grid[:, 1:] * v)[0]).astype(int)
    ok = (px >= 0).all(1) & (px < [cam["W"], cam["H"]]).all(1)
    share = float((ids[px[ok, 1], px[ok, 0]] == o["part"]).sum()) / len(px)
    flat = n[2] > 0.985 and abs(o["pos"][2] - plate["thick"] - o["half"]) < 0.15 * o["half"]
    yaw = math.degrees(math.atan2(u[1], u[0]))
    return [KINDS["die"], -1, foot[0], foot[1], o["half"] * per_mm, -yaw % 360, share if flat else min(share, 0.5), 2 * o["half"]]


def alone(box, r, grounds, name, heading):
    """A piece as its owner photographs it: alone, from above, and cut out nearly right."""
    t = tables.Table(box, r)
    c = t.copy
    what, _, who = name.partition("/")
    yaw = -math.radians(heading)
    if what == "ship":
        parts, outline, top = c["ships"][who]
        half, mid = float(np.ptp(outline[:, 1])) / 2, float(outline[:, 1].max() + outline[:, 1].min()) / 2
    elif what == "token":
        q = c["tokens"][who]
        parts, outline = pieces.token(q["shape"], q["radius"], q["thick"], box.tex[who], q["side"], 0.2)
        half, mid, top = q["radius"], 0.0, q["thick"]
    else:
        parts, outline, top = c["crystal"], None, 0
        half, mid = float(np.ptp(parts[0]["points"], axis=0)[:2].max()) / 2, 0.0
    t.thing(what, name, None, parts, np.zeros(2), yaw + r.normal(0, 0.03), outline=outline, top=top)
    wide = 2 * half * 1.5 * math.exp(r.normal(0, 0.05))
    centre = rotz(yaw)[:2, :2] @ [0, mid] + r.normal(0, 0.04, 2) * half
    cam = tables.camera(r, (640, 640), centre, 16 * 640 / (wide * 1.6), math.radians(r.uniform(0, 5)), math.pi / 2 + r.normal(0, 0.02), r.uniform(32, 45), 0.0)
    n = 400
    cam = dict(cam, W=n, H=n, K=cam["K"] - [0, 0, 120, 120])
    plain = grounds
    if r.random() < 0.5:
        plain = scenes.Grounds(None)
        plain.lights = grounds.lights
        colour = tables.table_colour(r)
        plain.own = lambda q, k: np.uint8(np.clip(colour * (1 + 0.03 * art.noise(q, k, 4, 30)[..., None]), 0, 1) * 255)
    img, _, _ = tables.shine(t, cam, r, plain, np.zeros(2), soft=r.random() < 0.6)
    out, _, _ = tables.develop(r, img, "enrol", careful=True, width=640)
    return jpeg(cv2.resize(out, (ALBUM, ALBUM), interpolation=cv2.INTER_AREA))


def kept(args, index, name, f):
    """What f makes, from the last run if that was stopped after it. trace.py is as quick as the disk."""
    if args.renderer == "trace":
        return f()
    folder = os.path.join(args.out, f"squares-{index:04d}.parts")
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        os.makedirs(folder, exist_ok=True)
        tables.keep(path, pickle.dumps(f()))
    return pickle.load(open(path, "rb"))


def make(args, index, grounds, count):
    box = tables.Box(args.seed, index)
    box.renderer = args.renderer
    names = [f"ship/{t}" for t in copies.TEAMS] + [f"token/{n}" for n in box.copy["tokens"]] + ["crystal"]
    now, ref, lean, cover, things, album, of = [], [], [], [], [], [], []
    k = 0
    while len(now) < args.each:
        k += 1
        v = kept(args, index, f"view-{k}", lambda: view(box, np.random.default_rng([89, args.seed, index, k]), grounds, names))
        if v is None:
            continue
        things += [[len(now), *q] for q in v[4]]
        count.value += 1
        now.append(v[0]), ref.append(v[1]), lean.append(v[2]), cover.append(v[3])
    for i, n in enumerate(names):
        for heading in ((0, 90, 180, 270) if n.startswith("ship") else (0,)):
            album.append(kept(args, index, f"alone-{i}-{heading}", lambda: alone(box, np.random.default_rng([88, args.seed, index, i, heading]), grounds, n, heading)))
            count.value += 1
            of.append((i, heading))
    raw = lambda v: np.array([np.frombuffer(b, np.uint8) for b in v] + [None], object)[:-1]
    path = os.path.join(args.out, f"squares-{index:04d}.npz")
    with open(path + ".part", "wb") as f:
        np.savez(f, now=raw(now), print=raw(ref), lean=np.float32(lean), cover=np.stack(cover), things=np.float32(things).reshape(-1, 9), album=raw(album), of=np.int32(of), names=np.array(names))
    os.replace(path + ".part", path)
    shutil.rmtree(path[:-3] + "parts", ignore_errors=True)


def work(args, todo, count):
    cv2.setNumThreads(1)
    grounds = scenes.Grounds(args.photos)
    while True:
        index = todo.get()
        if index is None:
            return
        make(args, index, grounds, count)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", required=True)
    p.add_argument("--copies", type=int, default=150)
    p.add_argument("--each", type=int, default=24)
    p.add_argument("--seed", type=int, default=700)
    p.add_argument("--first", type=int, default=0)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--photos")
    p.add_argument("--renderer", choices=("trace", "cycles"), default="trace", help="cycles: Blender's, see blender.py; the same squares, lamps and lenses")
    args = p.parse_args()
    os.makedirs(args.out, exist_ok=True)
    here = os.path.dirname(os.path.abspath(__file__))
    source = hashlib.sha256(b"".join(open(os.path.join(here, f), "rb").read() for f in ("squares.py", "tables.py", "copies.py", "pieces.py", "cards.py", "dice.py", "art.py", "trace.py")))
    with open(os.path.join(args.out, "made.json"), "w") as f:
        json.dump(dict(seed=args.seed, first=args.first, count=args.copies, each=args.each, renderer=args.renderer, source=source.hexdigest()), f)
    there = lambda i: os.path.exists(os.path.join(args.out, f"squares-{i:04d}.npz"))
    todo, wanted = mp.Queue(), [i for i in range(args.first, args.first + args.copies) if not there(i)]
    for i in wanted:
        todo.put(i)
    for _ in range(args.jobs):
        todo.put(None)
    counts = [mp.Value("i", 0, lock=False) for _ in range(args.jobs)]
    jobs = [mp.Process(target=work, args=(args, todo, n), daemon=True) for n in counts]
    start = time.time()
    for j in jobs:
        j.start()
    try:
        while any(j.is_alive() for j in jobs):
            time.sleep(5)
            done = sum(there(i) for i in wanted)
            print(f"\r{done} of {len(wanted)} copies, {sum(n.value for n in counts)} pictures, {time.time() - start:.0f} s", end="", flush=True)
    except KeyboardInterrupt:
        for j in jobs:
            j.terminate()
        raise SystemExit("\nstopped; the same command goes on from here")
    print()
    if any(j.exitcode for j in jobs):
        raise SystemExit("not all were made: start it again for the rest")


if __name__ == "__main__":
    main()
