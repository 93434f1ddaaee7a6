#!/usr/bin/env python3
"""Random machines have the same result, to the byte, in every deployment: `anywhere.py PROGRAM [MACHINES [FIRST]]`.

Each is a preset with few SMs, a small L2 and up to fifteen parameters at random; what is refused is taken back. A run that fails is a
complaint. Each runs on one tile, on a tile an SM, on a tile a unit, with two threads and with another window.
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

FIRST, MACHINES = 9, 9
NO_PART_OF_IT = {"scenario", "simulation", "workload", "energy", "area"}
SIZES = {"machine.sms", "machine.partitions"}
OF_64_LANES = {"gcn", "mi100"}
BAD_INPUT = 2
TRACE = pathlib.Path(__file__).resolve().parents[2] / "workloads/traces/vectoradd/kernelslist.g"
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
  }""",
    """pattern = program
ctas = 5
threads_per_cta = 96
registers_per_thread = 12
code =
  global a[64, 128] of 8 B
  global b[2048]
  global n[512] of 64 B content cycle
  shared s[512]
  local l[8]
  constant k[64]
  texture t[64, 64] of bc1 layout morton mips all filter trilinear wrap repeat
  register r[6]
  p = cta
  for i in 0..3 unroll 2 { r[0] = fma r[1], r[i % 2] }
  for i in 0..2 {
    p = load.4 n[p]
    y = load.nc a[random(64), lane]
    if random(2) { r[3] = load.cs b[random(2048)] } else { store l[i], r[2] }
    store s[thread * 3 % 512], r[2]
    barrier
    r[4] = atomic s[random(512)]
    fp64 y, r[3] times 2
    r[5] = load l[i]
    c = load k[lane * 5 % 64]
    v = sample t[lane % 2 * 300 + random(9999), lane * 128 + cta]
    w = texel t[random(64), warp] level 1
    x = sfu c, v, w
    blend b[thread], x
    reduce.max b[random(64)] by lane
    fence
    wait
  }
  if thread == 0 {
    reduce b[2047]
    wait b[2047] >= 1
  }
  store b[random(2048)], p""",
    "pattern = pointer_chase\nworking_set = 24 KiB\nloads = 96\ncaches = warm\nlaunches = 2\nkeep_l1 = yes",
    "pattern = offered_load\narray_bytes = 256 KiB\nprobe_bytes = 16 KiB\nsettle = 300 cycles\nduration = 2500 cycles\nload = 0.4\n"
    "write_share = 0.3",
    "pattern = texture_random\nctas = 4\nthreads_per_cta = 64\niterations = 3\nfootprint = 256 KiB\nhot_footprint = 8 KiB",
    "pattern = texture_chase\nfootprint = 16 KiB\nloads = 64",
    "pattern = blit\nwidth = 48\nheight = 32\ntexture_width = 64\ntexture_height = 64\nscale_x = 2\nanisotropy = 4\nmipmaps = yes\n"
    "filter = trilinear",
    "pattern = convolution\nwidth = 32\nheight = 16\nsize = 3",
    "pattern = raster\nscene = soup\nscreen_width = 64\nscreen_height = 48\ntriangles = 30\noutput = blend",
    f"pattern = trace\nfile = {TRACE}",
    "pattern = network_traffic\ndata_bytes = 64 B\nduration = 1500 cycles",
    "pattern = memory_traffic\nrequest_bytes = 64 B\nduration = 1500 cycles",
    "sequence = first, beside, last\n"
    "[kernel first]\npattern = stream\noperation = copy\narray_bytes = 16 KiB\nthreads_per_cta = 64\n"
    "[kernel beside]\npattern = random\nctas = 3\nthreads_per_cta = 64\niterations = 3\nfootprint = 32 KiB\nconcurrent = yes\n"
    "[kernel last]\npattern = strided\nctas = 3\nthreads_per_cta = 64\niterations = 2\nlane_stride = 8 B\ncaches = cold")
ZERO = 0.1  # of numbers, and of those that are 0 by default never
TEXTS = {"first_level.carve_outs": ("0 B, 16 KiB, 48 KiB", "8 KiB, 64 KiB"), "first_level.carve_out": ("16 KiB", "48 KiB"),
         "network.sm_places": ("0 cycles, 13 cycles", "5 cycles, 0 cycles, 9 cycles"),
         "network.slice_places": ("0 cycles, 13 cycles", "7 cycles")}
SELDOM = ((), (), (), ("machine.request_coalescers=2", "request_coalescer.capacity=8 KiB"),  # of which hardly a machine would draw both
          ("machine.memory_caches=yes", "memory_cache.capacity=16 KiB"))
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


def draw_number(dice, default):
    """A few times as large or small, or 0; of what is 0, powers of two."""
    if not default:
        return 2 ** dice.randint(0, 12)
    return 0 if dice.random() < ZERO else max(1, int(default * dice.choice((0.25, 0.5, 2, 3))))


def draw_value(program, dice, name, default):
    """One of those that are allowed, or a number; None: it is neither."""
    if default in ("yes", "no"):
        return dice.choice(("yes", "no"))
    if name in TEXTS:
        return dice.choice(TEXTS[name])
    if name == "dram.part":
        return dice.choice([row["name"] for row in listed(program, "parts")])
    number = re.fullmatch(r"(\d+)( [A-Za-z/]+)?", default)
    if number:
        return f"{draw_number(dice, int(number[1]))}{number[2] or ''}"
    words = re.search(r"allowed: one of (.*)", warpmem(program, "explain", name).stdout)
    return dice.choice(words[1].split(", ")) if words else None


def draw_settings(program, dice, parameters):
    drawn = [(name, draw_value(program, dice, name, default)) for name, default in dice.sample(parameters, dice.randint(3, 15))]
    return [f"l2_slice.capacity={dice.choice((4, 8, 16))} KiB", *dice.choice(SELDOM), *(f"{name}={value}" for name, value in drawn if value)]


def describe(dice, presets):
    """Warps of a trace have 32 lanes."""
    workload = dice.choice(WORKLOADS)
    able = [preset for preset in presets if preset not in OF_64_LANES] if str(TRACE) in workload else presets
    return (f"[scenario]\ntitle = Anywhere\nextends = {dice.choice(able)}\n"
            f"[machine]\nsms = {dice.choice((2, 4, 6))}\npartitions = {dice.choice((2, 4))}\npeak_bandwidth_gbps = 0\n"
            f"[workload]\n{workload}\n")


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
