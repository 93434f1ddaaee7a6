#!/usr/bin/env python3
"""Prints what the statistics that reports draw cost: processor time with simulation.profile = yes against no, of the simulation and
its result files together, and what they add to result.json and to memory. Runs come in pairs that follow each other, the order
alternates, and the median of the pairs' ratios counts: other processes slow both down. The target is less than 10 %; nothing fails
here, because host times depend on the host. On a busy host each kind has fewer pairs, but at least LEAST_PAIRS, so that all are done
in LIMIT_S or a little more. Arguments: program, root, pairs."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM, ROOT = sys.argv[1:3]
PAIRS = int(sys.argv[3]) if len(sys.argv) > 3 else 7
TARGET, LIMIT_S, LEAST_PAIRS = 10, 420, 3
STREAM = ("scenarios/quickstart.ini", "-v", "baseline")
SCENARIOS = (
    ("stream, whole V100", (*STREAM, "--set", "workload.array_bytes=4 MiB")),
    ("pointer chase in L2", ("test/bench/chase-l2.ini", "--set", "workload.loads=50000")),
    ("hits in L1", ("scenarios/l2-and-atomics/cache-bandwidth.ini", "-v", "64-KiB", "--set", "workload.laps=4")),
    ("matrix multiply", ("scenarios/l1/matmul.ini", "-v", "staged")),
    ("texture fetches", ("scenarios/textures/raster.ini", "-v", "bc1")),
    ("random atomics", ("scenarios/l2-and-atomics/atomic-throughput.ini", "-v", "spread", "--set", "workload.rounds=16")),
    ("256 KiB, whole V100", (*STREAM, "--set", "workload.array_bytes=256 KiB")),
    ("256 KiB, one SM", (*STREAM, "--set", "workload.array_bytes=256 KiB", "--set", "machine.sms=1")),
)


def run(words, profile):
    """Processor seconds, size of result.json in KiB and peak memory in MiB of a run."""
    with tempfile.TemporaryDirectory() as out:
        scenario, *more = words
        command = [PROGRAM, "run", os.path.join(ROOT, scenario), *more, "-q", "-o", out]
        with subprocess.Popen([*command, "--set", f"simulation.profile={profile}"], stdout=subprocess.DEVNULL) as child:
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
        variant, = os.listdir(out)
        size = os.path.getsize(os.path.join(out, variant, "result.json")) / 1024
        return used.ru_utime + used.ru_stime, size, used.ru_maxrss / 1024


def measure(words, until):
    """Runs without and with the statistics, pair by pair."""
    pairs = []
    while len(pairs) < PAIRS and (len(pairs) < LEAST_PAIRS or time.monotonic() < until):
        order = ("no", "yes") if len(pairs) % 2 else ("yes", "no")
        ran = {profile: run(words, profile) for profile in order}
        pairs.append((ran["no"], ran["yes"]))
    return pairs


def main():
    start, costs = time.monotonic(), []
    print(f"{'':22} {'without':>9} {'with':>9}   cost (quartiles)           result.json          memory")
    for number, (name, words) in enumerate(SCENARIOS, 1):
        pairs = measure(words, start + LIMIT_S * number / len(SCENARIOS))
        ratios = [100 * (collected[0] / without[0] - 1) for without, collected in pairs]
        low, cost, high = statistics.quantiles(ratios, n=4)
        without, collected = ([statistics.median(column) for column in zip(*runs)] for runs in zip(*pairs))
        costs.append(cost)
        print(f"{name:22} {without[0]:7.2f} s {collected[0]:7.2f} s {cost:+6.1f} % ({low:+.1f} .. {high:+.1f}), "
              f"{len(pairs)} pairs   {without[1]:.0f} -> {collected[1]:.0f} KiB   {without[2]:.0f} -> {collected[2]:.0f} MiB",
              flush=True)
    print(f"median of the kinds: {statistics.median(costs):+.1f} %, most {max(costs):+.1f} % (target: below {TARGET} %)")


main()
