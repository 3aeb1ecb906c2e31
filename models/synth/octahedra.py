"""Sets of paper octahedra that nobody owns, as their owners would photograph them, and pictures of tables they lie on, with exact truth.

    python3 octahedra.py --out WORK/octahedra --sets 4 --pictures 12 --seed 3100 [--photos ../../../shared/photos] [--first N]

Every set has `owner.json` and `enrol/` (three photographs of each face, for `sightline enrol --from`), `photographs.jsonl` with the corners of the
face in each of these, `tables/*.jpg`, and `truth.jsonl`: for every die on these its kind and face (null: of another set), its top face's three corners in pixels (its own upper one first, clockwise), their shortest edge, what part of the
face is seen, and the angle off the vertical from which it is looked at. A die is a convex solid, so that each face that looks at the camera is its print laid
there by its own map; what else is physical (hands' shadows, light from around) is left out."""

import argparse
import json
import math
import pathlib

import cv2
import numpy as np

import art
import dice
import scenes
import tables

EDGE = 50.8
HIGH = EDGE * math.sqrt(2 / 3)
# a print's canvas: the face's edge is this wide, and its middle is the canvas's middle
WIDE = 400
CANVAS = int(WIDE * 1.4)
# the face's corners round its middle, its edge being 1; y down
CORNERS = np.array([[0, -1 / math.sqrt(3)], [0.5, 1 / math.sqrt(12)], [-0.5, 1 / math.sqrt(12)]])


def rgb(r, least=0.15, most=0.95):
    return np.clip(np.asarray(dice.hsv(r.random(), r.uniform(0.1, 0.95), r.uniform(least, most)), np.float32), 0, 1)


