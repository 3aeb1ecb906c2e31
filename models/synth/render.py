"""A small ray marcher for table scenes: dice, clutter, hands, light, exact truth.

World: millimetres, z up, table at z = 0. Pictures: float32 linear RGB, an integer pixel
coordinate is the pixel's centre. Every object is a signed distance in its own frame:

  kind 0  box, rounded by `round`, cut by a sphere of radius `cut` (dice have cut corners)
  kind 1  upright cylinder (half[0] radius, half[2] half height), rounded
  kind 2  capsule along local x (half[0] half length, half[1] radius): fingers, arms
  kind 3  convex polyhedron from planes (foreign dice)
  kind 4  the same with rounded edges (1 / `round` of them sharp) and a print on every face, laid by `frames`:
          the face's middle, and what is right and down of it as long as the print is wide by half
"""
import math

import numba as nb
import numpy as np

TEX = 96


@nb.njit(fastmath=True, inline="always")
def _sdf(kind, px, py, pz, half, rnd, cut, planes, nplanes):
    if kind == 0:
        qx = abs(px) - half[0] + rnd
        qy = abs(py) - half[1] + rnd
        qz = abs(pz) - half[2] + rnd
        ox, oy, oz = max(qx, 0.0), max(qy, 0.0), max(qz, 0.0)
        d = math.sqrt(ox * ox + oy * oy + oz * oz) + min(max(qx, max(qy, qz)), 0.0) - rnd
        return max(d, math.sqrt(px * px + py * py + pz * pz) - cut)
    if kind == 1:
        qr = math.sqrt(px * px + py * py) - half[0] + rnd
        qz = abs(pz) - half[2] + rnd
        return math.sqrt(max(qr, 0.0) ** 2 + max(qz, 0.0) ** 2) + min(max(qr, qz), 0.0) - rnd
    if kind == 2:
        x = px - min(max(px, -half[0]), half[0])
        return math.sqrt(x * x + py * py + pz * pz) - half[1]
    if kind == 4:  # by the log of the sum of exponentials, whose slope is nowhere more than 1
        top = -1e9
        for i in range(nplanes):
            top = max(top, px * planes[i, 0] + py * planes[i, 1] + pz * planes[i, 2] - planes[i, 3])
        total = 0.0
        for i in range(nplanes):
            v = (px * planes[i, 0] + py * planes[i, 1] + pz * planes[i, 2] - planes[i, 3] - top) / rnd
            if v > -12:
                total += math.exp(v)
        return max(top + rnd * math.log(total), math.sqrt(px * px + py * py + pz * pz) - cut)
    d = -1e9
    for i in range(nplanes):
        v = px * planes[i, 0] + py * planes[i, 1] + pz * planes[i, 2] - planes[i, 3]
        if v > d:
            d = v
    return d


@nb.njit(fastmath=True)
def _trace(kind, o, d, half, rnd, cut, planes, nplanes, bound):
    """Distance along the ray (local frame) to the surface, or -1."""
    b = o[0] * d[0] + o[1] * d[1] + o[2] * d[2]
    c = o[0] * o[0] + o[1] * o[1] + o[2] * o[2] - bound * bound
    disc = b * b - c
    if disc <= 0:
        return -1.0
    s = math.sqrt(disc)
    t = max(-b - s, 0.0)
    end = -b + s
    eps = bound * 0.004
    for _ in range(40):
        v = _sdf(kind, o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2], half, rnd, cut, planes, nplanes)
        if v < eps:
            return t
        t += v
        if t > end:
            return -1.0
    return -1.0


@nb.njit(fastmath=True)
def _normal(kind, p, half, rnd, cut, planes, nplanes, e, out):
    v = _sdf(kind, p[0], p[1], p[2], half, rnd, cut, planes, nplanes)
    out[0] = _sdf(kind, p[0] + e, p[1], p[2], half, rnd, cut, planes, nplanes) - v
    out[1] = _sdf(kind, p[0], p[1] + e, p[2], half, rnd, cut, planes, nplanes) - v
    out[2] = _sdf(kind, p[0], p[1], p[2] + e, half, rnd, cut, planes, nplanes) - v
    n = math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2) + 1e-9
    out[0] /= n
    out[1] /= n
    out[2] /= n


