#!/usr/bin/env python3
"""Prints what the statistics that reports draw cost: processor time with simulation.profile = yes against no, of the simulation and
its result files together, and what they add to result.json. The target is less than 10 %; nothing fails here, because host
times depend on the host. Runs alternate, and of each kind the fastest counts: what other processes do can only slow a run down."""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM, ROOT = sys.argv[1:3]
RUNS = int(sys.argv[3]) if len(sys.argv) > 3 else 5
SCENARIOS = (
    ("stream read, full occupancy", "test/bench/stream-read.ini", ()),
    ("pointer chase in L2", "test/bench/chase-l2.ini", ("--set", "workload.loads=100000")),
    ("whole V100, quickstart", "scenarios/quickstart.ini", ()),
)


def run(scenario, more, profile):
    """Processor seconds and the size of result.json of a scenario's baseline."""
    with tempfile.TemporaryDirectory() as out:
        command = [PROGRAM, "run", os.path.join(ROOT, scenario), "-v", "baseline", "-q", "-o", out, *more]
        command += ["--set", f"simulation.profile={profile}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(out, "baseline", "host.json")) as host:
            return json.load(host)["cpu_s"], os.path.getsize(os.path.join(out, "baseline", "result.json"))


def main():
    print(f"{'':28} {'without':>10} {'with':>10} {'cost':>8}   result.json")
    for name, scenario, more in SCENARIOS:
        seconds, size = {"no": [], "yes": []}, {}
        for _ in range(RUNS):
            for profile, taken in seconds.items():
                cpu, size[profile] = run(scenario, more, profile)
                taken.append(cpu)
        without, collected = min(seconds["no"]), min(seconds["yes"])
        print(f"{name:28} {without:8.2f} s {collected:8.2f} s {100 * (collected / without - 1):+6.1f} %   "
              f"{size['no'] / 1024:.0f} KiB and {(size['yes'] - size['no']) / 1024:.0f} KiB", flush=True)


main()
