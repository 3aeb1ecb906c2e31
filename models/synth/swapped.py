"""An owner's photographs, each exchanged for one of another kind of thing: does enrolment notice?

    python swapped.py make --from DIR --out DIR --seed S        DIR: owner.json and enrol/, as `sightline enrol --from` takes it
    sightline enrol --from OUT --copy COPY 2> SAID
    python swapped.py score --out OUT --said SAID

Of each face the first photograph alone is taken, so that no others of it tell. Counted are the photographs of which enrolment says nothing.
"""
import argparse
import glob
import os
import random
import re
import shutil


def kind(name):
    head = name.split("_")[0]
    return {"token": "piece", "crystal": "piece"}.get(head, head)


def make(a):
    random.seed(a.seed)
    photographs = {os.path.splitext(os.path.basename(p))[0]: p for p in sorted(glob.glob(os.path.join(a.source, "enrol", "*.jpg")))}
    of = {}
    for name in photographs:
        of.setdefault(kind(name), []).append(name)
    os.makedirs(os.path.join(a.out, "enrol"))
    shutil.copy(os.path.join(a.source, "owner.json"), a.out)
    with open(os.path.join(a.out, "exchanged.txt"), "w") as said:
        for name in photographs:
            if kind(name) == "die" and not name.endswith("_1"):
                continue
            other = random.choice(of[random.choice([k for k in of if k != kind(name)])])
            shutil.copy(photographs[other], os.path.join(a.out, "enrol", name + ".jpg"))
            said.write(f"{name} {other}\n")


def score(a):
    with open(a.said) as f:
        named = set(re.findall(r"^sightline: (?:\S*/)?(\w+)(?:\.jpg)?: ", f.read(), re.M))
    with open(os.path.join(a.out, "exchanged.txt")) as f:
        exchanged = [line.split() for line in f]
    silent = [(name, other) for name, other in exchanged if name not in named]
    for name, other in silent:
        print(f"nothing is said of {name}, which shows {other}")
    print(f"{len(exchanged) - len(silent)} of {len(exchanged)} are noticed")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("what", choices=["make", "score"])
    p.add_argument("--from", dest="source")
    p.add_argument("--out", required=True)
    p.add_argument("--seed", type=int, default=5)
    p.add_argument("--said")
    a = p.parse_args()
    {"make": make, "score": score}[a.what](a)


if __name__ == "__main__":
    main()
