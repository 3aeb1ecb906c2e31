"""A copy of Dice Duel that nobody owns, from a seed: its dice, prints, displays, board, ships, tokens.

Stations, kinds and the names of symbols and zones are the game's, so that `sightline enrol --from` knows what they mean;
everything that can be seen is random. Symbols are numbered over all copies (`id_of`); pips are 0 to 5 everywhere.
"""
import numpy as np

import art
import cards
import dice
import pieces

FACES = {"energy": ["1", "2", "3", "4", "5", "6"], "helm": ["forward1", "forward_right", "forward2", "forward_turn", "forward_left"],
         "weapons": ["nose", "body", "tail", "blast1", "blast2"], "sensors": ["lock1", "jammer1", "lock2", "jammer2", "expansion"],
         "shields": ["1", "2", "3", "4", "expansion"], "tractor": ["beam1", "mineA", "beam2", "mineB", "expansion"]}
ALIKE = {"helm": [["forward1", "forward2"], ["forward_right", "forward_left"]], "weapons": [["blast1", "blast2"], ["nose", "body", "tail"]],
         "sensors": [["lock1", "lock2"], ["jammer1", "jammer2"]], "shields": [["1", "2", "3", "4"]], "tractor": [["beam1", "beam2"], ["mineA", "mineB"]]}
ZONES = {"engineering": ["pool"], "helm": ["energy", "A", "B", "C"],
         "weapons": ["energy"] + [f"{t}/{p}" for t in ("front-1", "front-2", "rear-1", "rear-2") for p in ("tail", "body", "nose")],
         "sensors": ["energy", "lock", "jammer"], "shields": ["energy", "1", "2", "3", "4"], "tractor": ["energy", "beam", "mineA", "mineB"]}
NUMBERS = {"weapons": 1, "sensors": 2, "tractor": 3, "shields": 4, "helm": 5}
TEAMS = ("white", "black")
PRINT = 192


def round_zones(v):
    return [[round(float(a), 1), round(float(b), 1)] for a, b in v]


