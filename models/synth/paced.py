"""Live latency and load: plays a film of match.py through a paced source, and stamps what is said with when it was said.

    python paced.py SIGHTLINE F.mp4 --copy COPY [...]    what follows is handed on to `sightline run --json --paced`

Writes F.out with at_s, in place of the frame's time, the time at which the line came, on the film's clock: score.py F then says
how late dice are told of. Printed: processor time by the second of the film, frames looked at, the age of frames when they were told, and memory.
"""
import argparse
import json
import os
import subprocess
import threading
import time

import numpy as np

PAGE, TICK = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("sightline", help="the program")
    ap.add_argument("film", metavar="F.mp4", help="a film of match.py")
    a, more = ap.parse_known_args()
    sightline, film = a.sightline, a.film.removesuffix(".mp4") + ".mp4"
    if not os.path.exists(film):
        raise SystemExit(f"{film}: no such file")
    declared = film[:-4] + ".declare.jsonl"
    if os.path.exists(declared) and "--declare" not in more:
        more += ["--declare", declared]
    run = subprocess.Popen([sightline, "run", "--json", "--paced", "--video", film, *more], stdout=subprocess.PIPE, text=True)
    held, spent = [], []

    def watch():
        while run.poll() is None:
            try:
                held.append(int(open(f"/proc/{run.pid}/statm").read().split()[1]) * PAGE / 2**20)
                fields = open(f"/proc/{run.pid}/stat").read().rsplit(")", 1)[1].split()
                spent.append((time.monotonic(), (int(fields[11]) + int(fields[12])) / TICK))
            except (OSError, IndexError):
                break
            time.sleep(0.1)

    threading.Thread(target=watch, daemon=True).start()
    lines = [(time.monotonic(), json.loads(line)) for line in run.stdout]
    if run.wait():
        raise SystemExit(run.returncode)
    # a line that says how old its frame was says when the film began
    aged = [(came - line["at_s"] - line["frame_age_ms"] / 1000, line["frame_age_ms"]) for came, line in lines if line.get("frame_age_ms") is not None]
    began = min(a for a, _ in aged)
    with open(film[:-4] + ".out", "w") as out:
        for came, line in lines:
            out.write(json.dumps(dict(line, frame_s=line["at_s"], at_s=round(came - began, 3))) + "\n")
    during = [s for s in spent if s[0] >= began]
    seconds, cores = during[-1][0] - during[0][0], during[-1][1] - during[0][1]
    ages = np.array([age for _, age in aged])
    rates = [line["frames_per_second"] for _, line in lines if line["type"] == "rate"]
    # what a search over the whole picture holds for a moment is not what the program holds
    print(f"{seconds:.0f} s: {cores / seconds:.2f} of a core; frames a second {np.mean(rates):.1f}; frames when told {np.median(ages):.0f} ms old (95 %: {np.quantile(ages, 0.95):.0f})")
    print(f"resident: median {np.median(held):.0f} MiB, 95 % {np.quantile(held, 0.95):.0f}, most {max(held):.0f}; at the end {np.median(held[-20:]):.0f}")


if __name__ == "__main__":
    main()
