#!/usr/bin/env python3
"""Prints what training the program is worth: processor time of one that gcc has compiled by what it did, against PROGRAM. It is built
twice in a folder of its own, between them it runs what it is trained on, and every shipped scenario has to come out of it as ever.
Arguments: PROGRAM, ROOT, pairs."""
import os
import resource
import statistics
import subprocess
import sys
import tempfile

PROGRAM, ROOT = sys.argv[1:3]
PAIRS = int(sys.argv[3]) if len(sys.argv) > 3 else 5
TARGET = "scenarios/program/warpmem"
BENCH = os.path.join(ROOT, "test", "bench")
STREAM, GATHER, CHASE = (os.path.join(BENCH, name) for name in ("stream-read.ini", "random-read.ini", "chase-l2.ini"))
TRAINING = (("quickstart",), ("matmul",), (GATHER,))
MEASURED = {
    "stream": (STREAM,),
    "gather": (GATHER, "--set", "workload.iterations=4"),
    "chase": (CHASE,),
    "matmul": ("matmul",),
    "quickstart": ("quickstart",),
}


def quietly(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def run(program, scenario, *more):
    quietly(program, "run", scenario, "-q", *more)


def build(folder):
    """The trained program."""
    program = os.path.join(folder, TARGET)
    quietly("meson", "setup", folder, ROOT, "-Db_pgo=generate")
    quietly("ninja", "-C", folder, TARGET)
    for words in TRAINING:
        run(program, *words)
    quietly("meson", "configure", folder, "-Db_pgo=use")
    quietly("ninja", "-C", folder, TARGET)
    return program


def processor_time(program, words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(program, *words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    with tempfile.TemporaryDirectory() as folder:
        trained = build(folder)
        quietly(sys.executable, "-B", os.path.join(ROOT, "test", "machines", "shipped.py"), ROOT, trained)
        for name, words in MEASURED.items():
            ratios = []
            for pair in range(PAIRS):
                order = (PROGRAM, trained) if pair % 2 else (trained, PROGRAM)
                taken = {program: processor_time(program, words) for program in order}
                ratios.append(taken[trained] / taken[PROGRAM])
            print(f"{name:12} {100 * (statistics.median(ratios) - 1):+6.1f} % of processor time", flush=True)


main()