def make(seed, index, die_mm=None):
    """The copy as a dict; `owner` in it is what goes into owner.json. Its dice are as large as it happens, or all of `die_mm`."""
    r = np.random.default_rng([91, seed, index])
    first = 50_000_000 + (seed % 100_000 * 1000 + index) * 64  # families that no other copy has
    stations = [s for s in FACES if s != "energy"]
    kinds = ["energy"] + [str(s) for s in sorted(r.choice(stations, int(r.integers(1, 6)), replace=False))]
    one_size = r.random() < 0.5
    size = float(r.choice([12, 14, 16, 16, 16, 18, 20, 22]))
    if die_mm:
        one_size, size = True, float(die_mm)
    copy = dict(seed=seed, index=index, kinds=kinds, dice={}, per_team={})
    owner_faces = {}
    used = 0
    for i, k in enumerate(kinds):
        q = dice.kind(np.random.default_rng([92, seed, index, i]))
        q["size_mm"] = size if one_size else round(float(np.clip(size + r.normal(0, 2), 12, 22)), 1)
        names = list(FACES[k])
        looks, ids = None, {}
        if k == "energy":
            if r.random() < 0.6:
                ids = {n: j for j, n in enumerate(names)}
                looks = np.random.default_rng([93, seed, index])
            else:
                ids = {n: -(first + 8 * 0) * 8 - j - 1 for j, n in enumerate(names)}
        else:
            if r.random() < 0.6:
                looks = art.style(r)
            groups = [list(g) for g in ALIKE[k]] + [[n] for n in names if not any(n in g for g in ALIKE[k])]
            if r.random() < 0.2:
                groups = [names[:3], names[3:]]
            for g in groups:
                apart = len(g) > 1 and r.random() < 0.3
                for j, n in enumerate(g):
                    ids[n] = 4 * (first + used) + (j if len(g) > 1 and not apart else int(r.integers(4)))
                    if apart:
                        used += 1
                used += 1
        faces = names + [str(r.choice(names)) for _ in range(6 - len(names))]
        q["faces"] = [faces[int(j)] for j in (r.permutation(6) if k != "energy" else [0, 5, 1, 4, 2, 3])]
        q["ids"] = ids
        prints = {n: art.symbol(s, PRINT, np.random.default_rng([93, seed, index]) if k == "energy" and s >= 0 else looks) for n, s in ids.items()}
        q["prints"] = np.stack([prints[n] for n in q["faces"]])
        q["turns"] = {n: art.same_turns(p) for n, p in prints.items()}
        q["kind_id"] = (seed % 100_000 * 1000 + index) * 8 + i
        owner_faces[k] = q["faces"]
        copy["dice"][k] = q
        copy["per_team"][k] = int(r.integers(2, 7))
    # displays: one layout a station, each team's own art
    copy["thickness"] = round(float(r.choice([0.4, 1.0, 1.8, 2.0, 2.5])), 1)
    copy["displays"], copy["art"] = {}, {}
    palettes = {t: cards.palette(r) for t in TEAMS}
    if r.random() < 0.4:
        palettes["black"] = dict(palettes["white"], accent=dice.ink_colour(r, palettes["white"]["ground"], None, 20))
    on = ["engineering"] + [k for k in kinds if k != "energy"]
    if len(on) > 2 and r.random() < 0.15:
        on = on[1:]
    widest = max(q["size_mm"] for q in copy["dice"].values())
    for s in on:
        size_mm, zones, margin, title = cards.layout(r, ZONES[s], widest + 3)
        copy["displays"][s] = dict(size=size_mm, zones=zones)
        icons = [np.maximum(p[..., 0], p[..., 1]) for p in (copy["dice"][s]["prints"] if s in copy["dice"] else copy["dice"]["energy"]["prints"])]
        if r.random() < 0.4:
            icons = [art.icon(r) for _ in range(4)]
        for t in TEAMS:
            copy["art"][t, s] = cards.display(np.random.default_rng([94, seed, index, t == "white", on.index(s)]), palettes[t], s, size_mm, zones, margin, title, icons)
    # the board
    cols, rows, square = int(r.integers(4, 10)), int(r.integers(4, 8)), float(r.choice([35, 40, 45, 50, 55, 60]))
    side, top, foot = r.choice([12.0, 40.0, 46.0]), r.uniform(8, 20), r.choice([10.0, 44.0])
    w, h = round(2 * side + cols * square, 1), round(float(top + rows * square + foot), 1)
    origin = [round(float(side), 1), round(float(top), 1)]
    zones = {}
    d = widest + 6
    if side > 36:
        n = int(r.integers(3, 6))
        for t, x in (("white", 3.0), ("black", w - d - 3.0)):
            for j in range(n):
                y = top + 10 + j * (d + 4)
                if y + d < h - 5:
                    zones[f"damage/{t}/{j + 1}"] = round_zones([(x, y), (x + d, y), (x + d, y + d), (x, y + d)])
    if foot > 30:
        zones["used-crystals"] = round_zones([(w * 0.3, h - foot + 4), (w * 0.7, h - foot + 4), (w * 0.7, h - 6), (w * 0.3, h - 6)])
    cells = [(int(v) % cols, int(v) // cols) for v in r.permutation(cols * rows)]
    marked = {str(j + 1): list(cells[j]) for j in range(int(r.integers(3, 7)))}
    start = {"white": dict(square=list(cells[8]), heading="N"), "black": dict(square=list(cells[9]), heading="S")}
    copy["board"] = dict(cols=cols, rows=rows, square_mm=square, width_mm=w, height_mm=h, thickness_mm=float(r.choice([1.5, 2.0, 3.0, 4.0])), grid_origin_mm=origin,
                         crystal_squares=marked, start_squares=start, zones=zones)
    copy["art"]["board"] = cards.board(r, cards.palette(r), cols, rows, square, origin, (w, h), zones, marked, start, [art.icon(r) for _ in range(3)])
    # what stands on it
    colours = [dice.body_colour(r)]
    while len(colours) < 2:
        c = dice.body_colour(r)
        if np.linalg.norm(dice.lab(c) - dice.lab(colours[0])) > 35:
            colours.append(c)
    copy["colours"] = dict(zip(TEAMS, colours))
    same = int(r.integers(1 << 30))
    apart = r.random() < 0.5
    copy["ships"] = {t: pieces.ship(np.random.default_rng([same, apart and t == "black"]), copy["colours"][t], square * r.uniform(0.55, 0.8)) for t in TEAMS}
    copy["token_radius"], copy["mine_radius"] = round(float(square * r.uniform(0.3, 0.45)), 1), round(float(square * r.uniform(0.16, 0.24)), 1)
    copy["tokens"] = {}
    thick = float(r.choice([1.0, 1.6, 2.0, 3.0]))
    shape = str(r.choice(["round", "round", "square", "hexagon"]))
    for n in [str(v) for v in r.permutation(["asteroid", "nebula", "wormhole"])[: int(r.integers(1, 4))]]:
        p = cards.palette(r)
        copy["tokens"][n] = dict(radius=copy["token_radius"], shape=shape, thick=thick, art=cards.token(r, p, copy["token_radius"], art.icon(r)), side=dice.lin(p["ground"]) * 0.7, team=None)
    shape, ink = str(r.choice(["round", "round", "hexagon", "square"])), art.icon(r)
    for t in TEAMS:
        p = cards.palette(r)
        p["ground"] = copy["colours"][t]
        p["line"] = dice.ink_colour(r, p["ground"])
        copy["tokens"][f"mine_{t}"] = dict(radius=copy["mine_radius"], shape=shape, thick=thick, art=cards.token(r, p, copy["mine_radius"], ink), side=dice.lin(p["ground"]) * 0.7, team=t)
    copy["crystal"] = pieces.crystal(r, dice.hsv(r.random(), r.uniform(0.5, 1), r.uniform(0.5, 1)))
    sizes = {k: copy["dice"][k]["size_mm"] for k in kinds}
    edges = {k: round(copy["dice"][k]["radius"] * sizes[k] / 2, 2) for k in kinds}
    copy["owner"] = dict(
        card_mm={s: list(v["size"]) for s, v in copy["displays"].items()}, card_thickness_mm=copy["thickness"], die_mm=size if one_size else sizes, die_edge_radius_mm=edges,
        token_radius_mm=copy["token_radius"], mine_radius_mm=copy["mine_radius"], faces=owner_faces, dice_per_team=copy["per_team"], station_number={k: v for k, v in NUMBERS.items() if k in kinds},
        # an owner of tokens that are not round says so, and measures them between opposite edges
        tokens={n: dict(outline=t["shape"], size_mm=round(t["radius"] * pieces.BETWEEN_EDGES[t["shape"]], 1)) for n, t in copy["tokens"].items() if t["shape"] != "round"},
        board=copy["board"], displays={s: v["zones"] for s, v in copy["displays"].items()}, frame="display/board local frame: mm, origin top-left corner, x right, y down")
    return copy
