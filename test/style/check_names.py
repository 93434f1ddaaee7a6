#!/usr/bin/env python3
"""What is called by its name exists: `check_names.py ROOT PROGRAM`.

A text in the program's C files that begins with "GROUP.NAME", "parameters.GROUP.NAME" or
"units.GROUP.total.NAME", and a `GROUP.NAME` on a page, is a parameter or a statistic that the program lists,
or a member of a result's summary: what has gone would read as nothing, not as an error. And a command or a
scenario has one row on its page.
"""

import json
import re
import subprocess
import sys

from tree import finish, line_number, project_files, read_text

TEXT = re.compile(r'/\*.*?\*/|"(?:units\.(\w+)\.total\.(\w+)|(?:parameters\.)?(\w+)\.(\w+))(?=["\s%.:=])', re.DOTALL)
QUOTED = re.compile(r"`(?:--set )?(\w+)\.(\w+)(?: ?= ?[^`]*)?`")
CELL = re.compile(r"`([\w-]+)[^`]*`")
COMMAND = re.compile(r"^  (\w+) ", re.MULTILINE)
MEMBER = re.compile(r'"(\w+)"')
FILES = {"c", "h", "md", "ini", "py", "js", "csv", "json", "svg", "html", "png", "sqlite"}
PATTERNS = {"workload", "study"}  # their keys are those of the pattern, and of other groups
SUMMARY = "scenarios/program/result/summary.c"  # what it writes is no table


def say(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def listed(program, what):
    return {word["name"] for word in json.loads(say(program, "list", what, "--json"))}


def check_text(path, text, pattern, names, members):
    """A word before a point that no name begins with is no group: a file, a sentence, a path."""
    groups = {name.split(".")[0] for name in names} - PATTERNS
    for match in pattern.finditer(text):
        group, name = [part for part in match.groups() if part] or ("", "")
        if group in groups and name not in FILES | members and f"{group}.{name}" not in names:
            yield f"{path}:{line_number(text, match.start())}: there is no {group}.{name}"


def check_rows(path, text, names):
    """Of tables the first cells."""
    seen = set()
    for number, line in enumerate(text.splitlines(), 1):
        row = names & set(CELL.findall(line.split("|")[1])) if line.startswith("|") else set()
        for name in sorted(row & seen):
            yield f"{path}:{number}: a second row of {name}"
        seen |= row


def main(root, program):
    names = listed(program, "parameters") | listed(program, "statistics")
    rows = {"docs/learn/scenarios.md": listed(program, "scenarios"),
            "docs/reference/command-line.md": set(COMMAND.findall(say(program, "--help")))}
    members = set(MEMBER.findall(read_text(root, SUMMARY)))
    complaints = []
    for path in project_files(root, ".c", ".h"):
        if path.startswith("scenarios/program/"):
            complaints += check_text(path, read_text(root, path), TEXT, names, members)
    for path in project_files(root, ".md"):
        text = read_text(root, path)
        complaints += check_text(path, text, QUOTED, names, members)
        complaints += check_rows(path, text, rows.get(path, set()))
    finish(complaints)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
