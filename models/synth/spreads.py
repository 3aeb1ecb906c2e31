"""Small pictures of tables, cards and a board spread over them, with the corners of each: what the card detector is trained on.

    python spreads.py --out DIR --copies 150 --seed 61000 [--flat 60] [--traced 8] [--jobs 2]

Copies FIRST to FIRST + COPIES - 1 of the seed (copies.py), so many pictures of each: `traced` ones are tables.py's, small; `flat` ones are put
together of the same cards, warped as a camera would see them, under shapes that stand for dice, tokens, ships, hands and phones, many times
as fast. DIR/JOB.jsonl has a line a picture: `image`, `copy`, `how` and `cards`: corners from the upper left as a card is read, clockwise, pixels
(they may lie outside), of each whose middle is in the picture. What is there already is not made again; stop it with Ctrl-C and start it again.
"""
import argparse
import json
import math
import multiprocessing as mp
import os

import cv2
import numpy as np

import copies
import dice
import progress
import scenes
import tables
import truth
from pieces import rotz

SIZE = (640, 360)
# Of hands, linear.
SKIN = [(0.85, 0.62, 0.5), (0.75, 0.52, 0.4), (0.5, 0.33, 0.24), (0.3, 0.19, 0.14)]


def rows(r, c):
    """Where cards lie: [(size, thickness, middle, yaw, picture's name)], most as players lay them, some anyhow."""
    b, out = c["board"], []
    with_board = r.random() < 0.75
    bw, bh = b["width_mm"], b["height_mm"]
    if with_board:
        out.append(((bw, bh), b["thickness_mm"], r.normal(0, 5, 2), r.normal(0, 0.03), "board"))
    for i, who in enumerate(copies.TEAMS):
        shown = [s for s in c["displays"] if r.random() < 0.9]
        r.shuffle(shown)
        if r.random() < 0.25:  # anyhow
            for s in shown:
                size = c["displays"][s]["size"]
                reach = math.hypot(*size) / 2
                for _ in range(20):
                    p = r.normal(0, 260, 2)
                    if all(np.hypot(*(p - q[2])) > reach + math.hypot(*q[0]) / 2 * 0.9 for q in out):
                        out.append((size, c["thickness"], p, r.uniform(0, 6.28), (who, s)))
                        break
            continue
        cols = int(np.clip(round(math.sqrt(max(len(shown), 1)) + r.uniform(-0.5, 1.0)), 1, 4))
        back = 1 if i else -1
        y = back * ((bh / 2 if with_board else 20) + r.uniform(3, 45))
        for row in range(0, len(shown), cols):
            line, gap = shown[row : row + cols], r.choice([0.5, r.uniform(1, 25)])
            x = -sum(c["displays"][s]["size"][0] + gap for s in line) / 2 + r.normal(0, 12)
            deep = max(c["displays"][s]["size"][1] for s in line)
            for s in line:
                w, h = c["displays"][s]["size"]
                yaw = (math.pi if back > 0 else 0) + r.normal(0, 0.05)
                out.append(((w, h), c["thickness"], np.array([x + w / 2, y + back * deep / 2]) + r.uniform(-2, 2, 2), yaw, (who, s)))
                x += w + gap
            y += back * (deep + r.choice([0.5, r.uniform(2, 20)]))
    return out


def view(r, middles):
    """A camera over some part of what lies there."""
    px = math.exp(r.uniform(math.log(5), math.log(26)))
    reach = SIZE[0] / 2 * 16 / px
    mid = middles[int(r.integers(len(middles)))] * r.uniform(0, 1) + r.normal(0, 0.2, 2) * min(reach, 200)
    tilt = math.radians(60 * r.uniform(0, 1) ** 1.1)
    azimuth = r.choice([-1, 1]) * math.pi / 2 + (r.normal(0, 0.35) if r.random() < 0.6 else r.uniform(0, 6.28))
    return mid, tilt, tables.camera(r, SIZE, mid, px, tilt, azimuth, r.uniform(40, 80), r.normal(0, 0.05))


def seen(cam, found):
    """The corners of cards whose middles are in the picture; corners on the table, millimetres."""
    out = []
    for corners in found:
        p, z = truth.project(cam, np.concatenate([corners, corners.mean(0)[None]]))
        if (z > 30).all() and 0 <= p[4, 0] < SIZE[0] and 0 <= p[4, 1] < SIZE[1]:
            out.append([[round(float(x), 2), round(float(y), 2)] for x, y in p[:4]])
    return out


def world(size, up, middle, yaw):
    """A card's corners from the upper left as it is read, on the table."""
    q = truth.FACE / 2 * np.array(size)
    return np.column_stack([q[:, 0], -q[:, 1], np.zeros(4)]) @ rotz(yaw).T + [*middle, up]


