"""Tables in Blender's Cycles: the second renderer beside trace.py, with real meshes, light that bounces, glass and skin.

    python3.11 -m venv V && V/bin/pip install -r requirements-cycles.txt
    V/bin/python tables.py --renderer cycles ...        V/bin/python squares.py --renderer cycles ...

`expose` takes what trace.py gets (solids, textures, camera, lamps, surroundings, the table's surface) and gives the same:
linear light (H, W, 3), which `tables.develop` makes a photograph of. Geometry is the same to some 0.01 mm (edges that are
sharp there are rounded by BEVEL here), so that ids and all truth come from there. One thread; a seed gives the same picture
again on the same machine. Not called cycles.py: that is the name of Blender's own module, which it would hide.
"""
import contextlib
import math
import os
import tempfile

import bpy
import bmesh  # bpy brings it
import cv2
import mathutils
import numba as nb
import numpy as np

import dice
import truth

SAMPLES = 8  # with the denoiser, and behind a webcam's noise, more make no difference that can be seen
BEVEL = 0.2  # mm, of edges that trace.py has sharp
ARC = (np.arange(5) / 4 * math.pi / 4)  # angles over half of a rounded edge
SCRATCH = "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()  # where a picture lies for a moment


# Meshes: corners (n, 3), faces as lists of corners, normals of corners (None: flat faces). Faces that look up come first.


def _rounded(half, r):
    """A box with round edges; the faces in trace.py's order (+x -x +y -y +z -z), as many squares on each."""
    half = np.asarray(half, float)
    at, faces, n = [], [], 2 * len(ARC)
    q = np.arange(n * n).reshape(n, n)
    quads = np.stack([q[:-1, :-1], q[1:, :-1], q[1:, 1:], q[:-1, 1:]], -1).reshape(-1, 4)
    for f in range(6):
        k, sign = f // 2, 1 - 2 * (f % 2)
        u, v = (k + 1) % 3, (k + 2) % 3
        line = [np.concatenate([-(half[a] - r) - r * np.tan(ARC[::-1]), half[a] - r + r * np.tan(ARC)]) for a in (u, v)]
        p = np.empty((n, n, 3))
        p[..., u], p[..., v], p[..., k] = line[0][:, None], line[1][None], sign * half[k]
        at.append(p.reshape(-1, 3))
        faces.append((quads if sign > 0 else quads[:, ::-1]) + f * n * n)
    p, faces = np.concatenate(at), np.concatenate(faces)
    core = np.clip(p, r - half, half - r)
    d = p - core
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    # one skin, so that light that enters it leaves it
    _, first, back = np.unique(np.round(core + r * d, 6), axis=0, return_index=True, return_inverse=True)
    return (core + r * d)[first], back.ravel()[faces], d[first]


def _turned(profile, normals, n=64):
    """A solid of revolution about z from (radius, z), from its top to its bottom; flat ends."""
    a = np.arange(n) * 2 * math.pi / n
    ring = np.stack([np.cos(a), np.sin(a)], 1)
    at = np.concatenate([np.column_stack([ring * q, np.full(n, z)]) for q, z in profile])
    nrm = np.concatenate([np.column_stack([ring * q, np.full(n, z)]) for q, z in normals])
    i, j = np.arange(n), (np.arange(n) + 1) % n
    faces = [list(range(n))]
    for k in range(len(profile) - 1):
        faces += np.stack([k * n + i, (k + 1) * n + i, (k + 1) * n + j, k * n + j], 1).tolist()
    return at, faces + [list(range((len(profile) - 1) * n, len(profile) * n))[::-1]], nrm


def _hull(p):
    """A convex solid's faces from its planes, those that look up first."""
    faces = []
    for q in sorted(p["planes"], key=lambda q: -q[2]):
        on = np.nonzero(np.abs(p["points"] @ q[:3] - q[3]) < 2e-3)[0]
        _, first = np.unique(np.round(p["points"][on], 4), axis=0, return_index=True)
        on = on[first]
        if len(on) < 3:
            continue
        d = p["points"][on] - p["points"][on].mean(0)
        u = d[np.argmax((d * d).sum(1))]
        faces.append(on[np.argsort(np.arctan2(d @ np.cross(q[:3], u), d @ u))].tolist())
    return p["points"], faces


