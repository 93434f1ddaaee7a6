#!/usr/bin/env python3
"""Every shipped scenario runs on a small machine, as it did: `shipped.py ROOT PROGRAM [--write]`.

A variant of each, the first one of all but one, runs with SMS SMs and PARTITIONS partitions. Its result is whole, its stages add up to its
latency, no kernel ends before its memory operations, the bus carries no more than it can, its time, hash of all messages and what it counted
of stages and resources are those of shipped.csv, what is told of its kernels adds up, nothing is lost between units, and its resources did
what resources.py works out. A commit that means to change them says why, and writes the file anew with --write.
"""

import csv
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile

import resources
import sums

SMS, PARTITIONS = 4, 2
SMALL = ("--set", f"machine.sms={SMS}", "--set", f"machine.partitions={PARTITIONS}",
         "--set", "machine.peak_bandwidth_gbps=0")
FEW_SMS = ("--set", f"machine.sms={SMS}")  # where the arrays need the whole DRAM
WHOLE_DRAM = {"tlb"}
ALL_SMS = {"halves", "hierarchy"}  # four partitions; a platform of 8 SMs: of fewer, requests and replies share no link
FEW_BLOCKS = ("kernel warm_up.ctas=16", "kernel timed.ctas=24", "kernel warm_up.slots=8", "kernel timed.slots=8")
# ... and where something would be under way when the region of interest begins or ends, which a second count does not see.
LESS_WORK = {
    "a100-l2-bandwidth": FEW_BLOCKS,
    "a100-roofline": ("workload.rounds=2", "workload.stretch=2"),
    "blending": ("workload.layers=3",),
    "booksim": ("workload.warm_up=0 cycles",),
    "clean-ahead": ("kernel warm_up.array_bytes=5 MiB", "kernel timed.array_bytes=1 MiB"),
    "dram-load": ("workload.warm_up=0 cycles",),
    "ecc": ("kernel random.measure=no", "kernel scattered.measure=no"),
    "h100-l2-bandwidth": FEW_BLOCKS,
    "kernels": ("workload.ctas=64",),
    "l2-bandwidth": ("workload.rounds=8",),
    "mi100-stream": ("workload.array_bytes=4 MiB",),
    "network-load": ("workload.warm_up=0 cycles",),
    "stream-occupancy": ("kernel warm_up.array_bytes=2 MiB", "kernel timed.array_bytes=4 MiB"),
    "v100-roofline": ("workload.rounds=2", "workload.stretch=2"),
    "v100-stream": ("workload.array_bytes=4 MiB",),
    "write-policy": ("workload.rounds=16",),
}
# else nobody's network is SimGrid's, or a torus, or lacks a link; no partition has a memory switch, no L1 a result bus, DRAM no codes and no cache
OTHER_VARIANT = {"channels-apart": "narrow", "ecc": "inline", "flow": "flow-overtaking", "halves": "quarters", "l1-ports": "two-of-both", "links": "gone", "memory-cache": "all",
                 "register-ports": "one", "topologies": "torus"}
WRITES_AT_THE_END = {"blit", "clean-ahead", "v100-stream"}  # some write-backs have left L2 and are not in DRAM
FIELDS = ("scenario", "variant", "core_cycles", "hash", "counted")


def shipped_files(root):
    for folder, children, names in sorted(os.walk(os.path.join(root, "scenarios"))):
        children[:] = [child for child in children if child != "program"]
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".ini"))


