#!/usr/bin/env python3
"""How often the verdict is right: verdicts.py PROGRAM VERDICT_OF ROOT WORK [-j N] [--any] [--quick] [-v] [CASE]...

A case is a variant of a scenario in verdicts/KIND. It is run, and the verdict names a perfect component. What is true is found by trying:
the case runs with each component of `study perfect` made perfect, and with each part doubled that a what-if may double. The verdict is
right when its component gains most, or within CLOSE of the most. Bounds that no part of the machine removes have an intervention of their
own, REMEDIES. Doublings of machine.* (SMs, partitions, clocks) double many parts at once and are left out. What is true is kept in WORK by content (the model's sources, the case), so that a change of the verdict alone runs nothing
again; --any takes it from any sources."""

import argparse
import csv
import glob
import hashlib
import io
import json
import os
import shutil
import subprocess

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "verdicts")
CLOSE = 0.02
ORDER = "# trace: "
# Perfect components that are several others at once: they say nothing against one part.
WHOLES = ("dram", "network")
# What makes another one perfect as well, or nearly: ports of L1 that read words of one bank side by side. It says nothing against that one
# where that is most of the gain.
INCLUDED = {"dram_bandwidth": "dram_timing", "l1_bandwidth": "bank_conflicts"}
MOST = 0.8
# Shipped scenarios that ask a question, and what of them.
SHIPPED = {
    "network/ring": ("crossbar", "ring", "mesh"),
    "network/crossbar": ("fifo", "virtual-islip-1"),
    "network/interleaving": ("none", "mix"),
    "network/request-coalescer": ("baseline", "none"),
    "sm/dispatch": ("half-1", "half-4"),
    "sm/issue-mix": ("core-only", "kepler"),
    "sm/latency-hiding": ("1-warp", "4-warps", "64-warps"),
    "sm/barriers": ("skew",),
    "sm/spills": ("registers-255",),
    "l1/bank-conflicts": ("many-8-way", "many-32-way", "32-way"),
    "l1/coalescing": ("lines-32",),
    "l1/outstanding-misses": ("prt-128",),
    "l1/replay-room": ("room-1", "room-2"),
    "l1/tlb": ("walks",),
    "l2-and-atomics/atomic-throughput": ("one-address", "one-line-a-block"),
    "l2-and-atomics/l2-bandwidth": ("virtual-output-queues", "one-queue"),
    "l2-and-atomics/store-queue": ("entries-2", "entries-32"),
    "dram/dram-schedulers": ("in-order", "first-ready", "random-open"),
    "textures/fragment-fifo": ("depth-32", "depth-512", "reorder-32"),
    "textures/texture-lookup": ("16-kib", "busy"),
    "textures/texture-organisation": ("non-blocking-32",),
}
# What removes a bound that is of the grid or of the program: what the verdict calls it, settings, and the share of the time that the rest
# would take on the machine as it is (of ten SMs, where six take as long).
REMEDIES = {
    "scenarios/sm/barriers": ("barriers", ("workload.skew=0",), 1),
    "grid/gemm": ("tail of CTAs", ("machine.sms=6",), 0.6),
    "grid/tail": ("tail of CTAs", ("workload.grid=10",), 1),
    "grid/imbalance": ("tail of CTAs", ("workload.more=1", "workload.n=20"), 1),
    "sm/barriers": ("barriers", ("workload.meet=0",), 1),
}


class Case:
    """A variant of a file as a scenario of its own: what it says of the machine and the work goes over what the file says."""

    def __init__(self, file, variant):
        text = open(file).read()
        self.name = os.path.join(*file.split(os.sep)[-3:])[:-len(".ini")].removeprefix("verdicts/")
        self.file, self.variant = file, variant
        self.path = f"{self.name}:{variant}"
        head, _, _ = text.partition("\n[variant ")
        self.text = head.replace("baseline = no\n", "")
        self.settings = list(settings_of(text, variant))
        self.title = next(line for line in text.splitlines() if line.startswith("title")).partition("= ")[2]

    def sets(self, more=()):
        return [word for setting in [*self.settings, *more] for word in ("--set", setting)]


def settings_of(text, variant):
    """`machine.sms=10`, of the variant's section."""
    inside = False
    for line in text.splitlines():
        if line.startswith("["):
            inside = line == f"[variant {variant}]"
        elif inside and "=" in line:
            key, _, value = line.partition("=")
            key = key.strip()
            yield f"{'scenario.extends' if key == 'extends' else key}={value.strip()}"


def variants_of(file):
    return [line[len("[variant "):line.index("]")] for line in open(file) if line.startswith("[variant ")]


def list_cases(root, words):
    own = [(file, variants_of(file)) for file in sorted(glob.glob(os.path.join(FOLDER, "*", "*.ini")))]
    shipped = [(os.path.join(root, "scenarios", name + ".ini"), variants) for name, variants in SHIPPED.items()]
    for file, variants in own + shipped:
        for case in (Case(file, variant) for variant in variants):
            if not words or any(word in case.path for word in words):
                yield case


def hash_of_sources(root):
    digest = hashlib.sha256()
    for top in ("model", "platform", "workloads"):
        for folder, children, names in sorted(os.walk(os.path.join(root, top))):
            children.sort()
            for name in sorted(names):
                if name.endswith((".c", ".h", ".ini")):
                    digest.update(open(os.path.join(folder, name), "rb").read())
    return digest.hexdigest()[:12]


