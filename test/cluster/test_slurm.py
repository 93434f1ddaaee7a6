#!/usr/bin/env python3
"""A study on a real Slurm of two nodes: `test_slurm.py PROGRAM`. One of them is taken down while it
works. Exit status 77 (skipped) where Slurm is not installed.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

from loopback_slurm import LoopbackSlurm, missing_programs

SKIPPED = 77
SHARDS = 4
POINTS = 40
# Points of some tenths of a second: long enough for a node to go down in the midst of them.
SCENARIO = """
[scenario]
title = A study on two nodes
extends = v100

[machine]
sms = 2
partitions = 2
peak_bandwidth_gbps = 0

[workload]
pattern = pointer_chase
working_set = 256 KiB

[study]
workload.loads = 8000 .. 15800 step 200
"""


class Study:
    """A planned study in a folder, and the program that runs it."""

    def __init__(self, program, folder, name, environment=None):
        self.program, self.environment = program, environment
        self.scenario = os.path.join(folder, "scenario.ini")
        self.directory = os.path.join(folder, name)
        with open(self.scenario, "w", encoding="utf-8") as file:
            file.write(SCENARIO)
        self.call("plan", self.scenario, "-o", self.directory)

    def call(self, verb, *arguments):
        result = subprocess.run([self.program, "study", verb, *arguments], env=self.environment,
                                capture_output=True, text=True, check=False)
        if result.returncode:
            raise AssertionError(f"study {verb} {arguments}: {result.returncode}: {result.stderr}")
        return result.stdout

    def export(self):
        return (self.call("export", self.directory, "--format", "csv")
                + self.call("export", self.directory, "--format", "json"))

    def done(self):
        return json.loads(self.call("status", self.directory, "--json"))["done"]


class Report:
    """TAP lines, one a claim."""

    def __init__(self):
        self.number, self.failed = 0, 0

    def check(self, claim, holds, seen=""):
        self.number += 1
        self.failed += not holds
        print(f"{'' if holds else 'not '}ok {self.number} - {claim}" + ("" if holds else f": {seen}"),
              flush=True)


def is_queued(slurm):
    return bool(slurm.call("squeue", "--noheader"))


def hurry(slurm):
    """Jobs that are queued again wait two minutes; they need not here."""
    for line in slurm.call("squeue", "--noheader", "--array", "--format=%i %T %r").splitlines():
        job, state, reason = line.split(maxsplit=2)
        if state == "PENDING" and "Dependency" not in reason:
            subprocess.run(["scontrol", "update", f"jobid={job}", "starttime=now"],
                           env=slurm.environment, check=False, capture_output=True)


def wait_for_jobs(slurm, seconds):
    end = time.monotonic() + seconds
    while is_queued(slurm):
        if time.monotonic() > end:
            raise TimeoutError("jobs are still queued:\n" + slurm.call("squeue"))
        hurry(slurm)
        time.sleep(0.5)


def nodes_at_work(slurm):
    return set(slurm.call("squeue", "--noheader", "--states=RUNNING", "--format=%N").split())


def run_on_cluster(report, slurm, study):
    said = study.call("run", study.directory, "--slurm", "--shards", str(SHARDS), "-j", "1",
                      "--partition", "loopback", "--time", "10", "--account", "physics",
                      "--sbatch=--comment=two words")
    report.check("it says which jobs were submitted", "Slurm job" in said and "merges" in said, said)
    slurm.wait(lambda: study.done() >= 2 and len(nodes_at_work(slurm)) == 2, "both nodes work", 60)
    status = study.call("status", study.directory)
    report.check("status knows the jobs without accounting", "RUNNING" in status, status)
    shown = slurm.call("scontrol", "show", "job")
    passed_on = all(text in shown for text in ("Account=physics", "TimeLimit=00:10:00", "Partition=loopback",
                                               "Comment=two words"))
    report.check("partition, time, account and other options are passed on", passed_on, shown)
    slurm.take_down("n1")
    slurm.call("scontrol", "update", "nodename=n1", "state=down", "reason=test")
    seen = study.done()
    report.check("a node was taken down before the study was done", seen < POINTS, f"{seen} done")
    wait_for_jobs(slurm, 240)
    requeued = [line for line in slurm.call("scontrol", "show", "job").split() if line.startswith("Restarts=")]
    report.check("what ran on that node was queued again", any(r != "Restarts=0" for r in requeued), requeued)
    database = os.path.join(study.directory, "study.sqlite")
    report.check("the merge ran behind the shards", os.path.exists(database), os.listdir(study.directory))
    report.check("every point is done", study.done() == POINTS, study.call("status", study.directory))
    again = study.call("run", study.directory, "--slurm", "--shards", str(SHARDS))
    report.check("submitting again has nothing to submit", "nothing to submit" in again, again)


def main(program):
    missing = missing_programs()
    if missing:
        print(f"skipped: Slurm is not installed, there is no {', '.join(missing)}; "
              "Debian's packages are slurm-wlm and munge")
        return SKIPPED
    report = Report()
    with tempfile.TemporaryDirectory(prefix="warpmem-slurm-") as folder:
        alone = Study(program, folder, "alone")
        alone.call("run", alone.directory, "--quiet")
        with tempfile.TemporaryDirectory(prefix="slurm-") as inside:
            with LoopbackSlurm(inside, nodes=2, cpus=2) as slurm:
                study = Study(program, folder, "cluster", slurm.environment)
                run_on_cluster(report, slurm, study)
        report.check("the export is that of an undisturbed run", study.export() == alone.export())
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