class Flat:
    """What pictures put together of cards are made of; one a process, for surfaces of tables take long to make."""

    def __init__(self, grounds):
        self.grounds, self.tops = grounds, []

    def top(self, r):
        if len(self.tops) < 6 or r.random() < 0.15:
            self.tops = self.tops[-11:] + [tables.table_top(r, self.grounds)]
        return self.tops[int(r.integers(len(self.tops)))]

    def picture(self, box, r):
        c = box.copy
        laid = rows(r, c)
        if not laid:
            laid = [((c["board"]["width_mm"], c["board"]["height_mm"]), 2.0, np.zeros(2), 0.0, "board")]
        _, _, cam = view(r, np.array([q[2] for q in laid]))
        cam["D"] = np.zeros(5)
        at = lambda p: truth.project(cam, p)[0]
        im = self.ground(r, cam)
        corners = []
        away = r.normal(0, 1.2, 2)  # where shadows fall, in heights
        shadows, gloss = r.uniform(0.1, 0.7), r.uniform(0.85, 1.1)
        for size, thick, middle, yaw, name in laid:
            q = world(size, thick, middle, yaw)
            corners.append(q)
            z = truth.project(cam, q)[1]
            if (z < 40).any():
                continue
            shade(im, at(world(size, 0, middle + away * thick * 1.5, yaw)), 1 - shadows * 0.6, 1.5)
            self.side(im, at(world(size, 0, middle, yaw)), at(q), r.uniform(0.03, 0.75))
            lay_on(im, box.pictures[box.names.index(name)], at(q), gloss)
        self.things(r, im, cam, box, laid, away, shadows)
        self.clutter(r, im, cam, laid)
        field = cv2.resize(np.float32(np.exp(r.normal(0, r.uniform(0.02, 0.3), (3, 4)))), SIZE, interpolation=cv2.INTER_CUBIC)
        im *= np.clip(field, 0.2, 3)[..., None]
        for _ in range(int(r.choice([0, 0, 0, 1, 2]))):
            y, x = np.mgrid[: SIZE[1], : SIZE[0]].astype(np.float32)
            p, s = r.uniform(0, 1, 2) * SIZE, r.uniform(10, 90)
            im += (r.uniform(0.1, 1.2) * np.exp(-((x - p[0]) ** 2 + (y - p[1]) ** 2 * r.uniform(1, 4)) / (2 * s * s)))[..., None]
        return im, seen(cam, corners)

    def ground(self, r, cam):
        top, wide = self.top(r)
        n = top.shape[0]
        tile = np.tile(top, (2, 2, 1))
        per, a = n / wide, r.uniform(0, 6.28)
        q = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * 60.0 + [*truth.on_plane(cam, np.array([[SIZE[0] / 2, SIZE[1] / 2]]), 0.0)[0], 0]
        turned = (q[:, :2] - q[:, :2].mean(0)) @ np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]) * per + n + r.uniform(-n / 2, n / 2, 2)
        m = cv2.getPerspectiveTransform(np.float32(turned), np.float32(truth.project(cam, q)[0]))
        return linear(cv2.warpPerspective(tile, m, SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)) * r.uniform(0.5, 1.2)

    @staticmethod
    def side(im, low, high, grey):
        hull = cv2.convexHull(np.float32(np.concatenate([low, high]))).reshape(-1, 2)
        fill(im, hull, np.full(3, grey))

    def things(self, r, im, cam, box, laid, away, shadows):
        """Boxes with a print for dice, discs for tokens, bent outlines for ships."""
        c = box.copy
        put = []
        for _ in range(int(r.integers(0, 45))):
            size, thick, middle, yaw, _ = laid[int(r.integers(len(laid)))]
            p = middle + (r.uniform(-0.55, 0.55, 2) * size) @ rotz(yaw)[:2, :2].T if r.random() < 0.85 else r.normal(0, 300, 2)
            put.append((p, thick))
        put.sort(key=lambda q: -np.hypot(*(q[0] - cam["pos"][:2])))
        kinds = box.kinds
        for p, z in put:
            k = r.random()
            kind = kinds[int(r.integers(len(kinds)))]
            body = np.clip(np.asarray(dice.body_colour(r) if r.random() < 0.3 else kind.get("colour", dice.body_colour(r)), float).reshape(-1)[:3], 0, 1)
            if k < 0.7:
                h = kind["size_mm"] / 2
                yaw = r.uniform(0, 6.28)
                cube = np.array([[x, y, u] for u in (0, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], float)
                cube = np.column_stack([cube[:, :2] * h @ rotz(yaw)[:2, :2].T + p, z + cube[:, 2] * 2 * h])
                q = truth.project(cam, cube)[0]
                if np.abs(q).max() > 4000:
                    continue
                cast = truth.project(cam, np.column_stack([cube[4:, :2] + away * h * 1.2, np.full(4, z)]))[0]
                shade(im, cv2.convexHull(np.float32(np.concatenate([q[:4], cast]))).reshape(-1, 2), 1 - shadows, 1.5)
                fill(im, cv2.convexHull(np.float32(q)).reshape(-1, 2), body * r.uniform(0.3, 0.6))
                j = int(r.integers(4))
                fill(im, q[[j, (j + 1) % 4, (j + 1) % 4 + 4, j + 4]], body * r.uniform(0.5, 0.9))
                fill(im, q[4:], body)
                ink = np.full(3, 0.9 if body.mean() < 0.4 else 0.03) if r.random() < 0.6 else r.uniform(0, 1, 3)
                for _ in range(int(r.integers(1, 5))):
                    a, b = r.uniform(-0.6, 0.6, (2, 2)) if r.random() < 0.5 else [r.uniform(-0.5, 0.5, 2)] * 2
                    on = lambda v: q[4:].mean(0) + (q[5] - q[4]) / 2 * v[0] + (q[7] - q[4]) / 2 * v[1]
                    line(im, on(a), on(b), ink, np.hypot(*(q[5] - q[4])) * r.uniform(0.1, 0.25))
            else:
                radius = r.uniform(8, 22) if k < 0.9 else r.uniform(10, 30)
                a = np.arange(24) * 2 * np.pi / 24
                out = np.stack([np.cos(a), np.sin(a)], 1) * radius
                if k >= 0.9:
                    out *= (1 + 0.5 * np.sin(a * int(r.integers(2, 6)) + r.uniform(0, 6)))[:, None] * r.uniform(0.4, 1, 2)
                q = truth.project(cam, np.column_stack([out + p, np.full(24, z + 2)]))[0]
                if np.abs(q).max() > 4000:
                    continue
                shade(im, q + r.uniform(-2, 2, 2), 1 - shadows * 0.7, 1.5)
                fill(im, q, body)
                if r.random() < 0.8:
                    fill(im, q.mean(0) + (q - q.mean(0)) * r.uniform(0.3, 0.8), np.clip(np.asarray(dice.body_colour(r), float).reshape(-1)[:3], 0, 1))

    def clutter(self, r, im, cam, laid):
        where = lambda: np.array([r.uniform(0, SIZE[0]), r.uniform(0, SIZE[1])])
        if r.random() < 0.25:  # a phone, a sheet of paper, a book
            a, s = r.uniform(0, 6.28), r.uniform(20, 110) * np.array([1, r.uniform(0.45, 0.8)])
            q = (truth.FACE * s / 2) @ np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]) * [1, r.uniform(0.5, 1)] + where()
            dark = r.random() < 0.6
            shade(im, q + 2, 0.6, 2)
            fill(im, q, np.full(3, r.uniform(0.005, 0.05)) if dark else r.uniform(0.4, 0.95, 3))
            if dark and r.random() < 0.6:
                m = q.mean(0)
                fill(im, m + (q - m) * [0.88, 0.88], r.uniform(0.02, 0.9, 3))
        if r.random() < 0.3:  # a hand and its arm
            skin = np.array(SKIN[int(r.integers(len(SKIN)))]) * r.uniform(0.5, 1.1)
            tip, edge = where(), int(r.integers(4))
            root = [np.array([tip[0] + r.normal(0, 120), SIZE[1] + 60]), np.array([tip[0] + r.normal(0, 120), -60]), np.array([-60, tip[1]]), np.array([SIZE[0] + 60, tip[1]])][edge]
            wide = r.uniform(14, 60)
            back = (root - tip) / max(np.hypot(*(root - tip)), 1)
            palm = tip + back * wide * 1.3
            side = np.array([-back[1], back[0]])
            for f in range(int(r.integers(2, 6))):
                a = palm + side * wide * (f - 2) * 0.3
                line(im, a, a - back * wide * r.uniform(0.8, 1.5) + side * r.normal(0, 0.15) * wide, skin * r.uniform(0.85, 1.1), wide * 0.26)
            line(im, palm, palm + back * wide * 0.5, skin, wide)
            cloth = skin if r.random() < 0.4 else r.uniform(0.02, 0.8, 3)
            line(im, palm + back * wide, root, cloth, wide * r.uniform(0.7, 1.3))
        if r.random() < 0.2:  # a pen, a cable
            line(im, where(), where(), r.uniform(0, 0.9, 3), r.uniform(2, 7))


