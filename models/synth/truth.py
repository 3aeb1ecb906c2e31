"""What a made picture shows, exactly: the fields of table-photos, and one line for train/data.py."""
import math

import cv2
import numpy as np

import copies
from dice import BASIS

FACE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)  # upper left, clockwise, in the symbol's right and down


def project(cam, p):
    p = np.asarray(p, float).reshape(-1, 3)
    K = np.array([[cam["K"][0], 0, cam["K"][2]], [0, cam["K"][1], cam["K"][3]], [0, 0, 1]])
    q = cv2.projectPoints(p, cv2.Rodrigues(cam["R"])[0], -cam["R"] @ cam["pos"], K, cam["D"])[0].reshape(-1, 2)
    return q, (p - cam["pos"]) @ cam["R"][2]


def on_plane(cam, px, z):
    """Where lines of sight meet the plane z; NaN where they don't."""
    K = np.array([[cam["K"][0], 0, cam["K"][2]], [0, cam["K"][1], cam["K"][3]], [0, 0, 1]])
    n = cv2.undistortPoints(np.asarray(px, float).reshape(-1, 1, 2), K, cam["D"]).reshape(-1, 2)
    d = np.column_stack([n, np.ones(len(n))]) @ cam["R"]
    t = np.where(d[:, 2] < -0.08, (z - cam["pos"][2]) / np.minimum(d[:, 2], -1e-6), np.nan)
    return (cam["pos"] + d * t[:, None])[:, :2]


def num(v, n=2):
    return np.round(np.asarray(v, float), n).tolist()


def inside(q, p):
    return cv2.pointPolygonTest(np.float32(q).reshape(-1, 1, 2), (float(p[0]), float(p[1])), False) >= 0


def overlap(q, p, half, yaw):
    """Share of a square foot that lies in a zone."""
    g = (np.stack(np.meshgrid(np.linspace(-0.94, 0.94, 9), np.linspace(-0.94, 0.94, 9)), -1).reshape(-1, 2)) * half
    c, s = math.cos(yaw), math.sin(yaw)
    return float(np.mean([inside(q, v) for v in p + g @ np.array([[c, s], [-s, c]])]))


def location(t, o):
    if o.get("where") == "in_hand":
        return dict(where="in_hand"), None
    plate = t.under(o["pos"])
    if plate is None:
        return dict(where="table"), None
    p = t.to_plate(plate, o["pos"])
    yaw = math.atan2(o["R"][1, 0], o["R"][0, 0]) if o["type"] != "die" else o["yaw"]
    local = math.degrees(yaw - plate["yaw"]) % 360
    out = dict(where=plate["type"], local_mm=num(p), local_yaw_deg=round(local, 2))
    if plate["type"] == "display":
        out["display"] = plate["name"]
    else:
        b = t.copy["board"]
        c, q = (p - b["grid_origin_mm"]) / b["square_mm"]
        out["square"] = [int(c), int(q)] if 0 <= c < b["cols"] and 0 <= q < b["rows"] else None
        if o["type"] == "ship":
            out["heading_deg_ccw_from_board_north"] = round((local + 180) % 360 - 180, 2)
            out["heading"] = "NWSE"[int(round(local / 90)) % 4]
    out["slot"], out["slot_overlap"] = None, 0.0
    for z, q in plate["zones"].items():
        if inside(q, p):
            out["slot"] = z
            out["slot_overlap"] = round(overlap(q, p, o.get("half", 6.0), -(yaw - plate["yaw"])), 3)
            break
    return out, plate


