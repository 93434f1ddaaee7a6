#!/usr/bin/env python3
"""The reference has what the program lists: `check_reference.py REFERENCE PROGRAM`.

REFERENCE is the page that the build has made. Each parameter and statistic is a row below the title of its
group, unit or pattern, each class of requests, stage and result a row of its table.
"""

import json
import re
import subprocess
import sys

from tree import finish

TITLE = re.compile(r"^###? (?:`\[?(?:pattern = )?(\w+)\]?`|(\w+))")
ROW = re.compile(r"^\| `([^`]+)` \|")


def names_of(text):
    """GROUP.NAME of each row of the page; the group of stages and results is the word of their title."""
    names, group = set(), ""
    for line in text.splitlines():
        title, row = TITLE.match(line), ROW.match(line)
        if title:
            group = title.group(1) or title.group(2).lower()
        elif row:
            names.add(f"{group}.{row.group(1)}")
    return names


def listed(program, what):
    output = subprocess.run([program, "list", what, "--json"], capture_output=True, text=True, check=True).stdout
    return [word["name"] for word in json.loads(output)]


def main(reference, program):
    with open(reference, encoding="utf-8") as file:
        names = names_of(file.read())
    wanted = listed(program, "parameters") + listed(program, "statistics")
    for what in ("classes", "stages", "results"):
        wanted += [f"{what}.{name}" for name in listed(program, what)]
    finish([f"{reference}: {name} is missing" for name in wanted if name not in names])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
