"""Waits for processes that make things, says how far they are, and stops them on Ctrl-C."""
import time


def wait(procs, count, total):
    """`procs` are started; `count` is what they have made of `total`, a shared number."""
    begun = time.time()
    try:
        while any(p.is_alive() for p in procs):
            time.sleep(1)
            if count.value:
                gone = time.time() - begun
                print(f"\r{count.value} of {total}, {gone:.0f} s, {gone / count.value:.2f} s each ", end="", flush=True)
    except KeyboardInterrupt:
        for p in procs:
            p.terminate()
        print("\nstopped; the same command goes on from here")
        return
    print(f"\n{count.value} in {time.time() - begun:.0f} s")