def whole_area(t, o, cam):
    """Pixels the thing would cover if nothing stood before it, the picture's rim included in that; and its hulls' box."""
    hulls = []
    for i in o["parts"]:
        p = t.parts[i]
        q, z = project(cam, p["points"] @ p["rot"].T + p["pos"])
        if (z < 5).any():
            return None, None
        hulls.append(cv2.convexHull(np.float32(q)))
    box = np.concatenate(hulls).reshape(-1, 2)
    lo, hi = np.floor(box.min(0)) - 1, np.ceil(box.max(0)) + 2
    w, h = int(hi[0] - lo[0]), int(hi[1] - lo[1])
    if w > 4000 or h > 4000:
        return None, None
    m = np.zeros((h, w), np.uint8)
    for q in hulls:
        cv2.fillConvexPoly(m, np.int32(np.round((q.reshape(-1, 2) - lo) * 16)), 1, cv2.LINE_8, 4)
    x0, y0 = max(int(-lo[0]), 0), max(int(-lo[1]), 0)
    x1, y1 = min(w, int(cam["W"] - lo[0])), min(h, int(cam["H"] - lo[1]))
    within = int(m[y0:y1, x0:x1].sum()) if x1 > x0 and y1 > y0 else 0
    return (int(m.sum()), within), box