@nb.njit(fastmath=True)
def _sample(tex, u, v, out):
    """Bilinear, clamped; u, v in 0..1."""
    h, w, ch = tex.shape
    x = min(max(u * w - 0.5, 0.0), w - 1.001)
    y = min(max(v * h - 0.5, 0.0), h - 1.001)
    x0, y0 = int(x), int(y)
    fx, fy = x - x0, y - y0
    for c in range(ch):
        a = tex[y0, x0, c] * (1 - fx) + tex[y0, x0 + 1, c] * fx
        b = tex[y0 + 1, x0, c] * (1 - fx) + tex[y0 + 1, x0 + 1, c] * fx
        out[c] = a * (1 - fy) + b * fy


@nb.njit(fastmath=True)
def _env(env, dx, dy, dz, out):
    u = (math.atan2(dy, dx) / (2 * math.pi)) % 1.0
    v = math.acos(min(max(dz, -1.0), 1.0)) / math.pi
    _sample(env, u, v, out)


@nb.njit(fastmath=True)
def _occluded(kinds, pos, rot, half, rnd, cut, planes, nplanes, bound, some, n, p, d, skip, far):
    """Does one of the `n` objects in `some` stand between p and the light in direction d? World frame."""
    o = np.empty(3)
    ld = np.empty(3)
    for i in range(n):
        k = some[i]
        if k == skip:
            continue
        rx, ry, rz = p[0] - pos[k, 0], p[1] - pos[k, 1], p[2] - pos[k, 2]
        b = rx * d[0] + ry * d[1] + rz * d[2]
        if b > bound[k]:
            continue
        c = rx * rx + ry * ry + rz * rz - bound[k] * bound[k]
        if b * b - c <= 0 or -b - bound[k] > far:
            continue
        for i in range(3):
            o[i] = rot[k, 0, i] * rx + rot[k, 1, i] * ry + rot[k, 2, i] * rz
            ld[i] = rot[k, 0, i] * d[0] + rot[k, 1, i] * d[1] + rot[k, 2, i] * d[2]
        if _trace(kinds[k], o, ld, half[k], rnd[k], cut[k], planes[k], nplanes[k], bound[k]) > 0:
            return True
    return False


