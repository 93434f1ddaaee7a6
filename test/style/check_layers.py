#!/usr/bin/env python3
"""Who may include whom: `check_layers.py ROOT`.

A layer is the first folder that matches a file's path. A quoted include is resolved as the compiler
would: beside the file, then from model/ and the root, in tests also from test/. A unit has no header
for others; one too large for a file is a folder, whose files share headers of their own.
"""

import os
import re
import sys

from tree import finish, line_number, project_files, read_text

LAYERS = ("model/parts", "model/kit", "model/units", "workloads", "platform", "scenarios", "test")
MAY_INCLUDE = {
    "model/parts": {"model/parts"},
    "model/kit": {"model/kit", "model/parts"},
    "model/units": {"model/kit", "model/parts"},
    "workloads": {"workloads", "model/kit"},
    "platform": {"platform", "model/kit", "model/parts"},
    "scenarios": {"scenarios", "platform", "workloads", "model/kit"},
    "test": set(LAYERS),
}
EVERYONE = {"model/parts/bits.h"}  # arithmetic, no hardware: random numbers are drawn in one way
SEES_SIMGRID = {"model/kit", "platform", "test"}
STANDARD = re.compile(r"^(sys/)?\w+\.h$")  # C and POSIX
PARTS_LIBRARIES = ("glib.h", "glib/")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^>"]+)[>"]', re.MULTILINE)


def layer_of(path):
    return next((layer for layer in LAYERS if path.startswith(layer + "/")), None)


def resolve(root, path, name):
    """The project file an include means, relative to the root, or None."""
    for folder in (os.path.dirname(path), "model", "", *(["test"] if layer_of(path) == "test" else [])):
        candidate = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(os.path.join(root, candidate)):
            return candidate
    return None


def judge_system(layer, name):
    if name.startswith(("simgrid/", "xbt/")) and layer not in SEES_SIMGRID:
        return "only model/kit and platform see SimGrid"
    if layer == "model/parts" and not STANDARD.match(name) and not name.startswith(PARTS_LIBRARIES):
        return "parts use GLib and the C library only"
    return None


def is_own_unit(target, path):
    folder = os.path.dirname(path)
    return folder != "model/units" and os.path.dirname(target) == folder


def judge_own(root, path, layer, name):
    target = resolve(root, path, name)
    if not target:
        return "no such file in model/ or the root"
    if layer == "model/units" and target.startswith("model/units/"):
        return None if is_own_unit(target, path) else "a unit never includes another unit"
    target_layer = layer_of(target)
    if target in EVERYONE:
        return None
    if target_layer not in MAY_INCLUDE[layer]:
        return f"{layer} may not include {target_layer or 'this'}"
    return None


def check(root):
    complaints = []
    for path in project_files(root, ".c", ".h", ".c.in"):
        layer = layer_of(path)
        if not layer:
            complaints.append(f"{path}: C belongs into {', '.join(LAYERS)}")
            continue
        text = read_text(root, path)
        for match in INCLUDE.finditer(text):
            quoted, name = match.group(1) == '"', match.group(2)
            reason = judge_own(root, path, layer, name) if quoted else judge_system(layer, name)
            if reason:
                complaints.append(f"{path}:{line_number(text, match.start())}: {name}: {reason}")
    return complaints


if __name__ == "__main__":
    finish(check(sys.argv[1]))
