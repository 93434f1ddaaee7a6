#!/usr/bin/env python3
"""What folders of presets and scenarios hold is shipped: `check_shipped.py ROOT`.

Presets, scenarios and the platforms that these name are installed; docs/scenarios.md names each scenario.
"""

import os
import sys

from tree import finish, project_files, read_text

FOLDERS = ("platform", "scenarios")
PAGE = "docs/scenarios.md"


def check(root):
    complaints = []
    for path in project_files(root, ".ini", ".xml"):
        folder, name = os.path.split(path)
        if folder not in FOLDERS:
            continue
        if f"'{name}'" not in read_text(root, folder + "/meson.build"):
            complaints.append(f"{path}: {folder}/meson.build does not install it")
        stem, suffix = os.path.splitext(name)
        if folder == "scenarios" and suffix == ".ini" and f"`{stem}`" not in read_text(root, PAGE):
            complaints.append(f"{path}: {PAGE} does not name it")
    return complaints


if __name__ == "__main__":
    finish(check(sys.argv[1]))