def warpmem(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def chosen_variant(program, file):
    """The first one, or the one of OTHER_VARIANT. `check` prints "FILE: good: TITLE; VARIANT, VARIANT" among its notes."""
    line = next(line for line in warpmem(program, "check", file).splitlines() if line.startswith(file + ": good: "))
    return OTHER_VARIANT.get(os.path.basename(file)[:-len(".ini")], line.rpartition("; ")[2].split(", ")[0])


def complaints_of_ends(summary):
    for kernel in summary["kernels"]:
        if not kernel["begin_ns"] <= kernel["issue_end_ns"] <= kernel["memory_end_ns"]:
            yield f"{kernel['name']}: its memory operations have ended before its CTAs"
    dram = summary["dram"]
    if dram["bandwidth_gbps"] > dram.get("peak_gbps", math.inf):
        yield f"the bus carries {dram['bandwidth_gbps']} of {dram['peak_gbps']} GB/s"


def complaints_of_time(result):
    """Every femtosecond of every scheduler is told once: the slots' sum, and the parts that are rounded from it. Traffic has none."""
    if "traffic_latency" in result["summary"]:
        return
    time = result["time"]
    inside = [part["fs"] for part in time["parts"] if part["kind"] != "outside"]
    measured = round(result["summary"]["time_ns"] * 1e6)
    if sum(inside) != time["fs"] or time["fs"] != measured:
        yield f"{sum(inside)} fs of {time['fs']} are told, {measured} were measured"
    slots, length = sum(part["slot_fs"] for part in time["parts"]), time["fs"] + time["outside_fs"]
    if slots != time["schedulers"] * length:
        yield f"{time['schedulers']} schedulers have {slots} fs, not {length} each"


def complaints_of_energy(energy):
    """Its stages and what is at none are its events, and with power that follows time they are all of it."""
    events = sum(energy["stages"].values()) + energy["no_stage_uj"]
    units = sum(unit["uj"] for unit in energy["units"].values())
    total = energy["events_uj"] + energy["active_uj"] + energy["idle_uj"]
    for name, parts, whole in (("stages", events, energy["events_uj"]), ("units", units, energy["events_uj"]), ("parts", total, energy["total_uj"])):
        if abs(parts - whole) > 1e-9 * abs(whole):
            yield f"energy: {name} have {parts} of {whole} uJ"


def complaints_of_conservation(program, folder):
    """What one unit gives another one takes, as the report compares it."""
    report = json.loads(warpmem(program, "report", folder, "--json"))
    figures = (figure for section in report["sections"] for figure in section["figures"] if figure["topic"] == "conservation")
    for rule, check, one, other, *_ in (row for figure in figures for row in figure["rows"]):
        if check == "differs":
            yield f"{rule}: {one} are given, {other} are taken"


def complaints_of(result, seen, tally):
    if result["partial"]:
        yield "the run is partial"
    for name, stages in result["stages"].items():
        rest = stages["latency"] - sum(time for stage, time in stages.items() if stage not in ("count", "latency"))
        if rest:
            yield f"{name}: {rest} fs of the latency are in no stage"
    yield from complaints_of_ends(result["summary"])
    yield from complaints_of_time(result)
    yield from complaints_of_energy(result["consumption"])
    yield from sums.check(result)
    yield from resources.check(result, seen, tally)


def digest_of(result):
    """Of what is counted between messages, whose hash does not see it: where latency went, and how full everything was."""
    counted = json.dumps([result["stages"], result["resources"]], sort_keys=True)
    return hashlib.sha256(counted.encode()).hexdigest()[:16]


def has_study(file):
    with open(file, encoding="utf-8") as text:
        return "\n[study]" in text.read()


def run(program, file, known, seen, tally):
    """The row of shipped.csv, and what is wrong. `known` is the variant that it has there: that all of a scenario are good is asked of each
    study here, and of the others by every_variant_of_every_scenario_builds. `seen` and `tally` are those of resources.check."""
    name = os.path.basename(file)[:-len(".ini")]
    variant = known if known and not has_study(file) else chosen_variant(program, file)
    sets = [] if name in ALL_SMS else [*(FEW_SMS if name in WHOLE_DRAM else SMALL)]
    for change in LESS_WORK.get(name, ()):
        sets += ["--set", change]
    with tempfile.TemporaryDirectory() as folder:
        warpmem(program, "run", file, "-q", "--variant", variant, "-o", folder, *sets)
        with open(os.path.join(folder, variant, "result.json"), encoding="utf-8") as text:
            result = json.load(text)
        lost = [] if name in WRITES_AT_THE_END else list(complaints_of_conservation(program, folder))
    cycles = str(result["summary"].get("core_cycles", ""))
    row = dict(zip(FIELDS, (name, variant, cycles, result["hash"], digest_of(result))))
    return row, [*complaints_of(result, seen, tally), *lost]


def main(root, program, write):
    path = os.path.join(root, "test/machines/shipped.csv")
    expected, seen, tally, rows, failed = {}, set(), [], [], False
    if not write:
        with open(path, encoding="utf-8", newline="") as text:
            expected = {row["scenario"]: row for row in csv.DictReader(text)}
    for number, file in enumerate(shipped_files(root), 1):
        try:
            name = os.path.basename(file)[:-len(".ini")]
            row, complaints = run(program, file, expected.get(name, {}).get("variant"), seen, tally)
            rows.append(row)
            if not write and row != expected.pop(row["scenario"], None):
                complaints.append(f"differs from shipped.csv: {','.join(row.values())}")
        except subprocess.CalledProcessError as error:
            complaints = [error.stderr]
        failed |= bool(complaints)
        print("not " * bool(complaints) + f"ok {number} - {os.path.relpath(file, root)}", *complaints, sep="\n# ")
    if write:
        with open(path, "w", encoding="utf-8", newline="") as text:
            writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    for name in expected:
        print(f"not ok 0 - {name} of shipped.csv is not shipped")
    idle = resources.unseen(seen)
    for name in idle:
        print(f"not ok 0 - nothing has the resource {name} of resources.py")
    print(f"# {len(seen)} resources were counted {len(tally)} times, {sum(exact for _, exact in tally)} of them to the last cycle")
    return 1 if failed or expected or idle else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--write" in sys.argv[3:]))
