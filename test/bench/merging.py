#!/usr/bin/env python3
"""Prints how long merging and exporting a study of 100,000 points takes. Nothing fails here, because host times depend on
the host."""
import os
import resource
import subprocess
import sys
import tempfile
import time

PROGRAM, MANY_POINTS, FOLDER = sys.argv[1:4]


def user_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def measure(what, *words):
    start, user = time.monotonic(), user_seconds()
    run(PROGRAM, "study", *words)
    print(f"{what:22} {time.monotonic() - start:6.2f} s, of it {user_seconds() - user:.2f} s of user time")


def main():
    with tempfile.TemporaryDirectory() as folder:
        out, study = os.path.join(folder, "out"), os.path.join(folder, "study")
        scenario = os.path.join(FOLDER, "stream-read.ini")
        run(PROGRAM, "run", scenario, "-q", "-o", out, "--set", "workload.array_bytes=16 KiB")
        subprocess.run([MANY_POINTS, study, os.path.join(out, "baseline", "result.json")], check=True)
        measure("merge (target 5 s)", "merge", study)
        measure("export, CSV", "export", study, "-o", os.path.join(folder, "x.csv"))
        measure("export, JSON", "export", study, "-o", os.path.join(folder, "x.json"))
        size = os.path.getsize(os.path.join(study, "study.sqlite"))
        print(f"database               {size / 1e6:6.1f} MB")


main()
