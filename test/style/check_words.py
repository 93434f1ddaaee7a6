#!/usr/bin/env python3
"""No paths of somebody's machine, no notes to self, no stray white space: `check_words.py ROOT`."""

import re
import sys

from tree import finish, line_number, project_files, read_text

FORBIDDEN = (
    (re.compile(r"(?<![\w.}])/(?:work|home|root|Users|mnt)/\w+"), "a path of one machine"),
    (re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b"), "a note to self"),
    (re.compile(r"[ \t]+$", re.MULTILINE), "white space at the end of a line"),
    (re.compile(r"\r"), "a carriage return"),
)


def check(root):
    complaints = []
    for path in project_files(root):
        text = read_text(root, path)
        if not text:
            continue
        for pattern, what in FORBIDDEN:
            for match in pattern.finditer(text):
                place = f"{path}:{line_number(text, match.start())}"
                complaints.append(f"{place}: {what}: {match.group().strip()}".rstrip(": "))
        if not text.endswith("\n"):
            complaints.append(f"{path}: no newline at the end")
    return complaints


if __name__ == "__main__":
    finish(check(sys.argv[1]))
