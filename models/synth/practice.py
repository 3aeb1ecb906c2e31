"""The practice set as a copy that tables can be laid with: what `copies.make` gives for made ones.

Its drawings come from ../../calibration/practice/draw.py (wants resvg-py), its sizes and zones from its copy.toml.
Stickers on blank white dice, everything else printed on card. Lengths in mm.
"""
import os
import subprocess
import sys
import tomllib

import cv2
import numpy as np

import cards
import dice
import pieces

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "calibration")
PRINT = 192
TEAMS = ("white", "black")
CARD = 0.3
STATIONS = ("engineering", "helm", "weapons", "sensors", "shields", "tractor")


def rasters(folder, per_mm, *more):
    """Every drawing as an RGBA picture, made where it is not there yet."""
    if not os.path.isdir(folder):
        part = folder + ".part"
        subprocess.run([sys.executable, os.path.join(ROOT, "practice", "draw.py"), "--raster", part, "--per-mm", str(per_mm), *more], check=True)
        os.replace(part, folder)
    return folder


def read(folder, name):
    im = cv2.imread(os.path.join(folder, name + ".png"), cv2.IMREAD_UNCHANGED)
    return np.ascontiguousarray(im[..., [2, 1, 0, 3]] if im.shape[2] == 4 else np.dstack([im[..., ::-1], np.full(im.shape[:2], 255, np.uint8)]))


def square(im):
    """In the middle of a square picture."""
    h, w, _ = im.shape
    n = max(h, w)
    y, x = (n - h) // 2, (n - w) // 2
    return cv2.copyMakeBorder(im, y, n - h - y, x, n - w - x, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))


def outline(im, per_mm):
    """Convex outline of what is not clear, mm from the middle, y up."""
    q = cv2.convexHull(np.argwhere(im[..., 3] > 128)[:, ::-1].astype(np.float32)).reshape(-1, 2)
    q = cv2.approxPolyDP(q, 3.0, True).reshape(-1, 2)
    return (q - [im.shape[1] / 2, im.shape[0] / 2]) * [1, -1] / per_mm


def flat(im, per_mm, tex):
    """A piece of card cut out along its outline, its drawing on top: (parts, outline from the nose, height)."""
    q = outline(im, per_mm)
    part = pieces.convex(np.concatenate([np.column_stack([q, np.full(len(q), z)]) for z in (-CARD, CARD)]), [0, 0, CARD], np.full(3, 0.6), mat=2, tex=tex, gloss=0.1)
    part["half"] = np.array([im.shape[1] / per_mm / 2, im.shape[0] / per_mm / 2, CARD])
    return [part], np.roll(q, -int(np.argmax(q[:, 1])), 0), 2 * CARD


def kind(die, prints, colour):
    """A blank white die with stickers, as dice.kind gives dice."""
    k = {f: 0.0 for f in dice.FIELDS}
    for name, c in (("body", (0.93, 0.92, 0.89)), ("second", (0.9, 0.9, 0.88)), ("ink", (0.085, 0.09, 0.11)), ("other", (0.085, 0.09, 0.11)), ("paper", colour)):
        for i in range(3):
            k[f"{name}{i}"] = float(dice.lin(np.array(c))[i])
    k.update(sharp=1.0, scale=0.4, sticker=0.94, span=1.0, radius=0.14, gloss=0.35, shiny=40.0, depth=0.0, noise=0, size_mm=die["size_mm"])
    names = [f["face"] for f in die["faces"] for _ in range(f.get("count", 1))]
    k.update(faces=names, ids={n: 900_000_000 + i for i, n in enumerate(dict.fromkeys(names))}, turns={n: [0] for n in names}, kind_id=0)
    k["prints"] = np.stack([prints[n] for n in names])
    return k


def inked(drawn, paper):
    """How much of each pixel is ink, 0 to 255: what is drawn over it in the paper's colour is none."""
    lightness = drawn[..., :3].mean(-1) / 255
    least = lightness[drawn[..., 3] > 128].min()
    dark = np.clip((paper.mean() - lightness) / (paper.mean() - least), 0, 1)
    return np.round(drawn[..., 3] * dark).astype(np.uint8)


