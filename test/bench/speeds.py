#!/usr/bin/env python3
"""Prints how fast the program is: line transactions a second, dependent loads a second, calendar events a line transaction,
start-up time. Targets are those of the first release; nothing fails here, because host times depend on the host."""
import json
import os
import subprocess
import sys
import tempfile
import time

PROGRAM, FOLDER = sys.argv[1:3]
CHASE_LOADS = 116384


def run(scenario, *more):
    """The result and the host's figures of a scenario's baseline."""
    with tempfile.TemporaryDirectory() as out:
        command = [PROGRAM, "run", os.path.join(FOLDER, scenario), "-q", "-o", out, *more]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(out, "baseline", "result.json")) as result:
            with open(os.path.join(out, "baseline", "host.json")) as host:
                return json.load(result), json.load(host)


def startup():
    """Wall time of a run that has next to nothing to simulate."""
    start = time.monotonic()
    run("stream-read.ini", "--set", "workload.array_bytes=4 KiB")
    return time.monotonic() - start


def main():
    result, host = run("stream-read.ini")
    lines = result["summary"]["transactions"]
    print(f"stream read, full occupancy    {lines / host['wall_s']:12,.0f} line transactions/s   (target 200,000)")
    events = host["events_per_s"] * host["wall_s"] / lines
    print(f"calendar events                {events:12.2f} a line transaction    (target at most 12)")
    _, host = run("chase-l2.ini", "--set", f"workload.loads={CHASE_LOADS}")
    print(f"pointer chase in L2            {CHASE_LOADS / host['wall_s']:12,.0f} dependent loads/s     (target 25,000)")
    print(f"start-up                       {startup():12.3f} s                     (target 0.3)")


main()
