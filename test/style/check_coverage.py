#!/usr/bin/env python3
"""What test/coverage.md and test/peaks.md name exists: `check_coverage.py ROOT`.

Each row of the first names scenarios of scenarios/ in the last column but one and tests (START_TEST) in the last one,
each row of the second a test program and tests of it.
"""

import os
import re
import sys

from tree import finish, project_files, read_text

PAGE = "test/coverage.md"
PEAKS = "test/peaks.md"
TEST = re.compile(r"\bSTART_TEST\(\s*(\w+)\s*\)")
NAME = re.compile(r"`([^`]+)`")


def rows_of(text):
    """The cells of each row of the table, without its head."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0]:
            yield cells


def check(root):
    complaints = []
    tests = set()
    shipped = {os.path.basename(path)[:-len(".ini")] for path in project_files(root, ".ini")
               if path.startswith("scenarios/")}
    for path in project_files(root, ".c"):
        tests.update(TEST.findall(read_text(root, path)))
    for cells in rows_of(read_text(root, PAGE)):
        scenarios, named = NAME.findall(cells[-2]), NAME.findall(cells[-1])
        if not scenarios or not named:
            complaints.append(f"{PAGE}: {cells[0]}: no scenario or no test")
        for name in scenarios:
            if name not in shipped:
                complaints.append(f"{PAGE}: {cells[0]}: there is no scenario {name}")
        for name in named:
            if name not in tests:
                complaints.append(f"{PAGE}: {cells[0]}: there is no test {name}")
    return complaints + list(check_peaks(root))


def check_peaks(root):
    files = project_files(root, ".c", ".md")
    for cells in rows_of(read_text(root, PEAKS)) if PEAKS in files else []:
        program = f"test/{cells[-2]}.c"
        tests = TEST.findall(read_text(root, program)) if program in files else []
        for name in NAME.findall(cells[-1]):
            if name not in tests:
                yield f"{PEAKS}: {cells[0]}: there is no test {name} in {program}"


if __name__ == "__main__":
    finish(check(sys.argv[1]))
