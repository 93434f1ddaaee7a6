#!/usr/bin/env python3
"""Every C file looks as .clang-format says: `check_format.py ROOT`."""

import os
import shutil
import subprocess
import sys

from tree import finish, project_files

SKIPPED = 77


def main(root):
    if not shutil.which("clang-format"):
        print("clang-format is not installed")
        sys.exit(SKIPPED)
    files = [os.path.join(root, path) for path in project_files(root, ".c", ".h")]
    result = subprocess.run(["clang-format", "--dry-run", "-Werror", "--style=file", *files],
                            capture_output=True, text=True, check=False)
    first = {}
    for line in result.stderr.splitlines():
        if ": error:" in line:
            first.setdefault(line.split(":")[0], line)
    finish(list(first.values()) or ([result.stderr] if result.returncode else []))


if __name__ == "__main__":
    main(sys.argv[1])
