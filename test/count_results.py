#!/usr/bin/env python3
"""Counts test cases in meson's JSON test logs: `count_results.py LOG...`.

A Check program writes a TAP line for each of its cases; any other test counts as one case. The last
line printed is "N passed, N failed" (", N skipped"); the exit status is 1 when something failed.
"""

import json
import os
import re
import sys

CASE = re.compile(r"\b(not )?ok \d+ - ")
GOOD = ("OK", "EXPECTEDFAIL")


def count_test(entry):
    """(passed, failed, skipped) of one test."""
    if entry["result"] == "SKIP":
        return 0, 0, 1
    verdicts = [bool(match.group(1)) for match in CASE.finditer(entry.get("stdout") or "")]
    failed = sum(verdicts)
    passed = len(verdicts) - failed
    if entry["result"] in GOOD:
        return (passed, failed, 0) if verdicts else (1, 0, 0)
    return passed, max(failed, 1), 0


def main(logs):
    totals = [0, 0, 0]
    for log in logs:
        if not os.path.exists(log) or not os.path.getsize(log):
            print(f"no test results in {log}")
            totals[1] += 1
            continue
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                entry = json.loads(line)
                counts = count_test(entry)
                totals = [total + count for total, count in zip(totals, counts)]
                if counts[1]:
                    print(f"{entry['name']}: {entry['result']}")
    passed, failed, skipped = totals
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