LUT = dice.lin(np.arange(256) / 255).astype(np.float32)


def linear(im):
    return LUT[im]


def fill(im, q, colour):
    """A polygon, to a sixteenth of a pixel."""
    cv2.fillPoly(im, [np.int32(np.round(np.asarray(q) * 16))], [float(v) for v in colour], cv2.LINE_8, 4)


def line(im, a, b, colour, width):
    cv2.line(im, tuple(int(v) for v in np.round(a)), tuple(int(v) for v in np.round(b)), [float(v) for v in colour], max(int(round(width)), 1))


def shade(im, q, by, soft):
    m = np.zeros(im.shape[:2], np.float32)
    cv2.fillPoly(m, [np.int32(np.round(q))], 1.0)
    x0, y0 = np.maximum(np.int32(np.min(q, 0)) - 8, 0)
    x1, y1 = np.minimum(np.int32(np.max(q, 0)) + 9, [im.shape[1], im.shape[0]])
    if x1 > x0 and y1 > y0:
        part = cv2.GaussianBlur(m[y0:y1, x0:x1], (0, 0), soft)
        im[y0:y1, x0:x1] *= (1 - (1 - by) * part)[..., None]


def lay_on(im, art, q, gain):
    """A card's picture on its four corners, no finer than is seen."""
    side = max(np.hypot(*(q[1] - q[0])), np.hypot(*(q[2] - q[3])))
    k = min(1.0, 1.3 * side / art.shape[1])
    if k < 0.9:
        art = cv2.resize(art, (max(int(art.shape[1] * k), 4), max(int(art.shape[0] * k), 4)), interpolation=cv2.INTER_AREA)
    h, w = art.shape[:2]
    m = cv2.getPerspectiveTransform(np.float32([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]]), np.float32(q))
    x0, y0 = np.maximum(np.int32(np.floor(q.min(0))) - 1, 0)
    x1, y1 = np.minimum(np.int32(np.ceil(q.max(0))) + 2, [im.shape[1], im.shape[0]])
    if x1 <= x0 or y1 <= y0:
        return
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
    size = (int(x1 - x0), int(y1 - y0))
    on = cv2.warpPerspective(linear(art), shift @ m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(np.ones((h, w), np.float32), shift @ m, size)[..., None]
    part = im[y0:y1, x0:x1]
    part[:] = part * (1 - mask) + on * gain * mask


def traced(box, r, grounds):
    t = tables.Table(box, r)
    tables.lay(t, str(r.choice(["team", "board", "whole", "whole"])))
    mid, _, cam = view(r, np.array([p["centre"] for p in t.plates]))
    tables.clutter(t, mid, min(cam["dist"] * 0.5, 350))
    img, _, _ = tables.shine(t, cam, r, grounds, mid)
    return img, seen(cam, [t.to_world(p, truth.FACE / 2 * p["size"] + np.array(p["size"]) / 2) for p in t.plates])


def work(args, indices, job, count):
    cv2.setNumThreads(1)
    grounds = scenes.Grounds(args.photos)
    flat = Flat(grounds)
    path = os.path.join(args.out, f"{job}.jsonl")
    done = {json.loads(l)["image"] for l in open(path) if l.endswith("\n")} if os.path.exists(path) else set()
    with open(path, "a") as lines:
        for index in indices:
            box = None
            for how, n in (("traced", args.traced), ("flat", args.flat)):
                for number in range(n):
                    name = f"{index:04d}-{how}-{number:03d}.jpg"
                    if name not in done:
                        box = box or tables.Box(args.seed, index)
                        r = np.random.default_rng([107, args.seed, index, number, how == "flat"])
                        img, found = traced(box, r, grounds) if how == "traced" else flat.picture(box, r)
                        out, _, quality = tables.develop(r, np.ascontiguousarray(img, np.float32), how)
                        tables.keep(os.path.join(args.out, name), cv2.imencode(".jpg", out[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())
                        lines.write(json.dumps(dict(image=name, copy=f"{args.seed}-{index}", how=how, cards=found)) + "\n")
                        lines.flush()
                    with count.get_lock():
                        count.value += 1


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--out", required=True)
    a.add_argument("--copies", type=int, default=150)
    a.add_argument("--seed", type=int, default=61000)
    a.add_argument("--first", type=int, default=0, help="number of the first copy")
    a.add_argument("--flat", type=int, default=60, help="pictures of a copy that are put together")
    a.add_argument("--traced", type=int, default=8, help="pictures of a copy that are rendered")
    a.add_argument("--photos", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../shared/photos"))
    a.add_argument("--jobs", type=int, default=2)
    args = a.parse_args()
    args.photos = args.photos if os.path.isdir(args.photos) else None
    os.makedirs(args.out, exist_ok=True)
    ctx = mp.get_context("spawn")
    count = ctx.Value("i", 0)
    every = range(args.first, args.first + args.copies)
    procs = [ctx.Process(target=work, args=(args, list(every[j :: args.jobs]), j, count), daemon=True) for j in range(args.jobs)]
    for p in procs:
        p.start()
    progress.wait(procs, count, args.copies * (args.flat + args.traced))


if __name__ == "__main__":
    main()