def of(t, cam, ids, name, view, team, setup):
    """(the picture's JSON, its training line)."""
    W, H = cam["W"], cam["H"]
    part = np.where(ids < 0, 0, ids)
    owner = np.array(t.owner + [0])
    count = np.bincount((ids + 2).ravel(), minlength=len(t.parts) + 2)[2:]
    plates, objects, dice_line = [], [], []
    for p in t.plates:
        i = next(k for k, o in enumerate(t.owner) if o == p["id"])
        w, h = p["size"]
        g = t.to_world(p, np.stack(np.meshgrid(np.linspace(0.01, 0.99, 40) * w, np.linspace(0.01, 0.99, 40) * h), -1).reshape(-1, 2))
        q, z = project(cam, g)
        if (z < 5).any():
            continue
        k = np.round(q).astype(int)
        ok = (k[:, 0] >= 0) & (k[:, 0] < W) & (k[:, 1] >= 0) & (k[:, 1] < H)
        share = float((ids[k[ok, 1], k[ok, 0]] == i).sum()) / len(k)
        if share == 0:
            continue
        corners = t.to_world(p, FACE / 2 * p["size"] + np.array(p["size"]) / 2)
        px, _ = project(cam, corners)
        e = dict(id=p["id"], name=p["name"], type=p["type"], team=p["team"], station=p["station"], size_mm=list(p["size"]), centre_mm=num([*p["centre"], p["thick"]]), yaw_deg=round(math.degrees(p["yaw"]), 3),
                 corners_mm=num(corners), corners_px=num(px), corners_order="top-left, top-right, bottom-right, bottom-left as the card is read",
                 all_corners_in_frame=bool(((px >= 0) & (px <= [W - 1, H - 1])).all()), visible_fraction=round(share, 4), slots_mm=p["zones"], slots_px={z: num(project(cam, t.to_world(p, q))[0]) for z, q in p["zones"].items()})
        if p["type"] == "board":
            b = t.copy["board"]
            x, y = b["grid_origin_mm"]
            gw, gh = b["cols"] * b["square_mm"], b["rows"] * b["square_mm"]
            e["grid"] = b
            e["grid_corners_px"] = num(project(cam, t.to_world(p, [[x, y], [x + gw, y], [x + gw, y + gh], [x, y + gh]]))[0])
        plates.append(e)
    grid = np.stack(np.meshgrid(np.linspace(-0.86, 0.86, 11), np.linspace(-0.86, 0.86, 11)), -1).reshape(-1, 2)
    state = dict(displays={w: {s: {} for s in t.copy["displays"] if any(p["name"] == f"{w}/{s}" for p in t.plates)} for w in copies.TEAMS}, board=dict(ships={}, squares={}, used_crystals=0, damage=dict(white=0, black=0)), infractions=[])
    for o in t.objects:
        if o["type"] == "die":
            u, v, n = o["R"] @ BASIS[o["face"]].T[:, 0], o["R"] @ BASIS[o["face"]].T[:, 1], o["R"] @ BASIS[o["face"]].T[:, 2]
            o["yaw"] = math.atan2(u[1], u[0])
        where, plate = location(t, o)
        seen = int(sum(count[i] for i in o["parts"]))
        (area, box) = whole_area(t, o, cam)
        face_seen = 0.0
        e = dict(id=o["id"], type=o["type"], kind=o["kind"], team=o["team"], symbol=o["symbol"], pose=dict(position_mm=num(o["pos"]), R=num(o["R"], 5), yaw_deg=round(math.degrees(o.get("yaw", math.atan2(o["R"][1, 0], o["R"][0, 0]))) % 360, 2),
                 origin="die centre" if o["type"] == "die" else "centre of base, underside"))
        if area is not None and seen > 0:
            ys, xs = np.nonzero(np.isin(ids, o["parts"])) if len(o["parts"]) > 1 else np.nonzero(ids == o["parts"][0])
            e.update(visible_fraction=round(min(seen / max(area[0], 1), 1.0), 4), in_frame_fraction=round(area[1] / max(area[0], 1), 4), visible_px=seen, bbox_px=[int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1], location=where)
        if o["type"] == "die" and area is not None:
            h = o["half"]
            q, _ = project(cam, o["pos"] + h * n + h * FACE[:, :1] * u + h * FACE[:, 1:] * v)
            k = np.round(project(cam, o["pos"] + h * n + h * grid[:, :1] * u + h * grid[:, 1:] * v)[0]).astype(int)
            ok = (k[:, 0] >= 0) & (k[:, 0] < W) & (k[:, 1] >= 0) & (k[:, 1] < H)
            face_seen = float((ids[k[ok, 1], k[ok, 0]] == o["part"]).sum()) / len(k)
            kind = t.box.kinds[o["k"]]
            sid = kind["ids"][o["symbol"]]
            e.update(face_index=o["face"], top_polygon_px=num(q), polygon_order="top-left, top-right, bottom-right, bottom-left of the upright symbol", face_visible_fraction=round(face_seen, 4), intended=o["intended"], symbol_id=sid, kind_id=kind["kind_id"])
            x0, y0, x1, y1 = *box.min(0), *box.max(0)
            if x1 > 0 and y1 > 0 and x0 < W and y0 < H and seen > 0:
                d = q[1] - q[0]
                dice_line.append(dict(kind="pips" if 0 <= sid < 6 else ("numeral" if sid < 0 else "icon"), value=(sid + 1 if 0 <= sid < 6 else ((-sid - 1) % 8 + 1 if sid < 0 else 0)), turned=False, poly=num(q), box=num([x0, y0, x1 - x0, y1 - y0]),
                                      visible=round(face_seen, 3), whole=e["visible_fraction"], symbol=sid, name=f"{o['kind']}/{o['symbol']}", turns=kind["turns"][o["symbol"]], kind_id=kind["kind_id"], rotation=round(math.degrees(math.atan2(d[1], d[0])) % 360, 2), tilted=round(math.degrees(math.acos(min(n[2], 1))), 1)))
        elif area is not None and seen > 0:
            if o["outline"] is not None:
                z = np.full((len(o["outline"]), 1), o["top"])
                q, _ = project(cam, np.hstack([o["outline"], z]) @ o["R"].T + o["pos"])
                e.update(top_polygon_px=num(q), polygon_order="hull outline, first point = nose" if o["type"] == "ship" else f"{len(q)} points clockwise, first at the top of the artwork" if len(q) != 4 else "top-left, top-right, bottom-right, bottom-left")
                if o["type"] == "ship":
                    ends = np.array([[*o["outline"][0], o["top"]], [0, o["outline"][:, 1].min(), o["top"]], [0, 0, 0]]) @ o["R"].T + o["pos"]
                    q, _ = project(cam, ends)
                    e.update(nose_px=num(q[0]), tail_px=num(q[1]), base_centre_px=num(q[2]))
            else:
                q = cv2.convexHull(np.float32(box)).reshape(-1, 2)
                e.update(top_polygon_px=num(q), polygon_order="silhouette")
        if "visible_fraction" in e:
            objects.append(e)
        note(t, state, o, where, plate, face_seen)
    hand = int(sum(count[i] for i, o in enumerate(t.owner) if o == -2))
    full = dict(format="table-truth-1", camera=dict(width=W, height=H, K=[[float(cam["K"][0]), 0, float(cam["K"][2])], [0, float(cam["K"][1]), float(cam["K"][3])], [0, 0, 1]], dist_k1_k2_p1_p2_k3=cam["D"].tolist(),
                R_world_to_cam=num(cam["R"], 7), t_mm=num(-cam["R"] @ cam["pos"], 4), position_mm=num(cam["pos"], 3), convention="OpenCV: x_cam = R x_world + t; pixel (0,0) is the CENTRE of the top-left pixel; world mm, z up, table z=0"),
                name=name, view=view, view_team=team, image=name + ".jpg", injected=[i["type"] for i in state["infractions"]], setup=setup, plates=plates, objects=objects, state=state, occluders=dict(hand=dict(visible_px=hand, id=2000)) if hand else {})
    return full, dict(dice=dice_line, plates=[dict(name=p["name"], corners_px=p["corners_px"], visible=p["visible_fraction"]) for p in plates],
                      things=[dict(type=o["type"], kind=o["kind"], team=o["team"], symbol=o["symbol"], poly=o["top_polygon_px"], visible=o["visible_fraction"], nose_px=o.get("nose_px"), tail_px=o.get("tail_px")) for o in objects if o["type"] != "die"])


