#!/usr/bin/env python3
"""Units that nobody has thought of are in all that is made of units: `newcomer.py PROGRAM NEWCOMER`.

The second program is the first one with two names more in the list of units and two rows of channels in place of one, twice (gate.c,
channels.c). Where it names them, their own rows have said so.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, NEWCOMER = map(os.path.abspath, sys.argv[1:3])
UNITS = ("gate", "turnstile")
HOLD = 40 + 2  # cycles of latency and wire, by default
ALL_CLOCKS = "".join(f"{domain}_clock = 1000 MHz\n" for domain in ("core", "network", "l2", "dram"))
MACHINE = f"""[scenario]
extends = v100
[machine]
sms = 2
partitions = 2
slices_per_partition = 1
peak_bandwidth_gbps = 0
{ALL_CLOCKS}[dram]
refresh = off
[workload]
"""
CHASE = MACHINE + "pattern = pointer_chase\nworking_set = 1 MiB\nloads = 300\nwarps = 1\n"
STREAM = MACHINE + "pattern = stream\noperation = read\narray_bytes = 128 KiB\n"


class Newcomer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def say(self, *arguments, program=NEWCOMER):
        return subprocess.run([program, *arguments], cwd=self.folder, capture_output=True, text=True, check=True).stdout

    def write(self, scenario):
        with open(os.path.join(self.folder, "small.ini"), "w", encoding="utf-8") as file:
            file.write(scenario)

    def run_scenario(self, scenario, *settings, program=NEWCOMER):
        """The result, and what was said of it."""
        self.write(scenario)
        words = [word for setting in settings for word in ("--set", setting)]
        said = self.say("run", "small.ini", "-o", "out", *words, program=program)
        with open(os.path.join(self.folder, "out/baseline/result.json"), encoding="utf-8") as file:
            return json.load(file), said

    def test_every_load_passes_both_and_is_later_by_what_they_take(self):
        without, _ = self.run_scenario(CHASE, program=PROGRAM)
        result, _ = self.run_scenario(CHASE)
        self.assertEqual(result["units"]["turnstile"]["total"]["passed"], 300)
        self.assertEqual(result["units"]["gate"]["total"]["passed"], 300)
        self.assertEqual(result["summary"]["transactions"], without["summary"]["transactions"])
        self.assertEqual(total_latency(result) - total_latency(without), 300 * 2 * HOLD * 10**6)
        slower, _ = self.run_scenario(CHASE, "gate.latency=70 cycles", "turnstile.wire=5 cycles")
        self.assertEqual(total_latency(slower) - total_latency(result), 300 * 33 * 10**6)

    def test_the_page_shows_what_is_in_the_file(self):
        """Blocks of docs/inside/adding-a-unit.md that are the unit's, word by word."""
        folder = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(folder, "../../docs/inside/adding-a-unit.md"), encoding="utf-8") as file:
            blocks = re.findall(r"^```c\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL)
        with open(os.path.join(folder, "gate.c"), encoding="utf-8") as file:
            source = " ".join(file.read().replace("#define A_GATE", "").split())
        own = [block for block in blocks if "Gate" in block or "gate_class =" in block]
        self.assertEqual(len(own), 6)
        for part in "\n".join(own).split("\n\n"):
            self.assertIn(" ".join(part.split()), source)

    def test_each_deployment_is_the_same(self):
        hashes = {self.run_scenario(STREAM, f"simulation.deployment={name}")[0]["hash"] for name in ("auto", "sm", "unit")}
        self.assertEqual(len(hashes), 1)

    def test_they_are_listed_and_explained(self):
        units = self.say("list", "units")
        self.assertLess(units.index("  load_store "), units.index("  turnstile "))
        self.assertLess(units.index("  turnstile "), units.index("  l1 "))
        self.assertRegex(units, r"gate +one a slice +L2 clock +at the memory +what passes between L2 slice and scheduler")
        channels = self.say("list", "channels")
        self.assertRegex(channels, r"l2_slice\.to_scheduler +gate\.in +channels\.l2_to_scheduler +gate\.queue")
        self.assertRegex(channels, r"gate\.out +access_scheduler\.from_l2 +gate\.wire +channels\.scheduler_input_queue")
        self.assertRegex(channels, r"turnstile\.out +l1\.from_load_store +turnstile\.wire +channels\.l1_input_queue")
        self.assertNotRegex(channels, r"l2_slice\.to_scheduler +access_scheduler")
        explained = self.say("explain", "gate")
        for words in ("partition[..].slice[..].gate", "how long it holds each", "l2_slice.to_scheduler",
                      "requests that found the store full"):
            self.assertIn(words, explained)

    def test_they_are_drawn(self):
        picture = self.say("show", "v100", "--picture")
        for name in UNITS:
            self.assertIn(f">{name}</text>", picture)
        self.assertIn("<title>gate.out to access_scheduler.from_l2", picture)
        self.assertIn("<title>load_store.to_l1 to turnstile.in", picture)

    def test_they_are_a_component_that_can_be_perfect(self):
        self.write(STREAM)
        component = self.say("study", "perfect", "--list", "small.ini").partition("\ngate: ")[2].partition("\n\n")[0]
        for setting in ("gate.queue >= 4096", "gate.latency = 1 cycle", "turnstile.entries >= 4096"):
            self.assertIn(f"\n  {setting}", component)

    def test_their_resources_are_listed_and_explained(self):
        resources = self.say("list", "resources")
        self.assertRegex(resources, r"gate\.store +place +gate\.entries +store of the gate")
        self.assertRegex(resources, r"gate\.exit +server +1 +exit of the gate")
        self.assertRegex(resources, r"l2_slice\.to_scheduler +place +gate\.queue")
        explained = self.say("explain", "gate.store").partition("gate.store (resource)")[2]
        for words in ("when full, what waits: in", "where it goes next: exit", "what that counts: refused"):
            self.assertIn(words, explained)

    def test_a_run_is_bound_by_a_tiny_store(self):
        _, said = self.run_scenario(STREAM, "gate.entries=1", "gate.latency=400 cycles")
        self.assertRegex(said, r"bound by gate's store \(gate\.store\): full (99|100) % of the time, 0\.99\d* of 1 requests taken")
        _, said = self.run_scenario(STREAM, "turnstile.interval=300 cycles")
        self.assertRegex(said, r"bound by exit of the gate \(turnstile\.exit\): busy \d+ % of the time")
        _, said = self.run_scenario(STREAM)
        self.assertNotRegex(said, r"bound by .*(gate|turnstile)")

    def test_their_resources_are_counted_and_shown(self):
        result, _ = self.run_scenario(STREAM, "gate.entries=2")
        gate, total = result["resources"]["gate"], result["units"]["gate"]["total"]
        self.assertEqual((gate["store"]["capacity"], gate["store"]["instances"], gate["out"]["kind"]), (2, 2, "place"))
        self.assertEqual(gate["store"]["refused"], total["refused"])
        self.assertGreater(total["refused"], 0)
        self.assertGreater(gate["store"]["full"], 0.5)
        # Little's law, and pieces x interval: an L2 cycle is 1 ns
        length = 2 * result["profile"]["series"]["span"]
        self.assertAlmostEqual(gate["store"]["mean"] * length, total["store"]["stay_fs"], delta=1e-9 * length)
        self.assertAlmostEqual(gate["exit"]["use"] * length, total["passed"] * 10**6, delta=1e-9 * length)
        self.say("report", "out", "-o", "page.html")
        with open(os.path.join(self.folder, "page.html"), encoding="utf-8") as file:
            page = file.read()
        for words in ("gate.store", "gate.exit", "exit of the gate", "gate.refused"):
            self.assertIn(f'"{words}"', page)


def total_latency(result):
    """Of all loads, in fs."""
    return sum(stages["latency"] for name, stages in result["stages"].items() if name.startswith("load_"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