def make(work):
    """The copy; `work`: folder for the drawings' pixels."""
    with open(os.path.join(ROOT, "copies", "practice", "copy.toml"), "rb") as f:
        toml = tomllib.load(f)
    os.makedirs(work, exist_ok=True)
    cloth, ink = rasters(os.path.join(work, "cards"), cards.PPM), rasters(os.path.join(work, "inks"), PRINT / 16, "--no-paper")
    c = dict(dice={}, displays={}, art={}, tokens={}, kinds=[d["kind"] for d in toml["dice"]], per_team=dict(energy=6, helm=3, weapon=6, sensor=4, shield=3, tractor=3), thickness=CARD)
    for d in toml["dice"]:
        faces = {f["face"] for f in d["faces"]}
        paper = read(cloth, f"face-{d['kind']}-{min(faces)}")[3, 3, :3] / 255
        prints = {n: np.dstack([inked(read(ink, f"face-{d['kind']}-{n}"), paper), np.zeros((PRINT, PRINT), np.uint8)]) for n in faces}
        c["dice"][d["kind"]] = kind(d, prints, paper)
    for d in toml["displays"]:
        team, station = d["means"].split(".")
        c["displays"].setdefault(station, dict(size=tuple(d["size_mm"]), zones={z["zone"]: z["polygon_mm"] for z in d["zones"]}))
        c["art"][team, station] = read(cloth, f"display-{d['id']}")[..., :3].copy()
    b = toml["boards"][0]
    g = b["grid"]
    c["board"] = dict(cols=g["columns"], rows=g["rows"], square_mm=g["square_mm"], width_mm=b["size_mm"][0], height_mm=b["size_mm"][1], thickness_mm=b["thickness_mm"], grid_origin_mm=g["origin_mm"],
                      zones={z["zone"]: z["polygon_mm"] for z in b["zones"]}, crystal_squares={m["means"]: m["square"] for m in g["marked"]})
    c["art"]["board"] = read(cloth, "board")[..., :3].copy()
    c["flat"] = {n: square(read(cloth, n)) for n in ("ship-white", "ship-black", "token-crystal-crystal", "token-drift-asteroid", "token-drift-nebula", "token-mine-white-mine", "token-mine-black-mine")}
    return c


class Box:
    """The practice set made ready to be laid out, as tables.Box does with made copies."""

    def __init__(self, work):
        c = self.copy = make(work)
        names = list(c["art"]) + list(c["flat"])
        self.pictures = [c["art"][n] for n in c["art"]] + [np.ascontiguousarray(im[..., :3]) for im in c["flat"].values()]
        self.tex = {n: i + 1 for i, n in enumerate(names)}
        self.kinds = [dict(c["dice"][k], name=k) for k in c["kinds"]]
        self.kind_at = {k["name"]: i for i, k in enumerate(self.kinds)}
        self.prints = np.stack([k["prints"] for k in self.kinds])
        self.kv = np.stack([dice.vector(k) for k in self.kinds])
        self.nz = np.stack([dice.noises()[k["noise"]] for k in self.kinds])
        cut = lambda n: flat(c["flat"][n], cards.PPM, self.tex[n])
        c["ships"] = {t: cut(f"ship-{t}") for t in TEAMS}
        c["crystal"] = cut("token-crystal-crystal")[0]
        c["asteroid"], c["nebula"] = cut("token-drift-asteroid")[0], cut("token-drift-nebula")[0]

    # what the game calls things, and what this copy does

    def die_of(self, station):
        return dict(weapons="weapon", sensors="sensor", shields="shield").get(station, station)

    def fits(self, station, zone, symbol):
        """May a die of the station that shows this lie there?"""
        if station == "helm":
            return zone in ("A", "B", "C")
        if station == "weapons":
            return symbol == zone.split(".")[-1].upper()
        if station == "shields":
            return symbol == f"S{zone}"
        return symbol in dict(lock=("L1", "L2"), jammer=("J1", "J2"), beam=("T1", "T2")).get(zone, ()) or symbol == zone.upper().replace("-", "_")