def note(t, state, o, where, plate, face_seen):
    """Enters a thing into the table's state, and says what is wrong with where it lies."""
    slot = where.get("slot")

    def wrong(what):
        state["infractions"].append(dict(type=what, object=o["id"], display=plate["name"] if plate else None, slot=slot, symbol=o["symbol"], in_picture=face_seen > 0, face_visible_fraction=round(face_seen, 4)))

    if plate is None:
        return
    if plate["type"] == "display":
        own = state["displays"][plate["team"]][plate["station"]]
        if o["type"] == "die":
            label = o["symbol"] if o["kind"] == plate["station"] or plate["station"] == "engineering" and o["kind"] == "energy" else f"{o['kind']}:{o['symbol']}"
            own.setdefault(slot or "-", []).append(label)
            s = plate["station"]
            if o["kind"] == "stranger":
                wrong("stranger_die")
            elif slot is None:
                wrong("die_outside_any_zone")
            elif slot == "energy":
                if o["kind"] != "energy":
                    wrong("station_die_in_energy_zone")
                elif o["symbol"] != str(copies.NUMBERS[s]):
                    wrong("energy_die_number_not_this_station")
            elif o["kind"] == s:
                last = slot.split("/")[-1]
                if o["symbol"] in ("blast1", "blast2", "expansion"):
                    wrong("unusable_symbol_placed")
                elif s == "weapons" and o["symbol"] != last or s == "shields" and o["symbol"] != last or s == "sensors" and not o["symbol"].startswith(last) or s == "tractor" and not o["symbol"].startswith(last):
                    wrong("die_in_wrong_zone")
            elif s != "engineering" or o["kind"] != "energy":
                # an energy die, too, where a station's own dice belong
                wrong("foreign_die")
        else:
            own.setdefault(slot or "-", []).append(o["symbol"])
        return
    b = state["board"]
    if o["type"] == "ship" and where["square"]:
        b["ships"][o["team"]] = dict(square=where["square"], heading=where["heading"])
    if o["type"] == "die" and slot and slot.startswith("damage/"):
        b["damage"][slot.split("/")[1]] += 1
    elif o["type"] == "crystal" and slot == "used-crystals":
        b["used_crystals"] += 1
    elif where["square"] is not None:
        label = f"ship-{o['team']}" if o["type"] == "ship" else f"{o['symbol']}-{o['team']}" if o["type"] == "token" and o["team"] else o["symbol"]
        b["squares"].setdefault(f"{where['square'][0]},{where['square'][1]}", []).append(label)
