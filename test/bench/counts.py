#!/usr/bin/env python3
"""What a unit of work costs on a whole V100, and a study's point, as valgrind counts it.

counts.py PROGRAM POINT_COST [--write] [CASE]...

Instructions, misses of a 32 KiB L1 data cache and of a 1 MiB L2, and events: of a run with much work less those of one with less, over the
work between them, so that start-up and results do not count. The same program has the same figures on any host: they are kept in counts.csv,
and one that has grown by more than a twentieth is an error. A commit that means it says why and writes the file anew with --write. Of a
release build."""

import argparse
import csv
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FIGURES = os.path.join(HERE, "counts.csv")
COLUMNS = ("instructions", "l1_misses", "l2_misses", "events")
CACHES = ("--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64")
GROWTH = 1.05
# The unit of work, the scenario, the setting that says how much, less and more of it, and the units between them (None: line
# transactions, or what traffic without a GPU has measured).
CASES = {
    "stream": ("line", "stream-read.ini", "workload.array_bytes", "4 MiB", "12 MiB", None),
    "random": ("line", "random-read.ini", "workload.iterations", "1", "3", None),
    "chase": ("load", "chase-l2.ini", "workload.loads", "16384", "32768", 16384),
    "conflicts": ("instruction", "shared-conflicts.ini", "workload.loads", "16", "64", 80 * 8 * 48),
    "trace": ("line", "trace.ini", "workload.file", "2 MiB", "6 MiB", None),
    "launch": ("launch", "launches.ini", "workload.launches", "50", "250", 200),
    "point": ("point", "tiny.ini", None, "10", "30", 20),
    "dram": ("request", "dram-stream.ini", "workload.duration", "10000 cycles", "30000 cycles", None),
    "dram-random": ("request", "dram-random.ini", "workload.duration", "10000 cycles", "30000 cycles", None),
    "crossbar": ("packet", "crossbar.ini", "workload.duration", "2000 cycles", "6000 cycles", None),
}


def counted(pattern):
    """Sums over the processes of a run."""
    sums = dict.fromkeys(("Ir", "D1mr", "D1mw", "DLmr", "DLmw"), 0)
    for file in glob.glob(pattern):
        lines = dict(line.split(":", 1) for line in open(file) if line.startswith(("events:", "totals:")))
        figures = dict(zip(lines["events"].split(), map(int, lines["totals"].split())))
        for name in sums:
            sums[name] += figures[name]
    return sums


def count(folder, command):
    """Instructions and misses of both caches."""
    counts = os.path.join(folder, "counts")
    subprocess.run(["valgrind", "-q", "--tool=callgrind", *CACHES, f"--callgrind-out-file={counts}.%p", *command], check=True,
                   stderr=subprocess.DEVNULL)
    sums = counted(counts + ".*")
    return sums["Ir"], sums["D1mr"] + sums["D1mw"], sums["DLmr"] + sums["DLmw"]


def run(program, folder, scenario, setting):
    """Line transactions, or requests or packets of traffic, and the columns."""
    out = os.path.join(folder, "run")
    counts = count(folder, [program, "run", scenario, "-q", "-o", out, "--set", setting])
    summary = json.load(open(os.path.join(out, "baseline", "result.json")))["summary"]
    host = json.load(open(os.path.join(out, "baseline", "host.json")))
    work = summary["transactions"] or summary.get("traffic_latency", {}).get("count", 0)
    return work, (*counts, host["events"])


def amount(program, folder, case, value):
    """As a setting; of a trace a file has to be made."""
    name = CASES[case][2]
    if case != "trace":
        return f"{name}={value}"
    trace = os.path.join(folder, "trace")
    subprocess.run([program, "trace", "generate", "stream", "--set", f"array_bytes={value}", "-o", trace], check=True,
                   stdout=subprocess.DEVNULL)
    return f"{name}={trace}/kernelslist.g"


def measure(program, point_cost, case):
    unit, name, setting, less, more, work = CASES[case]
    scenario = os.path.join(HERE, name)
    runs = []
    for value in (less, more):
        with tempfile.TemporaryDirectory() as folder:
            if setting:
                runs.append(run(program, folder, scenario, amount(program, folder, case, value)))
            else:
                runs.append((0, (*count(folder, [point_cost, scenario, value]), 0)))
    (fewer_lines, low), (lines, high) = runs
    return unit, [(a - b) / (work or lines - fewer_lines) for a, b in zip(high, low)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("point_cost")
    parser.add_argument("cases", nargs="*", metavar="CASE", default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_intermixed_args()
    kept = {row["case"]: row for row in csv.DictReader(open(FIGURES))} if os.path.exists(FIGURES) else {}
    grown = 0
    for case in options.cases or CASES:
        unit, figures = measure(options.program, options.point_cost, case)
        row = {"case": case, "unit": unit, **{column: f"{figure:.1f}" for column, figure in zip(COLUMNS, figures)}}
        print(f"{case:10} a {unit:12}" + "".join(f"{row[column]:>10} {column}" for column in COLUMNS), flush=True)
        before = kept.get(case)
        for column, figure in zip(COLUMNS, figures):
            if before and figure > float(before[column]) * GROWTH + 1:
                print(f"    {column} has grown from {before[column]}")
                grown += 1
        if options.write or not before:
            kept[case] = row
    if options.write:
        with open(FIGURES, "w", newline="") as out:
            writer = csv.DictWriter(out, ("case", "unit", *COLUMNS), lineterminator="\n")
            writer.writeheader()
            writer.writerows(kept[case] for case in CASES if case in kept)
    sys.exit(grown > 0 and not options.write)


main()