def mesh_of(p):
    """Blender's mesh of a primitive. Material 0 is its picture (on what looks up), 1 the rest; dice have one."""
    half, kind = p["half"], p["kind"]
    normals, m = None, bpy.data.meshes.new("m")
    if kind == 0:
        at, faces, normals = _rounded(half, max(p["rnd"], 0.02))
    elif kind == 1:
        b = min(BEVEL, 0.3 * half[2], 0.3 * half[0])
        r, z, c = half[0], half[2], math.sin(math.pi / 4)
        edge = [(r - b, z), (r - b + b * c, z - b + b * c), (r, z - b)]
        bent = [(0, 1), (c, c), (1, 0)]
        at, faces, normals = _turned(edge + [(q, -h) for q, h in edge[::-1]], bent + [(q, -h) for q, h in bent[::-1]])
    elif kind == 2:
        a = np.linspace(0.04, math.pi / 2, 8)
        cap = [(math.sin(v), math.cos(v)) for v in a]
        bent = cap + [(q, -h) for q, h in cap[::-1]]
        at, faces, normals = _turned([(half[1] * q, half[1] * h + half[0] * np.sign(h) if h > 1e-9 or h < -1e-9 else 0.0) for q, h in bent], bent, 32)
        at, normals = at[:, [2, 0, 1]], normals[:, [2, 0, 1]]
    else:
        at, faces = _hull(p)
    m.from_pydata(np.asarray(at, float).tolist(), [], [list(map(int, f)) for f in faces])
    if kind == 3:
        b = bmesh.new()
        b.from_mesh(m)
        bmesh.ops.delete(b, geom=[v for v in b.verts if not v.link_faces], context="VERTS")
        thin = np.ptp(p["points"][:, 2])
        bmesh.ops.bevel(b, geom=b.edges[:], offset=min(BEVEL, 0.1 * thin), segments=2, profile=0.5, affect="EDGES", clamp_overlap=True)
        b.to_mesh(m)
        b.free()
    n = len(m.polygons)
    if p["mat"]:
        at = np.empty(len(m.vertices) * 3)
        m.vertices.foreach_get("co", at)
        loops = np.empty(len(m.loops), np.int32)
        m.loops.foreach_get("vertex_index", loops)
        at = at.reshape(-1, 3)[loops]
        if p["mat"] == 1:
            f = np.repeat(np.arange(6), len(loops) // 6)
            uv = _atlas(f, at / half)
        else:
            up = np.empty(n * 3)
            m.polygons.foreach_get("normal", up)
            m.polygons.foreach_set("material_index", (up.reshape(-1, 3)[:, 2] < 0.7).astype(np.int32))
            uv = np.column_stack([at[:, 0] + half[0], half[1] - at[:, 1]])
        m.uv_layers.new().data.foreach_set("uv", np.ascontiguousarray(uv, np.float32).ravel())
    if normals is not None:
        m.polygons.foreach_set("use_smooth", np.ones(n, bool))
        m.update()
        m.normals_split_custom_set_from_vertices(normals.tolist())
    m.update()
    return m


# Dice: their faces' looks baked into an atlas of two rows of three, by the same function that trace.py asks at each hit.


def _atlas(f, p):
    """Where points (half edge 1) of faces f lie in the atlas."""
    x, y, z = p.T
    u = np.choose(f, [y, -y, -x, x, x, x]) * 0.5 + 0.5
    v = np.choose(f, [-z, -z, -z, -z, -y, y]) * 0.5 + 0.5
    return np.column_stack([(f % 3 + u) / 3, 1 - (f // 3 + v) / 2])


@nb.njit(cache=True)
def _bake(n, prints, kv, nz, nu, nv, rnd, colour, normal, look):
    """Atlas (2n, 3n): linear colour (3); normal in the die's frame (3); metal, gloss, nothing, how much of it is bare plastic (4)."""
    lk, m, p = np.zeros(7), np.zeros(3), np.zeros(3)
    for f in range(6):
        for y in range(n):
            for x in range(n):
                u, v = (x + 0.5) / n, (y + 0.5) / n
                dice.face_look(prints[f], u, v, kv, nz, nu + 0.37 * f, nv, lk)
                a, b = 2 * u - 1, 2 * v - 1
                e, g = max(abs(a) - 1 + rnd, 0.0), max(abs(b) - 1 + rnd, 0.0)
                w = math.sqrt(max(rnd * rnd - e * e - g * g, 1e-4 * rnd * rnd)) / rnd
                e, g = (e if a > 0 else -e) / rnd, (g if b > 0 else -g) / rnd
                if f == 4:
                    m[0], m[1], m[2] = e, -g, w
                elif f == 5:
                    m[0], m[1], m[2] = e, g, -w
                elif f == 0:
                    m[0], m[1], m[2] = w, e, -g
                elif f == 1:
                    m[0], m[1], m[2] = -w, -e, -g
                elif f == 2:
                    m[0], m[1], m[2] = -e, w, -g
                else:
                    m[0], m[1], m[2] = e, -w, -g
                bulge = kv[23]
                dice.bend(f, lk[3], lk[4], bulge * a, bulge * b, m)
                i, j = f // 3 * n + y, f % 3 * n + x
                for c in range(3):
                    colour[i, j, c] = lk[c]
                    normal[i, j, c] = 0.5 + 0.5 * m[c]
                look[i, j, 0], look[i, j, 1], look[i, j, 3] = lk[5], lk[6], 1.0
                span, stuck = kv[22], kv[21]
                pu, pv = a / span / 2 + 0.5, b / span / 2 + 0.5
                if 0 < pu < 1 and 0 < pv < 1:
                    look[i, j, 3] = 1 - min(dice._bilinear8(prints[f], pu, pv, 0) + dice._bilinear8(prints[f], pu, pv, 1), 1.0)
                if max(abs(a), abs(b)) < stuck:
                    look[i, j, 3] = 0.0


# Materials


class Nodes:
    """A material's nodes, few words each."""

    def __init__(self, name):
        self.m = bpy.data.materials.new(name)
        self.m.use_nodes = True
        self.tree = self.m.node_tree
        self.skin = self.tree.nodes["Principled BSDF"]
        self.out = self.tree.nodes["Material Output"]

    def add(self, kind, inputs=(), **more):
        n = self.tree.nodes.new("ShaderNode" + kind)
        for k, v in more.items():
            setattr(n, k, v)
        for k, v in dict(inputs).items():
            self.set(n, k, v)
        return n

    def set(self, n, k, v):
        if isinstance(v, bpy.types.NodeSocket):
            self.tree.links.new(v, n.inputs[k])
        else:
            n.inputs[k].default_value = v

    def look(self, **inputs):
        for k, v in inputs.items():
            self.set(self.skin, k.replace("_", " "), v)


def rgba(c):
    return (*(float(min(max(v, 0.0), 1.0)) for v in c), 1.0)


def image(im, colour="sRGB"):
    """A picture (rows from the top; uint8, or float32 as it is) as Blender's."""
    h, w, c = im.shape
    a = np.ones((h, w, 4), np.float32)
    a[..., :c] = im[::-1] / np.float32(255) if im.dtype == np.uint8 else im[::-1]
    q = bpy.data.images.new("i", w, h, float_buffer=im.dtype != np.uint8)
    q.colorspace_settings.name, q.alpha_mode = colour, "CHANNEL_PACKED"
    q.pixels.foreach_set(a.ravel())
    q.update()
    return q


def roughness(gloss, shiny):
    """Microfacets' roughness that looks as trace.py's exponent; what has no gloss is rough."""
    return np.clip((2 / (np.asarray(shiny) + 2)) ** 0.4 + 1.6 * np.maximum(0.3 - np.asarray(gloss), 0), 0.06, 1.0)


def shrunk(im, per_mm, foot):
    """A picture no finer than pixels are: Cycles has no pyramids."""
    k = 1 / max(per_mm * foot * 0.6, 1.0)
    return im if k > 0.9 else cv2.resize(im, (max(int(im.shape[1] * k), 2), max(int(im.shape[0] * k), 2)), interpolation=cv2.INTER_AREA)


def through(n, share, colour):
    """Lets lamps shine through, coloured: light finds its way into glass without caustics."""
    dark = n.add("BsdfTransparent", {"Color": colour})
    shadow = n.add("Math", {0: n.add("LightPath").outputs["Is Shadow Ray"], 1: share}, operation="MULTIPLY")
    both = n.add("MixShader", {0: shadow.outputs[0], 1: n.skin.outputs[0], 2: dark.outputs[0]})
    n.tree.links.new(both.outputs[0], n.out.inputs["Surface"])


def die_material(t, p, offset, size):
    """`size`: of a face, in pixels of the picture; 0 where it is not seen."""
    n, q, kv = Nodes("die"), p["tex"], t.box.kv[p["tex"]]
    if not size:
        n.look(Base_Color=rgba(kv[:3]), Roughness=0.4)
        return n.m
    s = int(np.clip(size * 1.5, 24, 192))
    c, m, l = (np.zeros((2 * s, 3 * s, k), np.float32) for k in (3, 3, 4))
    pr = t.box.prints[q]
    if s < pr.shape[1] * 0.7:
        pr = np.stack([cv2.resize(f, (s, s), interpolation=cv2.INTER_AREA) for f in pr])
        # slopes are taken over a texel and a half
        kv = kv.copy()
        kv[18] *= s / t.box.prints.shape[2]
    _bake(s, pr, kv, t.box.nz[q], offset[0], offset[1], max(p["rnd"] / p["half"][0], 0.02), c, m, l)
    gloss = p["gloss"] * l[..., 1]
    l[..., 2], l[..., 1] = 0.08 + 0.42 * gloss, roughness(gloss, p["shiny"])
    read = lambda im: n.add("TexImage", image=image(im, "Linear Rec.709" if im is c else "Non-Color"), extension="EXTEND")
    colour, looks = read(c), read(l)
    look = n.add("SeparateColor", {0: looks.outputs[0]})
    n.look(Base_Color=colour.outputs[0], Metallic=look.outputs[0], Roughness=look.outputs[1], Specular_IOR_Level=look.outputs[2],
           Normal=n.add("NormalMap", {"Color": read(m).outputs[0]}, space="OBJECT").outputs[0])
    if p["trans"] > 0:
        n.look(Transmission_Weight=n.add("Math", {0: looks.outputs[1], 1: 0.6 * float(p["trans"])}, operation="MULTIPLY").outputs[0])
        through(n, 0.75 * float(p["trans"]), rgba(np.sqrt(t.box.kv[q][:3])))
    return n.m


def material_of(p, offset, hand):
    """What a primitive is of, but for pictures and dice."""
    n = Nodes("plain")
    tint = rgba(p["tint"])
    n.look(Base_Color=tint, Roughness=float(roughness(p["gloss"], p["shiny"])), Specular_IOR_Level=0.1 + 0.4 * min(p["gloss"], 1.0))
    if p["rough"] > 0:
        where = n.add("Mapping", {0: n.add("TexCoord").outputs["Object"], 1: (*(offset * 50), 0.0), 3: (0.07, 0.07, 0.07)})
        grain = n.add("TexNoise", {"Vector": where.outputs[0], "Scale": 1.0, "Detail": 5.0, "Roughness": 0.65}).outputs[0]
        k = n.add("MapRange", {0: grain, 1: 0.3, 2: 0.7, 3: 1 - 1.5 * p["rough"], 4: 1 + 1.5 * p["rough"]})
        mixed = n.add("VectorMath", {0: tint[:3], 1: k.outputs[0]}, operation="MULTIPLY")
        n.look(Base_Color=mixed.outputs[0], Normal=n.add("Bump", {"Strength": 0.25, "Distance": 1.0, "Height": grain}).outputs[0])
    if hand and p["gloss"] > 0:  # skin, not a sleeve
        n.look(Subsurface_Weight=0.35, Subsurface_Radius=(1.0, 0.3, 0.15), Subsurface_Scale=3.0)
    if p["trans"] > 0:
        n.look(Transmission_Weight=0.85 * float(p["trans"]), Base_Color=rgba(np.sqrt(p["tint"])), IOR=1.5)
        through(n, 0.7 * float(p["trans"]), rgba(np.sqrt(p["tint"])))
    return n.m


def picture_material(im, wide_mm, high_mm, gloss, shiny, wrap=False):
    n = Nodes("picture")
    where = n.add("Mapping", {0: n.add("UVMap").outputs[0], 1: (0.0, 1.0, 0.0), 3: (1 / wide_mm, -1 / high_mm, 1.0)})
    im = n.add("TexImage", {0: where.outputs[0]}, image=image(im), extension="REPEAT" if wrap else "EXTEND")
    n.look(Base_Color=im.outputs[0], Roughness=float(roughness(gloss, shiny)), Specular_IOR_Level=0.1 + 0.4 * min(float(gloss), 1.0))
    return n.m


# Scene


def put(data, matrix=None):
    o = bpy.data.objects.new("o", data)
    if matrix is not None:
        o.matrix_world = mathutils.Matrix(matrix.tolist())
    bpy.context.scene.collection.objects.link(o)
    return o


def placed(R, at):
    m = np.eye(4)
    m[:3, :3], m[:3, 3] = R, at
    return m


def frame(cam):
    """The window of a picture without distortion that holds cam's: (focal, x0, y0, w, h), and where each pixel of cam's lies in it."""
    W, H, f = cam["W"], cam["H"], cam["K"][0]
    K = np.array([[cam["K"][0], 0, cam["K"][2]], [0, cam["K"][1], cam["K"][3]], [0, 0, 1]])
    g = np.stack(np.meshgrid(np.arange(W), np.arange(H)), -1).reshape(-1, 1, 2).astype(np.float64)
    q = cv2.undistortPointsIter(g, K, cam["D"], np.eye(3), np.eye(3), (cv2.TERM_CRITERIA_COUNT, 12, 0)).reshape(H, W, 2) * f
    lo, hi = np.floor(q.min((0, 1))) - 3, np.ceil(q.max((0, 1))) + 3
    w, h = (hi - lo + 1).astype(int)
    return f, lo[0], lo[1], int(w), int(h), np.float32(q - lo)


@contextlib.contextmanager
def quiet():
    """Blender says a line for each tile, past Python's sys.stdout."""
    keep, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        os.dup2(keep, 1)
        os.close(keep)
        os.close(null)


def lit_by(light, grain):
    """Lamps (round ones and windows) and what surrounds the table."""
    r = np.random.default_rng([77, grain])
    for at, colour, size in zip(light["lamps"], light["colours"], light["sizes"]):
        l = bpy.data.lights.new("l", "AREA")
        k = float(size) * 1.4
        if r.random() < 0.4:
            a = math.exp(r.uniform(-0.7, 0.7))
            l.shape, l.size, l.size_y = "RECTANGLE", k * 0.886 * a, k * 0.886 / a
        else:
            l.shape, l.size = "DISK", k
        # E = P / (pi d^2) below a small flat lamp; trace.py has E = pi * colour at the lamp's distance from the middle
        bright = float(colour.max())
        l.energy, l.color = bright * math.pi**2 * float(at[3]), [float(v) for v in colour / bright]
        z = np.array(at[:3]) / np.linalg.norm(at[:3])
        x = np.cross([0, 0, 1.0], z) + [1e-6, 0, 0]
        x /= np.linalg.norm(x)
        put(l, placed(np.stack([x, np.cross(z, x), z], 1), at[:3]))
    env = light["env"][0]
    w = bpy.data.worlds.new("w")
    w.use_nodes = True
    tex = w.node_tree.nodes.new("ShaderNodeTexEnvironment")
    # Blender's left half is where trace.py's angles begin, and runs the other way
    n = env.shape[1]
    tex.image = image(np.ascontiguousarray(env[:, (n // 2 - 1 - np.arange(n)) % n]), "Linear Rec.709")
    back = w.node_tree.nodes["Background"]
    w.node_tree.links.new(tex.outputs[0], back.inputs[0])
    back.inputs[1].default_value = float(1 - light["share"])
    w.cycles.sampling_method, w.cycles.sample_map_resolution = "MANUAL", 128  # finer than the map is of no use, and slow
    bpy.context.scene.world = w


def expose(t, cam, ids, light, offsets, grain, samples=None):
    """The picture in linear light; arguments as tables.expose has them."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    s = bpy.context.scene
    seen = set(np.unique(ids).tolist())
    foot = lambda at: max(float(np.dot(np.asarray(at) - cam["pos"], cam["R"][2])), 30.0) / cam["K"][0]  # mm a pixel
    g = light["ground"]
    im, per_mm = t.pictures[0], t.per_mm[0]
    near = truth.on_plane(cam, [[(cam["W"] - 1) / 2, (cam["H"] - 1) * 0.8]], 0.0)[0]
    fine = foot([*near, 0.0]) if np.isfinite(near).all() else 1.0
    far = 6000.0
    c = np.array([[-far, -far], [far, -far], [far, far], [-far, far]]) + cam["pos"][:2]
    m = bpy.data.meshes.new("ground")
    m.from_pydata(np.column_stack([c, np.zeros(4)]).tolist(), [], [[0, 1, 2, 3]])
    uv = np.column_stack([c[:, 0] * g[2] + c[:, 1] * g[3] + g[0], -c[:, 0] * g[3] + c[:, 1] * g[2] + g[1]])
    m.uv_layers.new().data.foreach_set("uv", np.float32(uv).ravel())
    m.materials.append(picture_material(shrunk(im, per_mm, fine), im.shape[1] / per_mm, im.shape[0] / per_mm, g[4], g[5], wrap=True))
    put(m)
    for i, p in enumerate(t.parts):
        m = mesh_of(p)
        if p["mat"] == 1:
            m.materials.append(die_material(t, p, offsets[i], 2 * p["half"][0] / foot(p["pos"]) if i in seen else 0))
        else:
            plain = material_of(p, offsets[i], t.owner[i] == -2)
            if p["mat"] == 2 and i in seen:
                im, per_mm = t.pictures[p["tex"]], t.per_mm[p["tex"]]
                world = p["points"] @ p["rot"].T + p["pos"]
                fine = min(foot(q) for q in world) if t.level[i] < 0 else foot(p["pos"])
                m.materials.append(picture_material(shrunk(im, per_mm, fine), im.shape[1] / per_mm, im.shape[0] / per_mm, p["gloss"], p["shiny"]))
            elif p["mat"] == 2:
                m.materials.append(plain)
            m.materials.append(plain)
        # what stands on something must not share a plane with it
        put(m, placed(p["rot"], p["pos"] + [0, 0, 0.01 * (t.level[i] < 0)]))
    lit_by(light, grain)
    f, x0, y0, w, h, at = frame(cam)
    c = bpy.data.cameras.new("c")
    c.sensor_fit, c.sensor_width, c.lens = "HORIZONTAL", 36.0, 36.0 * f / w
    c.shift_x, c.shift_y = (x0 + (w - 1) / 2) / w, -(y0 + (h - 1) / 2) / w
    c.clip_start, c.clip_end = 5.0, 20000.0
    s.camera = put(c, placed(cam["R"].T @ np.diag([1.0, -1.0, -1.0]), cam["pos"]))
    settings(s, w, h, grain, samples or SAMPLES)
    path = s.render.filepath = os.path.join(SCRATCH, f"cycles-{os.getpid()}.exr")
    with quiet():
        bpy.ops.render.render(write_still=True)
    im = bpy.data.images.load(path)
    out = np.empty(w * h * im.channels, np.float32)
    im.pixels.foreach_get(out)
    os.remove(path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    out = np.ascontiguousarray(out.reshape(h, w, -1)[::-1, :, :3])
    return np.maximum(cv2.remap(out, at, None, cv2.INTER_CUBIC), 0)


def settings(s, w, h, seed, samples):
    r, c = s.render, s.cycles
    r.engine, r.resolution_x, r.resolution_y, r.resolution_percentage = "CYCLES", w, h, 100
    r.threads_mode, r.threads = "FIXED", 1
    r.use_compositing = r.use_sequencer = False
    r.image_settings.file_format, r.image_settings.color_depth, r.image_settings.exr_codec = "OPEN_EXR", "32", "NONE"
    c.device, c.samples, c.seed, c.use_adaptive_sampling = "CPU", samples, seed % (1 << 31), False
    c.pixel_filter_type, c.filter_width = "BLACKMAN_HARRIS", 1.2
    c.use_light_tree = False  # slower, with two lamps at most
    c.use_denoising, c.denoiser, c.denoising_prefilter = True, "OPENIMAGEDENOISE", "FAST"
    c.max_bounces, c.diffuse_bounces, c.glossy_bounces, c.transmission_bounces, c.transparent_max_bounces = 6, 2, 2, 6, 6
    c.sample_clamp_indirect, c.blur_glossy, c.caustics_reflective, c.caustics_refractive = 5.0, 1.0, False, False
