#!/usr/bin/env python3
"""A shipped scenario is found by its name alone, which no preset has, and docs/learn/scenarios.md has it: `check_shipped.py ROOT`."""

import os
import sys

from tree import finish, project_files, read_text

PAGE = "docs/learn/scenarios.md"


def check(root):
    complaints, known = [], {}
    presets = {os.path.basename(path) for path in project_files(root, ".ini") if path.startswith("platform/presets/")}
    for path in project_files(root, ".ini"):
        if not path.startswith("scenarios/"):
            continue
        stem = os.path.basename(path)[:-len(".ini")]
        if stem in known:
            complaints.append(f"{path}: {known[stem]} has the same name")
        known[stem] = path
        if os.path.basename(path) in presets:
            complaints.append(f"{path}: a preset has the same name")
        if path.count("/") > 2:
            complaints.append(f"{path}: scenarios are searched for in scenarios/ and its folders, not below them")
        if f"`{stem}`" not in read_text(root, PAGE):
            complaints.append(f"{path}: {PAGE} does not name it")
    return complaints


if __name__ == "__main__":
    finish(check(sys.argv[1]))
