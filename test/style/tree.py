"""What the style checks share: which files belong to the project, and how a check reports."""

import os
import re
import sys

UNIT_LIST = re.compile(r"^units\s*=\s*\[(.*?)\]", re.MULTILINE | re.DOTALL)
FOLDERS = ("model", "platform", "workloads", "scenarios", "test", "docs", ".ci")


def project_files(root, *suffixes):
    """Paths relative to `root` of the project's own files, sorted; build folders and results are no part of it."""
    found = [name for name in os.listdir(root)
             if name != ".git" and os.path.isfile(os.path.join(root, name))]  # a file in a worktree
    for folder in FOLDERS:
        for parent, children, names in os.walk(os.path.join(root, folder)):
            children[:] = [child for child in children if child not in ("__pycache__", "node_modules")]
            found += [os.path.relpath(os.path.join(parent, name), root) for name in names]
    return sorted(path for path in found if not suffixes or path.endswith(suffixes))


def read_text(root, path):
    """The file's text, or None for a binary one."""
    with open(os.path.join(root, path), "rb") as file:
        data = file.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def listed_units(root):
    """The names of meson.build's list `units`."""
    listed = UNIT_LIST.search(read_text(root, "meson.build"))
    return re.findall(r"'(\w+)'", listed.group(1)) if listed else []


def line_number(text, position):
    return text.count("\n", 0, position) + 1


def finish(complaints):
    """Prints the complaints, one a line, and exits."""
    for complaint in complaints:
        print(complaint)
    sys.exit(1 if complaints else 0)
