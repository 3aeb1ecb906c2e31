"""Ray tracer for whole tables (numba): boxes, cylinders, capsules and convex solids on a table, lens and all.

World: millimetres, z up, table at 0. Camera as OpenCV has it; an integer pixel coordinate is the pixel's centre.
Two passes: what each pixel shows (ids, exact at pixel centres), then its light; pixels on an edge or on a solid
get four looks, flat things one look into a pyramid. Shadows on flat things come from maps (shade.py), on solids
from a ray each look.

Solids: kind 0 box with rounded edges (half, rnd), 1 upright cylinder (half[0] radius, half[2] half height),
2 capsule along x (half[0] half length, half[1] radius), 3 convex, planes n.p <= d.
Materials: 0 plain with grain, 1 die (six prints), 2 a picture on its +z side.
"""
import math

import numba as nb
import numpy as np

import dice

TILE = 16


@nb.njit(fastmath=True, cache=True)
def _hit(kind, ox, oy, oz, dx, dy, dz, half, rnd, planes, npl, bound):
    if kind == 0:
        return dice.hit_box(ox, oy, oz, dx, dy, dz, half[0], half[1], half[2], rnd)
    if kind == 1:
        a = dx * dx + dy * dy
        b = ox * dx + oy * dy
        c = ox * ox + oy * oy - half[0] * half[0]
        if a < 1e-12:
            if c > 0:
                return -1.0
            t0, t1 = -1e9, 1e9
        else:
            q = b * b - a * c
            if q <= 0:
                return -1.0
            q = math.sqrt(q)
            t0, t1 = (-b - q) / a, (-b + q) / a
        if abs(dz) < 1e-9:
            if abs(oz) > half[2]:
                return -1.0
        else:
            u, v = (-half[2] - oz) / dz, (half[2] - oz) / dz
            t0, t1 = max(t0, min(u, v)), min(t1, max(u, v))
        return t0 if t0 < t1 and t0 > 0 else -1.0
    if kind == 2:
        b = ox * dx + oy * dy + oz * dz
        c = ox * ox + oy * oy + oz * oz - bound * bound
        q = b * b - c
        if q <= 0:
            return -1.0
        q = math.sqrt(q)
        t, end = max(-b - q, 0.0), -b + q
        for _ in range(40):
            px, py, pz = ox + t * dx, oy + t * dy, oz + t * dz
            x = px - min(max(px, -half[0]), half[0])
            v = math.sqrt(x * x + py * py + pz * pz) - half[1]
            if v < 0.02:
                return t
            t += v
            if t > end:
                return -1.0
        return -1.0
    t0, t1 = 0.0, 1e9
    for i in range(npl):
        n = planes[i, 0] * dx + planes[i, 1] * dy + planes[i, 2] * dz
        e = planes[i, 3] - planes[i, 0] * ox - planes[i, 1] * oy - planes[i, 2] * oz
        if abs(n) < 1e-9:
            if e < 0:
                return -1.0
        elif n < 0:
            t0 = max(t0, e / n)
        else:
            t1 = min(t1, e / n)
    return t0 if t0 < t1 and t0 > 0 else -1.0


@nb.njit(fastmath=True, cache=True)
def _normal(kind, px, py, pz, half, rnd, planes, npl, n):
    """Normal in the solid's frame; returns the face for boxes, 4 for a top, else -1."""
    if kind == 0:
        return dice.box_normal(px, py, pz, half[0], half[1], half[2], rnd, n)
    if kind == 1:
        r = math.sqrt(px * px + py * py)
        if abs(pz) / half[2] > r / half[0]:
            n[0], n[1], n[2] = 0.0, 0.0, (1.0 if pz > 0 else -1.0)
            return 4 if pz > 0 else 5
        n[0], n[1], n[2] = px / r, py / r, 0.0
        return -1
    if kind == 2:
        x = px - min(max(px, -half[0]), half[0])
        q = math.sqrt(x * x + py * py + pz * pz) + 1e-9
        n[0], n[1], n[2] = x / q, py / q, pz / q
        return -1
    best, at = -1e9, 0
    for i in range(npl):
        v = planes[i, 0] * px + planes[i, 1] * py + planes[i, 2] * pz - planes[i, 3]
        if v > best:
            best, at = v, i
    n[0], n[1], n[2] = planes[at, 0], planes[at, 1], planes[at, 2]
    return 4 if planes[at, 2] > 0.999 else -1


