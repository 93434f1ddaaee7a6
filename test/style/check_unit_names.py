#!/usr/bin/env python3
"""A unit says everything about itself, and so nobody else names what it has: `check_unit_names.py ROOT`.

A text in C that begins with "UNIT.NAME" (a parameter, a statistic, a port or a resource of the unit's tables), "units.UNIT.total.NAME" or
"parameters.UNIT.NAME", or UNIT and NAME as two texts side by side, stands in the unit's own file or folder, in a test, or in the one
table of channels. Who wants to know of units asks their classes: tables of rows, and the roles in them.
"""

import re
import sys

from tree import finish, line_number, listed_units, project_files, read_text

SEARCHED = ("model/", "platform/", "workloads/", "scenarios/program/")
CHANNELS = "platform/machine/channels.c"
ROW = re.compile(r"\b(?:PARAM|STAT|PORT|RESOURCE)_\w+\(\s*\w+\s*,\s*([\w#]+)\s*[,)]")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SPLIT = re.compile(r'(?<!\\)"\s+"')  # one text in two pieces
TEXT = re.compile(r'"(?:%s|units\.|parameters\.)?(\w+)(?:\.total)?(?:\.|",\s*")(\w+)')


def own_files(unit, files):
    return [path for path in files if path.startswith((f"model/units/{unit}.", f"model/units/{unit}/"))]


def names_of(root, paths):
    """Of the rows of a unit, as a pattern; a macro's row has `name##_units`."""
    fields = {field for path in paths for field in ROW.findall(COMMENT.sub("", read_text(root, path)))}
    return re.compile("|".join(re.sub(r"\w+##|##\w+", r"\\w+", field) for field in sorted(fields)) or "(?!)")


def check_file(path, text, units):
    code = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    code = SPLIT.sub(lambda match: "\n" * match.group().count("\n"), code)
    for match in TEXT.finditer(code):
        unit, name = match.groups()
        if unit in units and path not in units[unit][0] and units[unit][1].fullmatch(name):
            yield f"{path}:{line_number(code, match.start())}: {unit}.{name} belongs into the unit's own rows"


def check(root):
    files = project_files(root, ".c", ".h")
    paths = {unit: own_files(unit, files) for unit in listed_units(root)}
    units = {unit: (own, names_of(root, own)) for unit, own in paths.items()}
    return [complaint for path in files if path.startswith(SEARCHED) and path != CHANNELS
            for complaint in check_file(path, read_text(root, path), units)]


if __name__ == "__main__":
    finish(check(sys.argv[1]))
