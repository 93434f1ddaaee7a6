#!/usr/bin/env python3
"""Tables tell the truth: `check_tables.py ROOT`.

In a unit's files every parameter of its table is read and every statistic is changed outside the
table; elsewhere a parameter is read in some file, as a field or by its "name". Every unit that meson.build lists has a page in
docs/units and a test.
"""

import re
import sys

from tree import finish, line_number, project_files, read_text

PARAM_ROW = re.compile(r"\bPARAM_(?:NUMBER|REAL|SWITCH|ONE_OF|STRING)\(\s*(\w+)\s*,\s*(\w+)\s*,")
STAT_ROW = re.compile(
    r"\bSTAT_(?:(?:NUMBER|OCCUPANCY)(?:_OVER_TIME)?|DISTRIBUTION|BREAKDOWN|TOP_LIST|HOTTEST|PER_BANK)"
    r"\(\s*(\w+)\s*,\s*(\w+)\s*,")
UNIT_LIST = re.compile(r"^units\s*=\s*\[(.*?)\]", re.MULTILINE | re.DOTALL)
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
    for match in PARAM_ROW.finditer(code):
        field = match.group(2)
        elsewhere = not unit_code and (is_read(everything, field) or field in names)
        if not is_read(unit_code or code, field) and not elsewhere:
            yield f"{path}:{line_number(code, match.start())}: nothing reads parameter {field}"
    for match in STAT_ROW.finditer(code):
        if not is_changed(unit_code or code, match.group(2)):
            yield f"{path}:{line_number(code, match.start())}: nothing changes statistic {match.group(2)}"


def list_units(root):
    listed = UNIT_LIST.search(read_text(root, "meson.build"))
    return re.findall(r"'(\w+)'", listed.group(1)) if listed else []


def code_of_unit(path, codes, units):
    """All files of the unit that a file of model/units belongs to: NAME.c and NAME_*.[ch]."""
    stem = path[len("model/units/"):].rsplit(".", 1)[0]
    owners = [unit for unit in units if stem == unit or stem.startswith(unit + "_")]
    unit = max(owners, key=len, default=stem)
    mine = re.compile(rf"model/units/{unit}(_\w+)?\.[ch]$")
    return "\n".join(code for other, code in codes.items() if mine.match(other))


def check_units(root, files):
    units = list_units(root)
    if not units:
        yield "meson.build: no list of units found"
    tests = "".join(read_text(root, path) for path in files if path.startswith("test/"))
    for unit in units:
        if f"model/units/{unit}.c" not in files:
            yield f"meson.build: unit {unit} has no model/units/{unit}.c"
        if f"docs/units/{unit}.md" not in files:
            yield f"meson.build: unit {unit} has no docs/units/{unit}.md"
        if f"test/test_{unit}.c" not in files and not re.search(rf"\b{unit}_class\b", tests):
            yield f"meson.build: unit {unit} has no test/test_{unit}.c"


def check_tests(root, files):
    listed = read_text(root, "test/meson.build")
    for path in files:
        match = re.match(r"test/(test_\w+)\.c$", path)
        if match and f"'{match[1]}'" not in listed:
            yield f"test/meson.build: {path} is not in a list of tests"


def check(root):
    files = project_files(root, ".c", ".h", ".md")
    texts = {path: read_text(root, path) for path in files
             if not path.endswith(".md") and not path.startswith("test/")}
    codes = {path: code_only(text) for path, text in texts.items()}
    everything = "\n".join(codes.values())
    names = set(re.findall(r'"(\w+)"', "\n".join(texts.values())))
    units = list_units(root)
    complaints = []
    for path, code in codes.items():
        if path.endswith(".c"):
            unit_code = code_of_unit(path, codes, units) if path.startswith("model/units/") else ""
            complaints += check_file(path, code, unit_code, everything, names)
    return complaints + list(check_units(root, files)) + list(check_tests(root, files))


if __name__ == "__main__":
    finish(check(sys.argv[1]))