@nb.njit(fastmath=True, cache=True, inline="always")
def _ray(x, y, K, D, R, d):
    """Direction in the world of the line of sight through a pixel, lens undone."""
    xd, yd = (x - K[2]) / K[0], (y - K[3]) / K[1]
    u, v = xd, yd
    for _ in range(5):
        r2 = u * u + v * v
        k = 1 + r2 * (D[0] + r2 * (D[1] + r2 * D[4]))
        u = (xd - 2 * D[2] * u * v - D[3] * (r2 + 2 * u * u)) / k
        v = (yd - D[2] * (r2 + 2 * v * v) - 2 * D[3] * u * v) / k
    m = 1 / math.sqrt(u * u + v * v + 1)
    for i in range(3):
        d[i] = (R[0, i] * u + R[1, i] * v + R[2, i]) * m


@nb.njit(fastmath=True, cache=True)
def _local(rot, pos, p, v, o, d):
    for i in range(3):
        o[i] = rot[0, i] * (p[0] - pos[0]) + rot[1, i] * (p[1] - pos[1]) + rot[2, i] * (p[2] - pos[2])
        d[i] = rot[0, i] * v[0] + rot[1, i] * v[1] + rot[2, i] * v[2]


@nb.njit(fastmath=True, cache=True)
def _nearest(cam, d, cand, nc, kinds, pos, rot, half, rnd, planes, npl, bound, o, ld):
    best, hit = 1e18, -2
    if d[2] < -1e-6:
        best, hit = -cam[2] / d[2], -1
    for c in range(nc):
        k = cand[c]
        _local(rot[k], pos[k], cam, d, o, ld)
        t = _hit(kinds[k], o[0], o[1], o[2], ld[0], ld[1], ld[2], half[k], rnd[k], planes[k], npl[k], bound[k])
        if t > 0 and t < best:
            best, hit = t, k
    return best, hit


@nb.njit(fastmath=True, cache=True)
def _candidates(tx, ty, W, H, K, D, R, cam, pos, bound, n, cand, d):
    cx, cy = (tx + 0.5) * TILE, (ty + 0.5) * TILE
    _ray(cx, cy, K, D, R, d)
    spread = TILE * 0.85 / K[0]
    m = 0
    for k in range(n):
        rx, ry, rz = pos[k, 0] - cam[0], pos[k, 1] - cam[1], pos[k, 2] - cam[2]
        t = rx * d[0] + ry * d[1] + rz * d[2]
        q = rx * rx + ry * ry + rz * rz - t * t
        lim = bound[k] + spread * max(t, 0.0)
        if t > -bound[k] and q < lim * lim:
            cand[m] = k
            m += 1
    return m


