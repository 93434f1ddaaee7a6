#!/usr/bin/env python3
"""Files, functions and lines stay small: `check_sizes.py ROOT`.

clang-format puts a function's braces, and no others, alone in the first column; so a function is
what stands between them. It leaves comments as wide as they are; a line with a text literal may be
wider than the rest. In JavaScript a function begins with the line that says so.
"""

import re
import sys

from tree import finish, project_files, read_text

FILE_LINES = 450
FUNCTION_LINES = 80
COLUMNS = 100
SCRIPT_FUNCTION = re.compile(r"(async )?function .*\{$")
TEXT = (re.compile('"'), re.compile("[\"'`]"))  # C's literals, JavaScript's


def check_functions(path, lines):
    begin = None
    for number, line in enumerate(lines, 1):
        if line == "{" or SCRIPT_FUNCTION.match(line):
            begin = number
        elif line == "}" and begin is not None:
            length = number - begin - 1
            if length > FUNCTION_LINES:
                name = lines[begin - 2 if lines[begin - 1] == "{" else begin - 1].strip()
                yield f"{path}:{begin}: {length} lines in a function, at most {FUNCTION_LINES}: {name}"
            begin = None


def check(root):
    complaints = []
    for path in project_files(root, ".c", ".h", ".js"):
        lines = read_text(root, path).splitlines()
        if len(lines) > FILE_LINES:
            complaints.append(f"{path}: {len(lines)} lines, at most {FILE_LINES}")
        complaints += check_functions(path, lines)
        complaints += [f"{path}:{number}: {len(line)} columns, at most {COLUMNS}"
                       for number, line in enumerate(lines, 1)
                       if len(line) > COLUMNS and not TEXT[path.endswith(".js")].search(line)]
    return complaints


if __name__ == "__main__":
    finish(check(sys.argv[1]))
