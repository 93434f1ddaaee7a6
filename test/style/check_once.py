#!/usr/bin/env python3
"""What is done in one place stays there: `check_once.py ROOT`.

Each row names what is done, how the code shows it, and the one place where it is done, or None for nowhere; tests
compare with code of their own.
"""

import re
import sys

from tree import finish, line_number, project_files, read_text

ONCE = (
    ("splitmix64 and its constants", r"(?i)9e3779b97f4a7c15|bf58476d1ce4e5b9|94d049bb133111eb", "model/parts/bits.h"),
    ("the shortest decimal", r"%%\.%d[efg]|%\.17g|%\.\*g", "model/kit/describe/decimal.c"),
    ("numbers read from text", r"\bstrtod\b|g_ascii_strtod", "model/kit/describe/decimal.c"),
    ("a file that appears whole", r"g_rename|mkstemp|\.XXXXXX", "model/kit/describe/output_file.c"),
    ("a pointer written as one of another type", r"\*\*\)&", None),
)


def check(root):
    complaints = []
    for path in project_files(root, ".c", ".h"):
        if path.startswith("test/"):
            continue
        text = read_text(root, path)
        for what, pattern, place in ONCE:
            for match in re.finditer(pattern, text) if path != place else ():
                complaints.append(f"{path}:{line_number(text, match.start())}: {match.group()}: {what}: {f'only in {place}' if place else 'nowhere'}")
    return complaints


if __name__ == "__main__":
    finish(check(sys.argv[1]))