def call(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Suite:
    def __init__(self, options):
        self.program, self.options = options.program, options
        self.sources = hash_of_sources(options.root)
        self.folder = os.path.join(options.work, f"running-{os.getpid()}")

    def scenario(self, case):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        file = os.path.join(self.folder, "case.ini")
        with open(file, "w") as out:
            out.write(case.text.replace("TRACE/", self.trace(case)))
        return file

    def trace(self, case):
        """The folder of the trace that a line of the case orders, "# trace: stream array_bytes=4MiB"."""
        if not case.text.startswith(ORDER):
            return ""
        recipe, *settings = case.text.partition("\n")[0].removeprefix(ORDER).split()
        folder = os.path.join(self.folder, "trace")
        call(self.program, "trace", "generate", recipe, "-o", folder, *[word for one in settings for word in ("--set", one)])
        return folder + "/"

    def study(self, file, case, design):
        """Rows of the study's table."""
        plan = os.path.join(self.folder, design)
        call(self.program, "study", "plan", file, "--design", design, "-o", plan, *case.sets())
        call(self.program, "study", "run", plan, "-q", "-j", str(self.options.j))
        table = call(self.program, "study", "export", plan, "-o", "-")
        return list(csv.DictReader(io.StringIO(table)))

    def time(self, file, case, more):
        out = os.path.join(self.folder, "run")
        call(self.program, "run", file, "-q", "-o", out, *case.sets(more))
        return json.load(open(os.path.join(out, "baseline", "result.json")))["summary"]["time_ns"]

    def perfect(self, case):
        return {row["perfect"]: number(row["time_ns"]) for row in self.study(self.scenario(case), case, "perfect")}

    def doubled(self, case):
        rows = self.study(self.scenario(case), case, "one_at_a_time")
        return {f"{row['role']}={row[row['role']]}": number(row["time_ns"]) for row in rows if row["role"] != "baseline"}

    def remedied(self, case):
        name, settings, share = REMEDIES[case.name]
        return {name: self.time(self.scenario(case), case, settings) * share}

    def kept(self, case, find):
        """What `find` says of the case, from WORK if it is there."""
        key = hashlib.sha256(json.dumps([case.text, case.settings, REMEDIES.get(case.name)]).encode()).hexdigest()[:12]
        start = os.path.join(self.options.work, f"{case.path.replace('/', '-').replace(':', '-')}-{find.__name__}-{key}")
        known = glob.glob(f"{start}-*.json") if self.options.any else glob.glob(f"{start}-{self.sources}.json")
        if known:
            return json.load(open(max(known, key=os.path.getmtime)))
        times = find(case)
        with open(f"{start}-{self.sources}.json", "w") as out:
            json.dump(times, out, indent=1)
        return times

    def truth(self, case):
        """Time in ns by what is perfect, doubled or remedied; of what could not run None."""
        times = self.kept(case, self.perfect)
        if not self.options.quick:
            times |= self.kept(case, self.doubled)
        if case.name in REMEDIES:
            times |= self.kept(case, self.remedied)
        return times

    def verdict(self, case):
        file = self.scenario(case)
        out = os.path.join(self.folder, "run")
        call(self.program, "run", file, "-q", "-o", out, *case.sets())
        return json.loads(call(self.options.verdict_of, os.path.join(out, "baseline")))[0]


def number(text):
    return float(text) if text else None


def gains_of(times):
    base = times["baseline"]
    return {name: 1 - time / base for name, time in times.items() if time is not None and name != "baseline"}


def is_rival(name, component, gains):
    if name.startswith("machine.") or name in WHOLES and name != component:
        return False
    return INCLUDED.get(name) != component or gains[component] < MOST * gains[name]


def judge(component, gains):
    """Right or not, the verdict's gain, and what gains most."""
    gain = gains.get(component)
    rivals = {name: rival for name, rival in gains.items() if is_rival(name, component, gains)}
    best = max(rivals, key=lambda name: (rivals[name], "=" not in name))
    return gain is not None and gain >= rivals[best] - CLOSE, gain, best


def percent(gain):
    return "-" if gain is None else f"{gain:.1%}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "verdict_of", "root", "work"):
        parser.add_argument(name)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--any", action="store_true", help="what is true may be of other sources")
    parser.add_argument("--quick", action="store_true", help="no doublings")
    parser.add_argument("-v", action="store_true", help="chains and gains of what is right, too")
    options = parser.parse_intermixed_args()
    os.makedirs(options.work, exist_ok=True)
    suite, right, cases = Suite(options), 0, 0
    for case in list_cases(options.root, options.cases):
        gains = gains_of(suite.truth(case))
        verdict = suite.verdict(case)
        bound = verdict["bound"]
        part = bound if bound in gains else verdict["component"] or bound
        hit, gain, best = judge(part, gains)
        right += hit
        cases += 1
        print(f"{'' if hit else 'MISS':4} {case.path:26} {verdict['bound'][:34]:34} {part:22} {percent(gain):>7}"
              f"  {best:34} {percent(gains[best]):>7}", flush=True)
        if options.v or not hit:
            print(f"       {verdict['sentence']}\n       {verdict['chain']}")
            print("       " + ", ".join(f"{name} {percent(gain)}" for name, gain in
                                        sorted(gains.items(), key=lambda one: -one[1])[:8]), flush=True)
    shutil.rmtree(suite.folder, ignore_errors=True)
    print(f"{right} of {cases}")


main()
