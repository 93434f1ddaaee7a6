#!/usr/bin/env python3
"""Prints what studies cost: host time a point beside its simulation, and how much faster two processes are than one. Targets are
5 ms and 1.8 on two quiet cores; nothing fails here, because host times depend on the host."""
import json
import os
import resource
import subprocess
import sys
import tempfile

PROGRAM, EMPTY_POINTS = sys.argv[1:3]
POINTS = 1000

SCENARIO = """[scenario]
title = Small chases
extends = v100
[machine]
sms = 1
partitions = 1
slices_per_partition = 1
peak_bandwidth_gbps = 0
[mmu]
enabled = no
[workload]
pattern = pointer_chase
working_set = 4 KiB
loads = %s
[study]
replications = %d
"""


def cpu_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def empty_points(points):
    """Wall and CPU milliseconds a point."""
    with tempfile.TemporaryDirectory() as folder:
        out = subprocess.run([EMPTY_POINTS, folder, str(points)], check=True, capture_output=True, text=True).stdout
    return [float(seconds) * 1000 / points for seconds in out.split()]


def study(processes, loads, points):
    """Points a second of wall time, and CPU milliseconds a point."""
    with tempfile.TemporaryDirectory() as folder:
        scenario = os.path.join(folder, "small.ini")
        with open(scenario, "w") as text:
            text.write(SCENARIO % (loads, points))
        plan = os.path.join(folder, "study")
        subprocess.run([PROGRAM, "study", "plan", scenario, "-o", plan], check=True, stdout=subprocess.DEVNULL)
        before = cpu_time()
        out = subprocess.run([PROGRAM, "study", "run", plan, "-j", str(processes), "--json"], check=True, capture_output=True)
        return points / json.loads(out.stdout)["wall_s"], (cpu_time() - before) * 1000 / points


def main():
    for points in (POINTS, 10 * POINTS):
        wall, cpu = empty_points(points)
        print(f"a point of {points:6,} beside its simulation {wall:8.3f} ms, {cpu:.3f} ms of CPU   (target below 5)")
    for loads, points in (("10", POINTS), ("20000", 40)):
        one, cpu_one = study(1, loads, points)
        two, cpu_two = study(2, loads, points)
        print(f"points of {loads:>6} loads: {one:8.1f}/s with -j 1, {two:8.1f}/s with -j 2: {two / one:.2f} times (target 1.8);"
              f" CPU {cpu_one:.1f} and {cpu_two:.1f} ms a point")


main()