def inked(canvas, ink, at, size, colour, turn=0.0):
    """Lays an icon's ink on a canvas, its middle at `at` (edges, from the face's middle), its longer side so many edges."""
    k = size * WIDE / max(ink.shape)
    c, s = math.cos(turn) * k, math.sin(turn) * k
    h, w = ink.shape
    x, y = (np.asarray(at) * WIDE) + CANVAS / 2
    m = np.float32([[c, -s, x - c * w / 2 + s * h / 2], [s, c, y - s * w / 2 - c * h / 2]])
    a = cv2.warpAffine(ink, m, (CANVAS, CANVAS), flags=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
    canvas[:] = canvas * (1 - a) + np.asarray(colour, np.float32) * a


def kinds(r, count):
    """The dice of a set: for each its name and eight prints. A die's faces share its colours, and half of them its picture: what tells them apart is the
    number, the arrows and the dots, as on dice that are sold."""
    edge = rgb(r)
    font = art.pick_font(r)
    out = {}
    for k in range(count):
        ground, second, ink = rgb(r), rgb(r), rgb(r, 0.7)
        if abs(float(ink.mean() - ground.mean())) < 0.25:
            ink = np.float32([1, 1, 1]) if ground.mean() < 0.5 else np.float32([0.05, 0.05, 0.08])
        ship = art.icon(r)
        prints = []
        for side in range(1, 9):
            canvas = np.tile(ground, (CANVAS, CANVAS, 1)).astype(np.float32)
            g = art.noise(r, CANVAS, 4, int(r.choice([2, 4, 8])))[..., None]
            canvas += r.uniform(0.03, 0.15) * g * (second - 0.4)
            for _ in range(int(r.integers(0, 60))):
                cv2.circle(canvas, tuple(int(v) for v in r.uniform(0, CANVAS, 2)), int(r.integers(1, 4)), [float(v) for v in ink], -1, cv2.LINE_AA)
            icon = ship if r.random() < 0.5 else art.icon(r)
            inked(canvas, icon, [r.normal(0, 0.03), r.normal(0.02, 0.03)], r.uniform(0.3, 0.45), ink if r.random() < 0.7 else second, r.choice([0, 0, math.pi / 3, -math.pi / 3]))
            colour = rgb(r, 0.5)
            arrows = r.permutation(3)[: int(r.integers(0, 4))]
            for c in range(3):
                a = c * 2 * math.pi / 3
                turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
                if c in arrows:
                    q = np.array([[0, -0.48], [0.1, -0.3], [0, -0.34], [-0.1, -0.3]]) @ turn.T * WIDE + CANVAS / 2
                    cv2.fillPoly(canvas, [np.int32(np.round(q * 16))], [float(v) for v in colour], cv2.LINE_AA, 4)
                    inked(canvas, art.text_ink(r, str(int(r.integers(1, 10))), font), turn @ [0, -0.25], 0.08, ink, a)
                for x, dot in ((-0.09, (0.1, 0.75, 0.2)), (0.09, (0.85, 0.1, 0.1))):
                    if r.random() < 0.4:
                        at = turn @ [x, -0.33] * WIDE + CANVAS / 2
                        cv2.circle(canvas, tuple(int(v) for v in at), int(0.022 * WIDE), dot, -1, cv2.LINE_AA)
            inked(canvas, art.text_ink(r, str(side), font), [0, 0.2], 0.11, ink)
            # the fold has the team's colour
            rim = np.int32(np.round((CORNERS * WIDE * 0.97 + CANVAS / 2) * 16))
            cv2.polylines(canvas, [rim], True, [float(v) for v in edge], int(0.03 * WIDE), cv2.LINE_AA, 4)
            outside = np.full((CANVAS, CANVAS), 1, np.uint8)
            cv2.fillPoly(outside, [rim], 0, cv2.LINE_8, 4)
            canvas[outside > 0] = edge
            prints.append(np.clip(canvas, 0, 1))
        out[f"ship{k + 1}"] = prints
    return out


def solid():
    """An octahedron on one face, its opposite face up and upright: for each of the eight faces its three corners (mm, y up, z up), clockwise as seen from
    outside. Faces are numbered so that the first is up."""
    v = np.concatenate([np.eye(3), -np.eye(3)]) * EDGE / math.sqrt(2)
    n = np.ones(3) / math.sqrt(3)
    y = v[0] - n * (v[0] @ n)
    y /= np.linalg.norm(y)
    R = np.stack([np.cross(y, n), y, n])
    faces = []
    for a in (1, -1):
        for b in (1, -1):
            for c in (1, -1):
                t = np.stack([np.eye(3)[i] * s for i, s in enumerate((a, b, c))]) * EDGE / math.sqrt(2)
                if np.cross(t[1] - t[0], t[2] - t[0]) @ t.mean(0) > 0:
                    t = t[[0, 2, 1]]
                faces.append(t @ R.T + [0, 0, HIGH / 2])
    return faces


FACES = solid()


class Camera:
    def __init__(self, r, size, px, tilt, centre=(0.0, 0.0)):
        """Looks at `centre` on the table so that `px` pixels show 1 mm there, from `tilt` radians off the vertical."""
        self.size = size
        self.f = size[0] / 2 / math.tan(r.uniform(0.45, 0.62))
        far = self.f / px
        a = r.uniform(0, 2 * math.pi)
        ray = np.array([math.sin(tilt) * math.cos(a), math.sin(tilt) * math.sin(a), math.cos(tilt)])
        self.at = np.array([*centre, 0.0]) + far * ray
        z = -ray
        x = np.cross(z, [0, 0, 1.0]) if tilt > 1e-3 else np.array([1.0, 0, 0])
        x /= np.linalg.norm(x)
        roll = r.normal(0, 0.08)
        y = np.cross(z, x)
        x, y = x * math.cos(roll) + y * math.sin(roll), y * math.cos(roll) - x * math.sin(roll)
        self.R = np.stack([x, y, z])
        self.k1 = r.uniform(-0.1, 0.03)

    def __call__(self, p):
        q = (np.asarray(p, float) - self.at) @ self.R.T
        return q[..., :2] / q[..., 2:] * self.f + np.array(self.size) / 2 - 0.5

    def bent(self, px):
        """Where the lens has it."""
        c = np.array(self.size) / 2 - 0.5
        q = (np.asarray(px) - c) / self.f
        return q * (1 + self.k1 * (q**2).sum(-1, keepdims=True)) * self.f + c

    def bend(self, img):
        w, h = self.size
        K = np.array([[self.f, 0, w / 2 - 0.5], [0, self.f, h / 2 - 0.5], [0, 0, 1.0]])
        p = np.stack(np.meshgrid(np.arange(w), np.arange(h)), -1).reshape(-1, 1, 2).astype(np.float32)
        q = cv2.undistortPoints(p, K, np.array([self.k1, 0, 0, 0.0]), P=K).reshape(h, w, 2)
        return cv2.remap(img, q[..., 0], q[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def laid(img, ids, cam, plane, texture, mask, light, index=None):
    """Lays a square texture where its corners' plane is (four points, mm), within a polygon of it (unit square)."""
    n = texture.shape[0]
    src = np.float32([[-0.5, -0.5], [n - 0.5, -0.5], [n - 0.5, n - 0.5], [-0.5, n - 0.5]])
    dst = np.float32(cam(plane))
    m = cv2.getPerspectiveTransform(src, dst)
    edge = cv2.perspectiveTransform(np.float32(mask * n - 0.5)[None], m)[0]
    w, h = cam.size
    x0, y0 = np.maximum(np.floor(edge.min(0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(edge.max(0)).astype(int) + 3, [w, h])
    if x1 <= x0 or y1 <= y0:
        return
    # as sharp as the texture is once it is that small, and no finer
    scale = math.sqrt(max(cv2.contourArea(np.float32(dst)), 1) / n**2)
    soft = cv2.GaussianBlur(texture, (0, 0), 0.45 / scale) if scale < 0.8 else texture
    shift = np.float64([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]])
    part = cv2.warpPerspective(soft, shift @ m, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(cover, [np.int32(np.round((edge - [x0, y0]) * 16))], 255, cv2.LINE_AA, 4)
    a = cover[..., None].astype(np.float32) / 255
    img[y0:y1, x0:x1] = img[y0:y1, x0:x1] * (1 - a) + part * light * a
    if index is not None:
        ids[y0:y1, x0:x1][cover > 127] = index


def square_about(t):
    """The plane of a triangle's print: the canvas's four corners, from the triangle's own (upper, lower right, lower left)."""
    o = t.mean(0)
    x = (t[1] - t[2]) / EDGE
    y = (t[1] + t[2]) / 2 - t[0]
    y /= np.linalg.norm(y)
    h = EDGE * 0.7
    return np.stack([o - x * h - y * h, o + x * h - y * h, o + x * h + y * h, o - x * h + y * h])


IN_CANVAS = CORNERS / 1.4 + 0.5


def posed(yaw, at):
    c, s = math.cos(yaw), math.sin(yaw)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    return [t @ R.T + [*at, 0] for t in FACES]


def under(r, tilted, lamp, ground):
    """How brightly a face with this normal is lit, each colour for itself."""
    n = tilted
    key = max(float(n @ lamp["to"]), 0.0)
    return lamp["ambient"] * (0.75 + 0.25 * n[2]) + lamp["key"] * key


def lamps(r):
    high = r.uniform(0.5, 1.45)
    a = r.uniform(0, 2 * math.pi)
    warm = np.exp(np.array([1, 0, -1]) * r.normal(0, 0.06))
    share = r.uniform(0.25, 0.75)
    return dict(to=np.array([math.cos(high) * math.cos(a), math.cos(high) * math.sin(a), math.sin(high)]), ambient=(1 - share) * warm, key=share * warm / math.sin(high), soft=r.uniform(2, 14))


def shot(r, cam, lying, ground, across, lamp, covers=0, cards=()):
    """A picture of dice that lie on a table: linear light. `lying`: prints in their order round the solid, yaw, place."""
    w, h = cam.size
    img = np.zeros((h, w, 3), np.float32)
    ids = np.full((h, w), -1, np.int16)
    n = ground.shape[0]
    # the ground, tiled: one texel lookup a pixel
    inv = np.linalg.inv(cv2.getPerspectiveTransform(np.float32([[-100, -100], [100, -100], [100, 100], [-100, 100]]), np.float32(cam(np.array([[-100, -100, 0], [100, -100, 0], [100, 100, 0], [-100, 100, 0]])))))
    p = np.stack(np.meshgrid(np.arange(w), np.arange(h)), -1).reshape(-1, 1, 2).astype(np.float32)
    mm = cv2.perspectiveTransform(p, inv).reshape(h, w, 2)
    uv = np.mod(mm / across + 7, 1) * (n - 1)
    lit = under(r, np.array([0, 0, 1.0]), lamp, None)
    img[:] = cv2.remap(ground, uv[..., 0].astype(np.float32), uv[..., 1].astype(np.float32), cv2.INTER_LINEAR) * lit
    for at, yaw, size, texture in cards:
        c, s = math.cos(yaw), math.sin(yaw)
        q = (np.array([[-1, 1], [1, 1], [1, -1], [-1, -1.0]]) * np.array(size) / 2) @ np.array([[c, s], [-s, c]]) + at
        laid(img, ids, cam, np.column_stack([q, np.zeros(4)]), texture, np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]]), lit)
    # shadows: a die's points, thrown along the light
    shade = np.zeros((h, w), np.float32)
    solids = [posed(yaw, at) for _, yaw, at in lying]
    for faces in solids:
        v = np.unique(np.round(np.concatenate(faces), 6), axis=0)
        t = v[:, :2] - lamp["to"][:2] / lamp["to"][2] * v[:, 2:]
        q = cv2.convexHull(np.float32(cam(np.column_stack([np.concatenate([t, v[v[:, 2] < 1][:, :2]]), np.zeros(len(t) + 3)]))))
        one = np.zeros((h, w), np.uint8)
        cv2.fillPoly(one, [np.int32(np.round(q * 16))], 255, cv2.LINE_AA, 4)
        shade = np.maximum(shade, one.astype(np.float32) / 255)
    shade = cv2.GaussianBlur(shade, (0, 0), lamp["soft"])[..., None]
    key = lamp["key"] * lamp["to"][2]
    img *= 1 - shade * key / (key + lamp["ambient"])
    far = [np.linalg.norm(np.array([*at, HIGH / 2]) - cam.at) for _, _, at in lying]
    for i in np.argsort(far)[::-1]:
        prints, _, _ = lying[i]
        for j, t in enumerate(solids[i]):
            n_ = np.cross(t[2] - t[0], t[1] - t[0])
            n_ /= np.linalg.norm(n_)
            if n_ @ (cam.at - t.mean(0)) <= 0:
                continue
            laid(img, ids, cam, square_about(t), prints[j], IN_CANVAS, under(r, n_, lamp, None), 2 * i + (j > 0))
    for _ in range(covers):
        skin = np.array([0.55, 0.35, 0.25]) * r.uniform(0.3, 1.2)
        a, b = r.uniform(0, 1, 2) * [w, h], r.uniform(0, 1, 2) * [w, h]
        b = a + (b - a) / max(np.linalg.norm(b - a), 1) * w
        one = np.zeros((h, w), np.uint8)
        cv2.line(one, tuple(int(v) for v in a), tuple(int(v) for v in b), 255, int(r.uniform(50, 130)), cv2.LINE_AA)
        m = one > 127
        img[m] = skin * lit * r.uniform(0.8, 1.0)
        ids[m] = -2
    return img, ids, solids


def written(path, img, r, careful):
    bgr, how, quality = tables.develop(r, np.ascontiguousarray(img), "table", careful)
    cv2.imwrite(str(path), bgr, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])
    return how


def turned(prints, r):
    """A die's eight prints, one of them up: which, and the prints in the order of the solid's faces, turned anyhow on those that are not up."""
    up = int(r.integers(8))
    rest = [p for i, p in enumerate(prints) if i != up]
    order = r.permutation(7)
    return up, [prints[up]] + [rest[i] for i in order]


def make(out, index, seed, grounds, pictures):
    r = np.random.default_rng([seed, index])
    own = kinds(r, 4)
    others = kinds(r, 3)
    (out / "enrol").mkdir(parents=True, exist_ok=True)
    (out / "tables").mkdir(exist_ok=True)
    names = {k: [f"side{i + 1}" for i in range(8)] for k in own}
    owner = dict(game="diceland", teams=[], die_mm=round(HIGH, 1), faces=names, shapes={k: "octahedron" for k in own})
    (out / "owner.json").write_text(json.dumps(owner, indent=1))
    linear = {id(p): p.astype(np.float32) ** 2.2 for k in (*own.values(), *others.values()) for p in k}
    for k, prints in own.items():
        for i, p in enumerate(prints):
            for n in range(3):
                path = out / "enrol" / f"die_{k}_side{i + 1}_{n + 1}.jpg"
                if path.exists():
                    continue
                q = np.random.default_rng([seed, index, 1, int(k[4:]), i, n])
                cam = Camera(q, (1280, 960), q.uniform(5.5, 8.5), abs(q.normal(0, 0.1)))
                g, across = tables.table_top(q, grounds)
                if n == 0:
                    plain = rgb(q, 0.2)
                    g = np.uint8(np.clip(plain + 0.03 * art.noise(q, 512, 4, 16)[..., None], 0, 1) * 255)
                others_of = [x for x in prints if x is not p]
                # upright in the picture: the camera's own right and down
                down = cam.R[1][:2]
                yaw = math.atan2(-down[1], -down[0]) - math.pi / 2 + q.normal(0, 0.05)
                img, _, solids = shot(q, cam, [([linear[id(x)] for x in [p] + others_of], yaw, (0.0, 0.0))], (g.astype(np.float32) / 255) ** 2.2, across, lamps(q))
                written(path, img, q, True)
                with (out / "photographs.jsonl").open("a") as f:
                    f.write(json.dumps(dict(image=path.name, corners=np.round(cam(solids[0][0]), 2).tolist())) + "\n")
    with (out / "truth.jsonl").open("w") as f:
        for number in range(pictures):
            q = np.random.default_rng([seed, index, 2, number])
            px = math.exp(q.uniform(math.log(0.8), math.log(2.4)))
            tilt = q.uniform(0, 0.95)
            cam = Camera(q, (1920, 1080), px, tilt)
            lying, truth = [], []
            names_here = list(own)
            for _ in range(int(q.integers(3, 11))):
                at = q.uniform(-0.42, 0.42, 2) * np.array([1920, 1080]) / px
                if any(np.linalg.norm(at - o[2]) < 2.05 * EDGE / math.sqrt(3) for o in lying):
                    continue
                kind = names_here[int(q.integers(len(own)))] if q.random() < 0.85 else None
                prints = own[kind] if kind else list(others.values())[int(q.integers(3))]
                up, order = turned(prints, q)
                lying.append(([linear[id(x)] for x in order], q.uniform(0, 2 * math.pi), at))
                truth.append(dict(kind=kind, face=f"side{up + 1}" if kind else None))
            g, across = tables.table_top(q, grounds)
            cards = []
            for _ in range(int(q.integers(0, 5))):
                card = np.tile(rgb(q), (256, 256, 1)).astype(np.float32)
                for _ in range(int(q.integers(1, 8))):
                    one = cv2.resize(art.icon(q), (int(q.integers(30, 120)),) * 2)
                    x, y = q.integers(0, 256 - one.shape[0], 2)
                    a = one[..., None].astype(np.float32) / 255
                    card[y : y + one.shape[0], x : x + one.shape[0]] = card[y : y + one.shape[0], x : x + one.shape[0]] * (1 - a) + rgb(q) * a
                cards.append((q.uniform(-0.45, 0.45, 2) * np.array([1920, 1080]) / px, q.uniform(0, 6.3), q.uniform(60, 180, 2), card**2.2))
            img, ids, solids = shot(q, cam, lying, (g.astype(np.float32) / 255) ** 2.2, across, lamps(q), int(q.random() < 0.3), cards)
            whole = []
            for i, (_, _, _) in enumerate(lying):
                t = cam(solids[i][0])
                full = np.zeros((1080, 1920), np.uint8)
                cv2.fillPoly(full, [np.int32(np.round(t * 16))], 255, cv2.LINE_8, 4)
                area = cv2.contourArea(np.float32(t))
                seen = float(((ids == 2 * i) & (full > 0)).sum()) / max(area, 1)
                ray = cam.at - solids[i][0].mean(0)
                b = cam.bent(t)
                edge = min(np.linalg.norm(b[j] - b[j - 1]) for j in range(3))
                whole.append(dict(truth[i], corners=np.round(b, 2).tolist(), edge_px=round(float(edge), 1), seen=round(min(seen, 1.0), 3), off_deg=round(math.degrees(math.acos(ray[2] / np.linalg.norm(ray))), 1)))
            name = f"{number:03d}.jpg"
            how = written(out / "tables" / name, cam.bend(img), q, False)
            f.write(json.dumps(dict(image=name, dice=whole, px_per_mm=round(px, 3), tilt_deg=round(math.degrees(tilt), 1), **how)) + "\n")
            f.flush()


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--out", required=True, type=pathlib.Path)
    a.add_argument("--sets", type=int, default=4)
    a.add_argument("--first", type=int, default=0)
    a.add_argument("--pictures", type=int, default=12)
    a.add_argument("--seed", type=int, default=3100)
    a.add_argument("--photos", default=None)
    a = a.parse_args()
    grounds = scenes.Grounds(a.photos)
    for i in range(a.first, a.first + a.sets):
        make(a.out / f"set-{i:02d}", i, a.seed, grounds, a.pictures)
        print(f"set {i} is made", flush=True)


if __name__ == "__main__":
    main()
