"""A table that is filmed: only what changes is traced anew.

World, camera and solids are as in tables.py. What lies still is one picture in linear light; what moves (a hand, dice that
roll, a ship that is carried) is traced with everything around it in the part of the picture that it or its shadow reaches,
and blended into the still picture over a rim of some pixels. What comes to rest is traced into the still picture once.
"""
import math

import cv2
import numpy as np

import shade
import symbols
import tables
import trace
import truth
from pieces import prim

RIM = 14  # pixels over which a traced part is blended into what lies around it
HAND = -2  # owner of hands' solids in `ids`


class Stage:
    """Box, plates and light of a film; what lies on it is given with each frame."""

    def __init__(self, box, cam, seed, grounds, lay, mid):
        """`lay(table)` puts the plates down; light and the table's own surface come from the seed."""
        self.box, self.cam, self.lay = box, cam, lay
        r = np.random.default_rng([71, seed])
        t = self.table()
        self.light = tables.lamps_over(r, mid)
        self.light["env"] = grounds.env(r)
        self.light["ground"] = tables.laid_on(r, t, grounds)
        self.pictures = tables.pyramid(t.pictures, t.per_mm, [1] + [0] * (len(t.pictures) - 1))
        self.grain = int(r.integers(1 << 30))
        self.still = np.zeros((cam["H"], cam["W"], 3), np.float32)
        self.owners = np.full((cam["H"], cam["W"]), -1, np.int32)
        self.camera = Camera(np.random.default_rng([72, seed]))

    def table(self):
        t = tables.Table(self.box, np.random.default_rng(0))
        self.lay(t)
        return t

    def trace(self, solids, window):
        """Linear light and owners of a window (x0, y0, x1, y1) of the picture, with these solids: {owner: [solids]}."""
        x0, y0, x1, y1 = window
        t = self.table()
        for owner, parts in solids.items():
            t.add(parts, owner)
        cam = dict(self.cam, W=x1 - x0, H=y1 - y0, K=self.cam["K"] - [0, 0, x0, y0])
        common = tables.arrays(t)
        ids = trace.see(cam["W"], cam["H"], cam["K"], cam["D"], cam["R"], cam["pos"], *common)
        rim = np.array([[x, y] for x in (0, cam["W"] / 2, cam["W"]) for y in (0, cam["H"] / 2, cam["H"])], float)
        q = truth.on_plane(cam, rim, 0.0)
        q = q[np.isfinite(q).all(1)]
        # texels of every window's shadows lie on one raster
        lo, hi = [np.round(v / shade.STEP) * shade.STEP for v in (q.min(0) - 20, q.max(0) + 20)]
        # a solid's noise stays with it from frame to frame
        seed = np.array(t.owner, np.int64) * 2654435761
        offsets = np.column_stack([seed % 1009, seed % 2003]) / [1009.0, 2003.0]
        img = tables.expose(t, cam, common, ids, self.light, self.pictures, (*lo, *hi), offsets, self.grain)
        owner = np.array(t.owner + [-1], np.int32)
        return img, owner[np.where(ids < 0, len(t.owner), ids)]

    def window(self, parts):
        """The part of the picture that these solids and their shadows reach; None where none of it."""
        world = np.concatenate([p["points"] @ p["rot"].T + p["pos"] for p in parts])
        reach = [world]
        for lamp, size in zip(self.light["lamps"], self.light["sizes"]):
            v = world - lamp[:3]
            t = np.clip(world[:, 2] / np.maximum(-v[:, 2], 1e-3), 0, 450 / np.linalg.norm(v, axis=1))
            foot = world + v * t[:, None]
            soft = size * np.linalg.norm(foot - world, axis=1) / np.linalg.norm(v, axis=1)
            reach += [foot + np.array([dx, dy, 0]) * soft[:, None] for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        # the sky they take from what lies around them
        h = np.minimum(world[:, 2:], 25) * 1.2
        reach += [np.column_stack([world[:, :2] + h * d, np.zeros(len(world))]) for d in ([1, 0], [-1, 0], [0, 1], [0, -1])]
        q, z = truth.project(self.cam, np.concatenate(reach))
        q = q[z > 5]
        lo, hi = np.floor(q.min(0)).astype(int) - RIM, np.ceil(q.max(0)).astype(int) + RIM
        x0, y0 = np.maximum(lo, 0)
        x1, y1 = np.minimum(hi, [self.cam["W"], self.cam["H"]])
        return (int(x0), int(y0), int(x1), int(y1)) if x1 > x0 and y1 > y0 else None

    def blended(self, img, window):
        """The still picture with a traced part in it."""
        x0, y0, x1, y1 = window
        h, w = y1 - y0, x1 - x0
        ramp = lambda n, low, high: np.minimum(np.where(low, np.arange(n) / RIM, 1), np.where(high, np.arange(n)[::-1] / RIM, 1)).clip(0, 1)
        k = (ramp(h, y0 > 0, y1 < self.cam["H"])[:, None] * ramp(w, x0 > 0, x1 < self.cam["W"])[None]).astype(np.float32)[..., None]
        return self.still[y0:y1, x0:x1] * (1 - k) + img * k

    def rest(self, solids, changed=None):
        """Traces what lies still into the still picture: all of it, or where `changed` solids are or were."""
        window = (0, 0, self.cam["W"], self.cam["H"]) if changed is None else self.window(changed)
        if window is None:
            return
        img, owners = self.trace(solids, window)
        x0, y0, x1, y1 = window
        self.still[y0:y1, x0:x1] = img if changed is None else self.blended(img, window)
        self.owners[y0:y1, x0:x1] = owners
        self.counts = np.bincount(np.maximum(self.owners, 0).ravel())

    def frame(self, solids, moving):
        """A frame, and the share of each lying thing that is seen of what would be: {owner: share} for those that are covered.

        `solids`: what lies still; `moving`: {owner: [solids]}."""
        light, covered = self.still, {}
        parts = [p for ps in moving.values() for p in ps]
        window = self.window(parts) if parts else None
        if window is not None:
            x0, y0, x1, y1 = window
            img, owners = self.trace({**solids, **moving}, window)
            light = self.still.copy()
            light[y0:y1, x0:x1] = self.blended(img, window)
            before = np.bincount(np.maximum(self.owners[y0:y1, x0:x1], 0).ravel(), minlength=len(self.counts))
            after = np.bincount(np.maximum(owners, 0).ravel(), minlength=len(self.counts))
            for o in solids:
                if o < len(before) and before[o] > after[o]:
                    covered[o] = 1 - (before[o] - after[o]) / max(self.counts[o], 1)
        return self.camera.develop(light), covered


class Camera:
    """A webcam that stands still: what it does to light is the same from frame to frame, its noise is not."""

    def __init__(self, r):
        self.soft = r.uniform(0.5, 0.85)
        self.vignette = r.uniform(0, 0.3)
        self.exposure = r.uniform(0.75, 1.05)
        self.balance, self.cast = r.uniform(0, 0.9), np.exp(r.normal(0, 0.04, 3))
        self.noise = r.uniform(0, 1) ** 2 * 0.6
        self.bend, self.toe, self.colour = 1 / r.uniform(1.9, 2.5), 0.05 * r.uniform(0, 1) ** 2, r.uniform(0.75, 1.25)
        self.sharpen = r.uniform(0, 0.8) if r.random() < 0.6 else 0.0
        self.r, self.gain, self.fall = r, None, None

    def develop(self, img):
        H, W, _ = img.shape
        s = W / 1920
        img = cv2.GaussianBlur(img, (0, 0), self.soft * s)
        if self.fall is None:
            y, x = np.mgrid[:H, :W].astype(np.float32)
            self.fall = (1 - self.vignette * (((x - W / 2) ** 2 + (y - H / 2) ** 2) / (W * W / 4 + H * H / 4)))[..., None]
        img *= self.fall
        small = img[::8, ::8]
        gain = self.exposure * 0.8 / max(float(np.quantile(small.mean(2), 0.9)), 1e-3)
        grey = small.mean((0, 1))
        white = (grey.mean() / np.maximum(grey, 1e-3)) ** self.balance * self.cast
        # automatic exposure and white balance follow slowly
        self.gain = gain * white if self.gain is None else self.gain * 0.97 + gain * white * 0.03
        out = np.empty((H, W, 3), np.uint8)
        symbols._develop(img, self.gain, self.bend, self.toe, self.colour, 0.003 * self.noise, 0.0003 * self.noise, symbols.grain(), int(self.r.integers(1 << 20)), out)
        if self.sharpen > 0.1:
            out = cv2.addWeighted(out, 1 + self.sharpen, cv2.GaussianBlur(out, (0, 0), 1.2 * s), -self.sharpen, 0)
        return out


def cube(box, kind, pos, R):
    """A die's solid."""
    k = box.kind_at[kind]
    q = box.kinds[k]
    h = q["size_mm"] / 2
    return [prim(0, pos, [h, h, h], [0, 0, 0], rot=R, rnd=q["radius"] * h, gloss=q["gloss"], shiny=q["shiny"], trans=q["trans"], tex=k, mat=1)]


def lying(box, kind, R, ground):
    """How high a die's middle is that lies turned by R on `ground`."""
    q = box.kinds[box.kind_at[kind]]
    h = q["size_mm"] / 2
    return ground + float(np.abs(R[2]).sum() * (h - q["radius"] * h) + q["radius"] * h)


def eased(k):
    k = min(max(k, 0.0), 1.0)
    return k * k * (3 - 2 * k)


def turn(axis, angle):
    axis = np.asarray(axis, float)
    return cv2.Rodrigues(axis / np.linalg.norm(axis) * angle)[0]


def thrown(r, end, R_end, away, seconds):
    """A roll as a function of time: (x, y, lift, R); it comes from `away` and tumbles to its end."""
    axis = np.array([-(end - away)[1], (end - away)[0], 0.0])
    spins = math.pi * r.uniform(2.5, 4.0)
    bounce = r.uniform(12, 24)

    def at(t):
        k = min(max(t / seconds, 0.0), 1.0)
        e = (1 - k) ** 2
        p = end + (away - end) * e
        lift = abs(math.sin(k * math.pi * 2.5)) * bounce * (1 - k) ** 1.5
        return p, lift, turn(axis, -spins * e) @ R_end

    return at
