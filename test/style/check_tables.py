#!/usr/bin/env python3
"""Tables tell the truth: `check_tables.py ROOT`.

In a unit's files (NAME.c, and NAME_*.c and NAME.h beside it) every parameter of its table is read and every
statistic is changed outside the table; elsewhere a parameter is read in some file, as a field or by its "name". Every
unit that meson.build lists has a page in docs/units and a test, and every file of model/units is a unit's.
"""

import re
import sys

from tree import finish, line_number, listed_units, project_files, read_text, unit_of

PARAM_ROW = re.compile(r"\bPARAM_(?:NUMBER|REAL|SWITCH|ONE_OF|STRING)\(\s*(\w+)\s*,\s*(\w+)\s*,")
STAT_ROW = re.compile(r"\bSTAT_(?:NUMBER|OCCUPANCY|DISTRIBUTION|BREAKDOWN)\(\s*(\w+)\s*,\s*(\w+)\s*,")
LITERAL = re.compile(r'"(?:\\.|[^"\\])*"|/\*.*?\*/|//[^\n]*', re.DOTALL)


def code_only(text):
    """Comments and strings blanked, so that a name in them does not count as a use; lines stay."""
    return LITERAL.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def is_read(code, field):
    return re.search(rf"(?:->|\.)\s*{field}\b(?!\s*=[^=])", code) is not None


def is_changed(code, field):
    access = rf"(?:->|\.)\s*{field}\b(?:\s*\[[^\]]*\]|\s*(?:->|\.)\s*\w+)*"
    operators = r"\s*(?:\+\+|--|(?:[-+*/|&^]|<<|>>)?=(?!=))"
    before = rf"(?:&|\+\+|--)\s*\(?\s*\w[\w\[\]]*(?:(?:->|\.)[\w\[\]]+)*?{access}"
    return re.search(access + operators, code) is not None or re.search(before, code) is not None


def check_file(path, code, unit_code, everything, names):
    """`unit_code`: of all files of the unit whose file this is, or None."""
    own = unit_code or code
    for match in PARAM_ROW.finditer(code):
        field = match.group(2)
        if not is_read(own, field) and (unit_code or not (is_read(everything, field) or field in names)):
            yield f"{path}:{line_number(code, match.start())}: nothing reads parameter {field}"
    for match in STAT_ROW.finditer(code):
        if not is_changed(own, match.group(2)):
            yield f"{path}:{line_number(code, match.start())}: nothing changes statistic {match.group(2)}"


def check_units(root, files, units):
    if not units:
        yield "meson.build: no list of units found"
    for path in files:
        if path.startswith("model/units/") and not unit_of(path, units):
            yield f"{path}: belongs to no unit that meson.build lists"
    tests = "".join(read_text(root, path) for path in files if path.startswith("test/"))
    for unit in units:
        if f"model/units/{unit}.c" not in files:
            yield f"meson.build: unit {unit} has no model/units/{unit}.c"
        if f"docs/units/{unit}.md" not in files:
            yield f"meson.build: unit {unit} has no docs/units/{unit}.md"
        if f"test/test_{unit}.c" not in files and not re.search(rf"\b{unit}_class\b", tests):
            yield f"meson.build: unit {unit} has no test/test_{unit}.c"


def check(root):
    files = project_files(root, ".c", ".h", ".md")
    texts = {path: read_text(root, path) for path in files
             if not path.endswith(".md") and not path.startswith("test/")}
    codes = {path: code_only(text) for path, text in texts.items()}
    everything = "\n".join(codes.values())
    units = listed_units(root)
    unit_codes = {}
    for path, code in codes.items():
        unit_codes[unit_of(path, units)] = unit_codes.get(unit_of(path, units), "") + code
    unit_codes[None] = None
    names = set(re.findall(r'"(\w+)"', "\n".join(texts.values())))
    complaints = []
    for path, code in codes.items():
        if path.endswith(".c"):
            complaints += check_file(path, code, unit_codes[unit_of(path, units)], everything, names)
    return complaints + list(check_units(root, files, units))


if __name__ == "__main__":
    finish(check(sys.argv[1]))
