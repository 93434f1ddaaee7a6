#!/usr/bin/env python3
"""Random machines have the same result, to the byte, in every deployment: `anywhere.py PROGRAM [MACHINES [FIRST]]`.

Each is a preset with few SMs, a small L2 and up to fifteen parameters at random; what is refused is taken back. A run that fails is a
complaint. Each runs on one tile, on a tile an SM, on a tile a unit, with two threads and with another window.
"""

import json
import random
import re
import subprocess
import sys
import tempfile

FIRST, MACHINES = 9, 9  # of these three had another result while a message's flag outlived it
NO_PART_OF_IT = {"scenario", "simulation", "workload", "energy", "area"}
SIZES = {"machine.sms", "machine.partitions"}
BAD_INPUT = 2
WORKLOADS = (
    "pattern = stream\noperation = scale\narray_bytes = 48 KiB\nthreads_per_cta = 128\ncaches = dirty",
    "pattern = stream\noperation = triad\narray_bytes = 32 KiB\nthreads_per_cta = 64\nlaunches = 2",
    "pattern = random\nctas = 9\nthreads_per_cta = 96\niterations = 4\nfootprint = 256 KiB\noperation = load_store",
    "pattern = random\nctas = 6\nthreads_per_cta = 64\niterations = 3\nfootprint = 8 KiB\noperation = atomic\nlaunches = 2",
    "pattern = strided\nctas = 6\nthreads_per_cta = 64\niterations = 4\nlane_stride = 100 B\nfootprint = 1 MiB",
    """pattern = program\nctas = 6\nthreads_per_cta = 64\ncode =
  global c[1]
  global a[4096]
  for i in 0..3 {
    x = load a[random(4096)]
    y = load.cg a[random(4096)]
    z = int x, y
    store a[random(4096)], z
    reduce a[random(4096)]
    barrier
  }""")
PLANS = ("simulation.deployment=sm", "simulation.deployment=unit", "simulation.threads=2", "simulation.quantum=1500 ps")
NOT_HERE = ("network.timing = flow", "longer than the lookahead")  # a plan that this machine cannot have


def warpmem(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def listed(program, what):
    return json.loads(warpmem(program, "list", what, "--json").stdout)


def parameters_of(program):
    """Names and defaults of what a machine has."""
    groups = set(re.findall(r"^ *\[(\w+)\]$", warpmem(program, "show", "quickstart").stdout, re.MULTILINE)) - NO_PART_OF_IT
    return [(row["name"], row["default"]) for row in listed(program, "parameters")
            if row["name"].split(".")[0] in groups and row["name"] not in SIZES]


def draw_value(program, dice, name, default):
    """One of those that are allowed, or a number a few times as large or small; None: it is neither."""
    if default in ("yes", "no"):
        return dice.choice(("yes", "no"))
    number = re.fullmatch(r"(\d+)( [A-Za-z/]+)?", default)
    if number:
        return f"{max(1, int(int(number[1]) * dice.choice((0.25, 0.5, 2, 3))))}{number[2] or ''}"
    words = re.search(r"allowed: one of (.*)", warpmem(program, "explain", name).stdout)
    return dice.choice(words[1].split(", ")) if words else None


def draw_settings(program, dice, parameters):
    drawn = [(name, draw_value(program, dice, name, default)) for name, default in dice.sample(parameters, dice.randint(3, 15))]
    return [f"l2_slice.capacity={dice.choice((4, 8, 16))} KiB", *(f"{name}={value}" for name, value in drawn if value)]


def describe(dice, presets):
    return (f"[scenario]\ntitle = Anywhere\nextends = {dice.choice(presets)}\n"
            f"[machine]\nsms = {dice.choice((2, 4, 6))}\npartitions = {dice.choice((2, 4))}\npeak_bandwidth_gbps = 0\n"
            f"[workload]\n{dice.choice(WORKLOADS)}\n")


def run(program, file, settings):
    return warpmem(program, "run", file, "-q", "--json", *(word for setting in settings for word in ("--set", setting)))


def first_run(program, dice, file, settings):
    """Takes back what is refused, the setting that is named or any, until there is a machine."""
    while (ended := run(program, file, settings)).returncode == BAD_INPUT and settings:
        named = [setting for setting in settings if setting.split("=")[0] in ended.stderr]
        settings.remove(named[0] if named else dice.choice(settings))
    return ended


def complaints_of(program, file, settings, first):
    if first.returncode:
        yield f"status {first.returncode}: {first.stderr.strip()}"
        return
    for plan in PLANS:
        ended = run(program, file, [*settings, plan])
        if ended.returncode == BAD_INPUT and any(words in ended.stderr for words in NOT_HERE):
            continue
        if ended.returncode:
            yield f"{plan}: status {ended.returncode}: {ended.stderr.strip()}"
        elif ended.stdout != first.stdout:
            yield f"{plan}: another result"


def check(program, presets, parameters, seed):
    """The machine in words, and what is wrong."""
    dice = random.Random(seed)
    scenario, settings = describe(dice, presets), draw_settings(program, dice, parameters)
    with tempfile.NamedTemporaryFile("w", suffix=".ini", encoding="utf-8") as file:
        file.write(scenario)
        file.flush()
        first = first_run(program, dice, file.name, settings)
        complaints = list(complaints_of(program, file.name, settings, first))
    return f"{scenario.splitlines()[2]}; {'; '.join(settings)}", complaints


def main(program, machines, first):
    presets, parameters, failed = [row["name"] for row in listed(program, "presets")], parameters_of(program), False
    for seed in range(first, first + machines):
        name, complaints = check(program, presets, parameters, seed)
        failed |= bool(complaints)
        print("not " * bool(complaints) + f"ok {seed} - {name}", *complaints, sep="\n# ")
    return 1 if failed else 0


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[2:]]
    sys.exit(main(sys.argv[1], *numbers, *(MACHINES, FIRST)[len(numbers):]))