@nb.njit(fastmath=True, cache=True)
def see(W, H, K, D, R, cam, kinds, pos, rot, half, rnd, planes, npl, bound):
    """Which solid each pixel's centre shows: -1 the table, -2 beyond it."""
    n = kinds.shape[0]
    ids = np.empty((H, W), np.int16)
    cand = np.empty(n, np.int64)
    d, o, ld = np.empty(3), np.empty(3), np.empty(3)
    for ty in range((H + TILE - 1) // TILE):
        for tx in range((W + TILE - 1) // TILE):
            nc = _candidates(tx, ty, W, H, K, D, R, cam, pos, bound, n, cand, d)
            for y in range(ty * TILE, min(ty * TILE + TILE, H)):
                for x in range(tx * TILE, min(tx * TILE + TILE, W)):
                    if nc == 0:
                        _ray(x, y, K, D, R, d)
                        ids[y, x] = -1 if d[2] < -1e-6 else -2
                        continue
                    _ray(x, y, K, D, R, d)
                    _, hit = _nearest(cam, d, cand, nc, kinds, pos, rot, half, rnd, planes, npl, bound, o, ld)
                    ids[y, x] = hit
    return ids


@nb.njit(fastmath=True, cache=True)
def _texel(buf, at, w, h, u, v, wrap, lut, out):
    """Bilinear from an 8-bit sRGB picture at buf[at:]; u, v in its pixels."""
    if wrap:
        u, v = u % w, v % h
        x0, y0 = int(u), int(v)
        fx, fy = u - x0, v - y0
        x0, y0 = x0 % w, y0 % h
        x1, y1 = (x0 + 1) % w, (y0 + 1) % h
    else:
        u, v = min(max(u - 0.5, 0.0), w - 1.001), min(max(v - 0.5, 0.0), h - 1.001)
        x0, y0 = int(u), int(v)
        fx, fy = u - x0, v - y0
        x1, y1 = min(x0 + 1, w - 1), min(y0 + 1, h - 1)
    a, b, c, e = at + (y0 * w + x0) * 3, at + (y0 * w + x1) * 3, at + (y1 * w + x0) * 3, at + (y1 * w + x1) * 3
    for i in range(3):
        out[i] += (lut[buf[a + i]] * (1 - fx) + lut[buf[b + i]] * fx) * (1 - fy) + (lut[buf[c + i]] * (1 - fx) + lut[buf[e + i]] * fx) * fy


@nb.njit(fastmath=True, cache=True)
def _picture(buf, dirs, tex, x, y, level, lut, out):
    """Colour at (x, y) mm of a picture: dirs[tex, level] = offset, w, h, pixels a mm, wrap."""
    level = min(max(level, 0.0), dirs.shape[1] - 1.0)
    l0 = int(level)
    f = level - l0
    out[0], out[1], out[2] = 0.0, 0.0, 0.0
    e = dirs[tex, l0]
    _texel(buf, int(e[0]), int(e[1]), int(e[2]), x * e[3], y * e[3], e[4] > 0, lut, out)
    if f > 0.15 and l0 + 1 < dirs.shape[1]:
        a0, a1, a2 = out[0], out[1], out[2]
        out[0], out[1], out[2] = 0.0, 0.0, 0.0
        e = dirs[tex, l0 + 1]
        _texel(buf, int(e[0]), int(e[1]), int(e[2]), x * e[3], y * e[3], e[4] > 0, lut, out)
        out[0] = a0 * (1 - f) + out[0] * f
        out[1] = a1 * (1 - f) + out[1] * f
        out[2] = a2 * (1 - f) + out[2] * f


@nb.njit(fastmath=True, cache=True)
def _from_map(m, x, y):
    h, w = m.shape
    x, y = min(max(x, 0.0), w - 1.001), min(max(y, 0.0), h - 1.001)
    x0, y0 = int(x), int(y)
    fx, fy = x - x0, y - y0
    return (m[y0, x0] * (1 - fx) + m[y0, x0 + 1] * fx) * (1 - fy) + (m[y0 + 1, x0] * (1 - fx) + m[y0 + 1, x0 + 1] * fx) * fy


@nb.njit(fastmath=True, cache=True)
def _env(env, dx, dy, dz, out):
    h, w, _ = env.shape
    u = (math.atan2(dy, dx) / (2 * math.pi)) % 1.0 * w
    v = min(max(math.acos(min(max(dz, -1.0), 1.0)) / math.pi * h - 0.5, 0.0), h - 1.001)
    x0, y0 = int(u) % w, int(v)
    fx, fy = u - int(u), v - y0
    x1 = (x0 + 1) % w
    for i in range(3):
        out[i] = (env[y0, x0, i] * (1 - fx) + env[y0, x1, i] * fx) * (1 - fy) + (env[y0 + 1, x0, i] * (1 - fx) + env[y0 + 1, x1, i] * fx) * fy


@nb.njit(fastmath=True, cache=True)
def light(W, H, K, D, R, cam, ids, kinds, pos, rot, half, rnd, planes, npl, bound, shaders, nshaders,
          mat, level, tint, gloss, shiny, trans, rough, prints, kv, nz, noff, ptex, buf, dirs, ground, lut,
          lamps, lamp_col, lamp_size, maps, ao, map_at, env_sharp, env_soft, ambient, grain, seed):
    """Linear light (H, W, 3). `level`: which shadow map a flat thing takes, -1 for solids."""
    np.random.seed(seed)
    n = kinds.shape[0]
    nl = lamps.shape[0]
    img = np.empty((H, W, 3), np.float32)
    cand = np.empty(n, np.int64)
    d, o, ld, p, nrm, wn = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    l, e3, a3, uv, so, sd = np.empty(3), np.empty(3), np.empty(3), np.empty(2), np.empty(3), np.empty(3)
    lk = np.zeros(7)
    c3 = np.empty(3)
    for ty in range((H + TILE - 1) // TILE):
        for tx in range((W + TILE - 1) // TILE):
            nc = _candidates(tx, ty, W, H, K, D, R, cam, pos, bound, n, cand, d)
            for y in range(ty * TILE, min(ty * TILE + TILE, H)):
                for x in range(tx * TILE, min(tx * TILE + TILE, W)):
                    i0 = ids[y, x]
                    same = True
                    if x > 0 and ids[y, x - 1] != i0 or x + 1 < W and ids[y, x + 1] != i0 or y > 0 and ids[y - 1, x] != i0 or y + 1 < H and ids[y + 1, x] != i0:
                        same = False
                    flat = i0 < 0 or level[i0] >= 0
                    ss = 1 if same and flat else 2
                    s0, s1, s2 = 0.0, 0.0, 0.0
                    for sub in range(ss * ss):
                        _ray(x + (sub % ss + 0.5) / ss - 0.5, y + (sub // ss + 0.5) / ss - 0.5, K, D, R, d)
                        if ss == 1 and i0 == -1:
                            t, hit = -cam[2] / d[2], -1
                        else:
                            t, hit = _nearest(cam, d, cand, nc, kinds, pos, rot, half, rnd, planes, npl, bound, o, ld)
                        if hit == -2 or t > 6000:
                            _env(env_soft, d[0], d[1], d[2], e3)
                            s0 += e3[0] * ambient
                            s1 += e3[1] * ambient
                            s2 += e3[2] * ambient
                            continue
                        for i in range(3):
                            p[i] = cam[i] + t * d[i]
                        metal, gl, sh, tr, occ = 0.0, 0.1, 20.0, 0.0, 1.0
                        lvl = -1
                        if hit < 0:
                            lvl = 0
                            foot = t / K[0] / math.sqrt(max(-d[2], 0.1))
                            gx, gy = p[0] * ground[2] + p[1] * ground[3] + ground[0], -p[0] * ground[3] + p[1] * ground[2] + ground[1]
                            _picture(buf, dirs, 0, gx, gy, math.log2(max(foot * dirs[0, 0, 3], 1e-3)), lut, a3)
                            wn[0], wn[1], wn[2] = 0.0, 0.0, 1.0
                            gl, sh = ground[4], ground[5]
                        else:
                            k = hit
                            _local(rot[k], pos[k], p, d, o, ld)
                            f = _normal(kinds[k], o[0], o[1], o[2], half[k], rnd[k], planes[k], npl[k], nrm)
                            gl, sh, tr = gloss[k], shiny[k], trans[k]
                            if mat[k] == 1:
                                px, py, pz = o[0] / half[k, 0], o[1] / half[k, 1], o[2] / half[k, 2]
                                dice.face_uv(f, px, py, pz, uv)
                                q = ptex[k]
                                dice.face_look(prints[q, f], uv[0], uv[1], kv[q], nz[q], noff[k, 0] + 0.37 * f, noff[k, 1], lk)
                                b = kv[q, 23]
                                dice.bend(f, lk[3], lk[4], b * (uv[0] - 0.5) * 2, b * (uv[1] - 0.5) * 2, nrm)
                                a3[0], a3[1], a3[2] = lk[0], lk[1], lk[2]
                                gl *= lk[6]
                                metal = lk[5]
                            elif mat[k] == 2 and f == 4 and nrm[2] > 0.7:
                                foot = t / K[0] / math.sqrt(max(abs(d[2]), 0.1))
                                q = ptex[k]
                                _picture(buf, dirs, q, o[0] + half[k, 0], half[k, 1] - o[1], math.log2(max(foot * dirs[q, 0, 3], 1e-3)), lut, a3)
                                if level[k] >= 0:
                                    lvl = level[k]
                            else:
                                q = rough[k]
                                w = 0.0
                                if q > 0:
                                    w = dice._wrapped(nz[0], o[0] * 0.021 + o[2] * 0.013 + noff[k, 0], o[1] * 0.021 + o[2] * 0.017 + noff[k, 1])
                                    w += 0.6 * dice._wrapped(nz[0], o[0] * 0.13, o[1] * 0.13 + o[2] * 0.11)
                                for i in range(3):
                                    a3[i] = tint[k, i] * max(1 + q * w * (1 - 0.25 * i), 0.1)
                            for i in range(3):
                                wn[i] = rot[k, i, 0] * nrm[0] + rot[k, i, 1] * nrm[1] + rot[k, i, 2] * nrm[2]
                            if lvl < 0:
                                occ = 0.5 + 0.5 * min(max((wn[2] + 1) * 0.5 + (p[2] - pos[k, 2]) / (2 * bound[k]) * 0.5, 0.0), 1.0)
                                if metal > 0 or lk[5] > 0:
                                    occ *= 1.0
                        mx, my = (p[0] - map_at[0]) * map_at[2], (p[1] - map_at[1]) * map_at[2]
                        if lvl >= 0:
                            occ = _from_map(ao[lvl], mx, my)
                        _env(env_soft, wn[0], wn[1], wn[2], e3)
                        dn = d[0] * wn[0] + d[1] * wn[1] + d[2] * wn[2]
                        rx, ry, rz = d[0] - 2 * dn * wn[0], d[1] - 2 * dn * wn[1], d[2] - 2 * dn * wn[2]
                        dif = 1 - 0.75 * metal
                        for i in range(3):
                            c3[i] = a3[i] * e3[i] * ambient * occ * dif
                        fres = 1 - min(abs(dn), 1.0)
                        fres = 0.04 + 0.96 * fres * fres * fres * fres * fres
                        if lvl >= 0:
                            fres = min(fres, 0.4)
                        for i in range(nl):
                            far = 0.0
                            for j in range(3):
                                l[j] = lamps[i, j] - p[j]
                                if lvl < 0:
                                    l[j] += lamp_size[i] * (np.random.random() - 0.5) * 1.4
                                far += l[j] * l[j]
                            far = math.sqrt(far)
                            for j in range(3):
                                l[j] /= far
                            nd = wn[0] * l[0] + wn[1] * l[1] + wn[2] * l[2]
                            nd = (nd + 0.4 * tr) / (1 + 0.4 * tr)
                            if nd <= 0:
                                continue
                            lit = 1.0
                            if lvl >= 0:
                                lit = _from_map(maps[i, lvl], mx, my)
                            else:
                                for c in range(nshaders[hit]):
                                    k = shaders[hit, c]
                                    if k == hit:
                                        continue
                                    qx, qy, qz = p[0] - pos[k, 0], p[1] - pos[k, 1], p[2] - pos[k, 2]
                                    b = qx * l[0] + qy * l[1] + qz * l[2]
                                    q = qx * qx + qy * qy + qz * qz - bound[k] * bound[k]
                                    if b > bound[k] or b * b - q <= 0:
                                        continue
                                    _local(rot[k], pos[k], p, l, so, sd)
                                    if _hit(kinds[k], so[0], so[1], so[2], sd[0], sd[1], sd[2], half[k], rnd[k], planes[k], npl[k], bound[k]) > 0.3:
                                        lit = 0.0
                                        break
                            if lit <= 0:
                                continue
                            fall = lamps[i, 3] / (far * far)
                            cosr = rx * l[0] + ry * l[1] + rz * l[2]
                            sp = cosr**sh * (sh + 2) * 0.16 if cosr > 0.5 else 0.0
                            for j in range(3):
                                v = lamp_col[i, j] * lit * fall
                                c3[j] += v * (a3[j] * nd * dif + gl * fres * 3 * sp + metal * a3[j] * sp * 1.2)
                        if gl > 0.02 or metal > 0:
                            if sh > 40:
                                _env(env_sharp, rx, ry, rz, e3)
                            else:
                                _env(env_soft, rx, ry, rz, e3)
                            k2 = 1.0 if rz > 0 else 0.25
                            for j in range(3):
                                c3[j] += e3[j] * ambient * k2 * (gl * fres + 0.9 * metal * a3[j]) * (0.4 + 0.6 * occ)
                        s0 += c3[0]
                        s1 += c3[1]
                        s2 += c3[2]
                    q = 1.0 / (ss * ss)
                    img[y, x, 0] = s0 * q
                    img[y, x, 1] = s1 * q
                    img[y, x, 2] = s2 * q
    return img