@nb.njit(fastmath=True, cache=True)
def render(
    W, H, cam_pos, cam_rot, focal, cx, cy,
    kinds, pos, rot, half, rnd, cut, planes, nplanes, bound, texid, tex, gloss, shiny, trans, tint, bulge,
    ground, ground_mm, ground_off, ground_gloss, ground_shiny,
    env_sharp, env_soft, ambient, lights, light_col, light_size, seed, frames,
):
    """Returns the picture (H, W, 3), the id map (H, W; -1 ground) and the top-visibility map."""
    np.random.seed(seed)
    n = kinds.shape[0]
    img = np.zeros((H, W, 3), np.float32)
    ids = np.full((H, W), -1, np.int16)
    nl = lights.shape[0]
    # a coarse index of which objects may be hit from each 16-pixel tile
    TS = 16
    tw, th = (W + TS - 1) // TS, (H + TS - 1) // TS
    d = np.empty(3)
    o = np.empty(3)
    ld = np.empty(3)
    p = np.empty(3)
    nrm = np.empty(3)
    wn = np.empty(3)
    l = np.empty(3)
    tex4 = np.empty(4)
    tex4b = np.empty(4)
    tex3 = np.empty(3)
    e3 = np.empty(3)
    cand = np.empty(n, np.int64)
    nearby = np.empty(n, np.int64)
    occ = np.empty((nl, n), np.int64)
    occ_n = np.zeros(nl, np.int64)
    for ty in range(th):
        for tx in range(tw):
            # ray cone of the tile
            ux, uy = (tx + 0.5) * TS - cx, (ty + 0.5) * TS - cy
            m = math.sqrt(ux * ux + uy * uy + focal * focal)
            dx = (cam_rot[0, 0] * ux + cam_rot[0, 1] * uy + cam_rot[0, 2] * focal) / m
            dy = (cam_rot[1, 0] * ux + cam_rot[1, 1] * uy + cam_rot[1, 2] * focal) / m
            dz = (cam_rot[2, 0] * ux + cam_rot[2, 1] * uy + cam_rot[2, 2] * focal) / m
            spread = TS * 0.75 / focal
            nc = 0
            for k in range(n):
                rx, ry, rz = pos[k, 0] - cam_pos[0], pos[k, 1] - cam_pos[1], pos[k, 2] - cam_pos[2]
                t = rx * dx + ry * dy + rz * dz
                q = rx * rx + ry * ry + rz * rz - t * t
                lim = bound[k] + spread * t
                if t > 0 and q < lim * lim:
                    cand[nc] = k
                    nc += 1
            ss = 2 if nc > 0 else 1
            # which objects can shade the ground of this tile, light by light, and which stand near it
            near = 0
            if dz < -0.05:
                t = -cam_pos[2] / dz
                qx, qy = cam_pos[0] + t * dx, cam_pos[1] + t * dy
                reach = spread * t / -dz
                for ci in range(nc):
                    k = cand[ci]
                    reach = max(reach, bound[k] + math.sqrt((pos[k, 0] - qx) ** 2 + (pos[k, 1] - qy) ** 2 + pos[k, 2] ** 2))
                for i in range(nl):
                    l[0], l[1], l[2] = lights[i, 0] - qx, lights[i, 1] - qy, lights[i, 2]
                    far = math.sqrt(l[0] ** 2 + l[1] ** 2 + l[2] ** 2)
                    occ_n[i] = 0
                    for k in range(n):
                        rx, ry, rz = pos[k, 0] - qx, pos[k, 1] - qy, pos[k, 2]
                        b = (rx * l[0] + ry * l[1] + rz * l[2]) / far
                        c = rx * rx + ry * ry + rz * rz - b * b
                        lim = bound[k] + reach + max(b, 0.0) / far * light_size[i]
                        if c < lim * lim and b > -lim:
                            occ[i, occ_n[i]] = k
                            occ_n[i] += 1
                for k in range(n):
                    rx, ry = pos[k, 0] - qx, pos[k, 1] - qy
                    lim = 3.0 * bound[k] + reach
                    if rx * rx + ry * ry < lim * lim:
                        nearby[near] = k
                        near += 1
            else:
                for k in range(n):
                    nearby[k] = k
                    for i in range(nl):
                        occ[i, k] = k
                near = n
                for i in range(nl):
                    occ_n[i] = n
            for y in range(ty * TS, min(ty * TS + TS, H)):
                for x in range(tx * TS, min(tx * TS + TS, W)):
                    acc0, acc1, acc2 = 0.0, 0.0, 0.0
                    for sy in range(ss):
                        for sx in range(ss):
                            ux = x + (sx + 0.5) / ss - 0.5 - cx
                            uy = y + (sy + 0.5) / ss - 0.5 - cy
                            m = math.sqrt(ux * ux + uy * uy + focal * focal)
                            for i in range(3):
                                d[i] = (cam_rot[i, 0] * ux + cam_rot[i, 1] * uy + cam_rot[i, 2] * focal) / m
                            best, hit = 1e18, -1
                            if d[2] < -1e-4:
                                best = -cam_pos[2] / d[2]
                            for ci in range(nc):
                                k = cand[ci]
                                for i in range(3):
                                    o[i] = 0.0
                                    ld[i] = 0.0
                                    for j in range(3):
                                        o[i] += rot[k, j, i] * (cam_pos[j] - pos[k, j])
                                        ld[i] += rot[k, j, i] * d[j]
                                t = _trace(kinds[k], o, ld, half[k], rnd[k], cut[k], planes[k], nplanes[k], bound[k])
                                if t > 0 and t < best:
                                    best, hit = t, k
                            if sx == 0 and sy == 0:
                                ids[y, x] = hit
                            if best > 1e17:
                                _env(env_soft, d[0], d[1], d[2], e3)
                                acc0 += e3[0] * ambient
                                acc1 += e3[1] * ambient
                                acc2 += e3[2] * ambient
                                continue
                            for i in range(3):
                                p[i] = cam_pos[i] + best * d[i]
                            a0, a1, a2 = 0.5, 0.5, 0.5
                            ao = 1.0
                            g, sh, tr = ground_gloss, ground_shiny, 0.0
                            wrap = 0.0
                            if hit >= 0:
                                k = hit
                                for i in range(3):
                                    o[i] = 0.0
                                    for j in range(3):
                                        o[i] += rot[k, j, i] * (p[j] - pos[k, j])
                                _normal(kinds[k], o, half[k], rnd[k], cut[k], planes[k], nplanes[k], bound[k] * 0.01, nrm)
                                g, sh, tr = gloss[k], shiny[k], trans[k]
                                if texid[k] >= 0 and kinds[k] == 0:
                                    # which face, and where on it; faces are +x -x +y -y +z -z
                                    ax = abs(o[0]) / half[k, 0]
                                    ay = abs(o[1]) / half[k, 1]
                                    az = abs(o[2]) / half[k, 2]
                                    if az >= ax and az >= ay:
                                        f = 4 if o[2] > 0 else 5
                                        u, v = o[0] / half[k, 0], -o[1] / half[k, 1]
                                        if f == 5:
                                            v = -v
                                        iu, iv, su, sv = 0, 1, 1.0, -1.0 if f == 4 else 1.0
                                    elif ax >= ay:
                                        f = 0 if o[0] > 0 else 1
                                        s = 1.0 if f == 0 else -1.0
                                        u, v = s * o[1] / half[k, 1], -o[2] / half[k, 2]
                                        iu, iv, su, sv = 1, 2, s, -1.0
                                    else:
                                        f = 2 if o[1] > 0 else 3
                                        s = -1.0 if f == 2 else 1.0
                                        u, v = s * o[0] / half[k, 0], -o[2] / half[k, 2]
                                        iu, iv, su, sv = 0, 2, s, -1.0
                                    fu, fv = 0.5 + 0.5 * u, 0.5 + 0.5 * v
                                    tt = tex[texid[k], f]
                                    _sample(tt, fu, fv, tex4)
                                    a0, a1, a2 = tex4[0], tex4[1], tex4[2]
                                    # the print may be engraved: its depth bends the normal
                                    st = 1.0 / TEX
                                    _sample(tt, fu + st, fv, tex4b)
                                    gu = tex4b[3] - tex4[3]
                                    _sample(tt, fu, fv + st, tex4b)
                                    gv = tex4b[3] - tex4[3]
                                    nrm[iu] += su * (gu + bulge[k] * u)  # faces of moulded dice are a little domed
                                    nrm[iv] += sv * (gv + bulge[k] * v)
                                    q = math.sqrt(nrm[0] ** 2 + nrm[1] ** 2 + nrm[2] ** 2)
                                    for i in range(3):
                                        nrm[i] /= q
                                    ao *= 1.0 - 0.35 * min(abs(tex4[3]) * 3.0, 1.0)
                                elif kinds[k] == 4:
                                    f, far = 0, -1e9
                                    for i in range(nplanes[k]):
                                        v = o[0] * planes[k, i, 0] + o[1] * planes[k, i, 1] + o[2] * planes[k, i, 2] - planes[k, i, 3]
                                        if v > far:
                                            f, far = i, v
                                    fu, fv, lu, lv = 0.0, 0.0, 0.0, 0.0
                                    for i in range(3):
                                        q = o[i] - frames[k, f, 0, i]
                                        fu += q * frames[k, f, 1, i]
                                        fv += q * frames[k, f, 2, i]
                                        lu += frames[k, f, 1, i] ** 2
                                        lv += frames[k, f, 2, i] ** 2
                                    fu, fv = 0.5 + 0.5 * fu / lu, 0.5 + 0.5 * fv / lv
                                    tt = tex[texid[k], f]
                                    _sample(tt, fu, fv, tex4)
                                    a0, a1, a2 = tex4[0], tex4[1], tex4[2]
                                    st = 1.0 / TEX
                                    _sample(tt, fu + st, fv, tex4b)
                                    gu = (tex4b[3] - tex4[3]) / math.sqrt(lu)
                                    _sample(tt, fu, fv + st, tex4b)
                                    gv = (tex4b[3] - tex4[3]) / math.sqrt(lv)
                                    for i in range(3):
                                        nrm[i] += gu * frames[k, f, 1, i] + gv * frames[k, f, 2, i]
                                    q = math.sqrt(nrm[0] ** 2 + nrm[1] ** 2 + nrm[2] ** 2)
                                    for i in range(3):
                                        nrm[i] /= q
                                    ao *= 1.0 - 0.35 * min(abs(tex4[3]) * 3.0, 1.0)
                                else:
                                    a0, a1, a2 = tint[k, 0], tint[k, 1], tint[k, 2]
                                    if texid[k] >= 0:
                                        _sample(tex[texid[k], 0], 0.5 + 0.5 * o[0] / bound[k], 0.5 + 0.5 * o[1] / bound[k] + 0.2 * o[2] / bound[k], tex4)
                                        a0, a1, a2 = tex4[0], tex4[1], tex4[2]
                                for i in range(3):
                                    wn[i] = rot[k, i, 0] * nrm[0] + rot[k, i, 1] * nrm[1] + rot[k, i, 2] * nrm[2]
                                ao *= 0.55 + 0.45 * min(max((wn[2] + 1.0) * 0.6 + p[2] / (2 * bound[k]) * 0.3, 0.0), 1.0)
                                wrap = tr * 0.6
                                if tr > 0:
                                    gx = (p[0] + d[0] * bound[k] + ground_off[0]) / ground_mm % 1.0
                                    gy = (p[1] + d[1] * bound[k] + ground_off[1]) / ground_mm % 1.0
                                    _sample(ground, gx, gy, tex3)
                                    a0 = a0 * (1 - 0.4 * tr) + 0.4 * tr * tex3[0] * (0.3 + a0)
                                    a1 = a1 * (1 - 0.4 * tr) + 0.4 * tr * tex3[1] * (0.3 + a1)
                                    a2 = a2 * (1 - 0.4 * tr) + 0.4 * tr * tex3[2] * (0.3 + a2)
                            else:
                                gx = (p[0] + ground_off[0]) / ground_mm % 1.0
                                gy = (p[1] + ground_off[1]) / ground_mm % 1.0
                                _sample(ground, gx, gy, tex3)
                                a0, a1, a2 = tex3[0], tex3[1], tex3[2]
                                wn[0], wn[1], wn[2] = 0.0, 0.0, 1.0
                                for ki in range(near):
                                    kk = nearby[ki]
                                    qx, qy = p[0] - pos[kk, 0], p[1] - pos[kk, 1]
                                    b = bound[kk]
                                    q = (qx * qx + qy * qy) / (b * b)
                                    if q < 9.0 and pos[kk, 2] < 2.0 * b:
                                        ao *= 1.0 - 0.45 * math.exp(-1.8 * q)
                            _env(env_soft, wn[0], wn[1], wn[2], e3)
                            r0 = a0 * e3[0] * ambient * ao
                            r1 = a1 * e3[1] * ambient * ao
                            r2 = a2 * e3[2] * ambient * ao
                            for i in range(nl):
                                # a soft shadow wants several looks at a large light
                                looks = 1 if light_size[i] < 0.03 * cam_pos[2] or ss == 2 or occ_n[i] == 0 else 3
                                for _look in range(looks):
                                    far = 0.0
                                    for j in range(3):
                                        l[j] = lights[i, j] - p[j] + light_size[i] * (np.random.random() - 0.5)
                                        far += l[j] * l[j]
                                    far = math.sqrt(far)
                                    for j in range(3):
                                        l[j] /= far
                                    nd = wn[0] * l[0] + wn[1] * l[1] + wn[2] * l[2]
                                    nd = (nd + wrap) / (1.0 + wrap)
                                    if nd <= 0:
                                        continue
                                    if _occluded(kinds, pos, rot, half, rnd, cut, planes, nplanes, bound, occ[i], occ_n[i], p, l, hit, far):
                                        if tr < 0.5:
                                            continue
                                        nd *= 0.4
                                    hx, hy, hz = l[0] - d[0], l[1] - d[1], l[2] - d[2]
                                    hm = math.sqrt(hx * hx + hy * hy + hz * hz) + 1e-9
                                    hn = max((wn[0] * hx + wn[1] * hy + wn[2] * hz) / hm, 0.0)
                                    spec = g * (sh + 2.0) * 0.06 * hn**sh
                                    r0 += light_col[i, 0] * (a0 * nd + spec) / looks
                                    r1 += light_col[i, 1] * (a1 * nd + spec) / looks
                                    r2 += light_col[i, 2] * (a2 * nd + spec) / looks
                            if g > 0.01:
                                dn = d[0] * wn[0] + d[1] * wn[1] + d[2] * wn[2]
                                fres = g * (0.05 + 0.95 * (1.0 - min(abs(dn), 1.0)) ** 5)
                                rz = d[2] - 2 * dn * wn[2]
                                if sh > 60:
                                    _env(env_sharp, d[0] - 2 * dn * wn[0], d[1] - 2 * dn * wn[1], rz, e3)
                                else:
                                    _env(env_soft, d[0] - 2 * dn * wn[0], d[1] - 2 * dn * wn[1], rz, e3)
                                k2 = fres * ambient if rz > 0 or hit < 0 else fres * ambient * 0.3
                                r0 += e3[0] * k2
                                r1 += e3[1] * k2
                                r2 += e3[2] * k2
                            acc0 += r0
                            acc1 += r1
                            acc2 += r2
                    q = 1.0 / (ss * ss)
                    img[y, x, 0] = acc0 * q
                    img[y, x, 1] = acc1 * q
                    img[y, x, 2] = acc2 * q
    return img, ids
