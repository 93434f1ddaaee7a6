#!/usr/bin/env python3
"""No folder is a crowd: `check_folders.py ROOT`.

A folder has at most NAMES files and folders, scenarios/ fewer, since it is what a user sees first. Tests and
the pages of units are as many as there are.
"""

import collections
import sys

from tree import finish, project_files

NAMES = 25
FEWER = {"scenarios": 11}
FREE = ("test", "docs/inside/units")


def check(root):
    names = collections.defaultdict(set)
    for path in project_files(root):
        words = path.split("/")
        for depth in range(1, len(words)):
            names["/".join(words[:depth])].add(words[depth])
    for folder, entries in sorted(names.items()):
        most = FEWER.get(folder, NAMES)
        if len(entries) > most and not (folder + "/").startswith(tuple(free + "/" for free in FREE)):
            yield f"{folder}: {len(entries)} names, at most {most}"


if __name__ == "__main__":
    finish(list(check(sys.argv[1])))
