#!/usr/bin/env python3
"""docs/reference/parameters.md is what the program prints: `check_reference.py ROOT PROGRAM`."""
import subprocess
import sys

from tree import finish, read_text


def main(root, program):
    printed = subprocess.run([program, "reference"], capture_output=True, text=True, check=True).stdout
    same = read_text(root, "docs/reference/parameters.md") == printed
    finish([] if same else ["docs/reference/parameters.md: differs from `warpmem reference`; write its output there"])


main(sys.argv[1], sys.argv[2])
