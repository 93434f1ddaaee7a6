#!/usr/bin/env python3
"""Tables tell the truth: `check_tables.py ROOT`.

In a unit's files every parameter of its table is read and every statistic is changed outside the
table, or the parameter is the "unit.name" of a row of channels; elsewhere a parameter is read in some file, as a
field or by its "name". Every unit that meson.build lists has a page in
docs/inside/units and a test.
"""

import os
import re
import sys

from tree import finish, line_number, listed_units, project_files, read_text

PARAM_ROW = re.compile(r"\bPARAM_(?:NUMBER|REAL|SWITCH|ONE_OF|STRING)\(\s*(\w+)\s*,\s*(\w+)\s*,")
STAT_ROW = re.compile(
    r"\bSTAT_(?:(?:NUMBER|OCCUPANCY)(?:_OVER_TIME)?|DISTRIBUTION|BREAKDOWN|TOP_LIST|HOTTEST|PER_BANK)"
    r"\(\s*(\w+)\s*,\s*(\w+)\s*,")
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
    unit = path[len("model/units/"):].partition("/")[0].removesuffix(".c")
    for match in PARAM_ROW.finditer(code):
        field = match.group(2)
        elsewhere = f"{unit}.{field}" in names if unit_code else is_read(everything, field) or field in names
        if not is_read(unit_code or code, field) and not elsewhere:
            yield f"{path}:{line_number(code, match.start())}: nothing reads parameter {field}"
    for match in STAT_ROW.finditer(code):
        if not is_changed(unit_code or code, match.group(2)):
            yield f"{path}:{line_number(code, match.start())}: nothing changes statistic {match.group(2)}"


def code_of_unit(path, codes):
    """All code of the unit that a file of model/units belongs to: its one file, or its folder."""
    folder = os.path.dirname(path)
    if folder == "model/units":
        return codes[path]
    return "\n".join(code for other, code in codes.items() if os.path.dirname(other) == folder)


def has_test(root, unit, files):
    """A test of its own, or one that runs its class among others."""
    own = (f"test/units/{unit}.", f"test/units/{unit}/")
    return any(path.startswith(own) or path.startswith("test/") and re.search(rf"\b{unit}_class\b", read_text(root, path))
               for path in files)


def check_units(root, files):
    units = listed_units(root)
    if not units:
        yield "meson.build: no list of units found"
    for unit in units:
        if not {f"model/units/{unit}.c", f"model/units/{unit}/{unit}.c"} & set(files):
            yield f"meson.build: unit {unit} has no model/units/{unit}.c"
        if f"docs/inside/units/{unit}.md" not in files:
            yield f"meson.build: unit {unit} has no docs/inside/units/{unit}.md"
        if not has_test(root, unit, files):
            yield f"meson.build: unit {unit} has no test/units/{unit}.c"


def check_tests(root, files):
    listed = read_text(root, "test/meson.build")
    for path in files:
        folder, name = os.path.split(path[len("test/"):-len(".c")])
        row = re.search(rf"^  '{folder}': \[(.*?)\]", listed, re.MULTILINE | re.DOTALL)
        has_cases = path.startswith("test/") and path.endswith(".c") and "START_TEST" in read_text(root, path)
        if has_cases and (not row or f"'{name}'" not in row[1]):
            yield f"test/meson.build: {path} is not in a list of tests"


def check(root):
    files = project_files(root, ".c", ".h", ".md")
    texts = {path: read_text(root, path) for path in files
             if not path.endswith(".md") and not path.startswith("test/")}
    codes = {path: code_only(text) for path, text in texts.items()}
    everything = "\n".join(codes.values())
    names = set(re.findall(r'"(\w+)"', "\n".join(texts.values())))
    names.update(re.findall(r'OWN\("(\w+\.\w+)"\)', texts.get("platform/machine/channels.c", "")))
    complaints = []
    for path, code in codes.items():
        if path.endswith(".c"):
            unit_code = code_of_unit(path, codes) if path.startswith("model/units/") else ""
            complaints += check_file(path, code, unit_code, everything, names)
    return complaints + list(check_units(root, files)) + list(check_tests(root, files))


if __name__ == "__main__":
    finish(check(sys.argv[1]))
