#!/usr/bin/env python3
"""Who may include whom: `check_layers.py ROOT`.

A layer is the first folder that matches a file's path. A quoted include is resolved as the compiler
would: beside the file, then from model/ and the root, in tests also from test/. A unit has no header
for others; one too large for a file is a folder, whose files share headers of their own.

The kit has layers of its own, one a folder, and the engine is a stack of floors: a file, .c and .h
alike, includes headers of floors below its own. Calls follow: the compiler refuses a function that
is not declared, and in the kit each file declares only functions that it, or the .c file of its name,
defines.
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
EVERYONE = {"model/parts/bits.h", "model/parts/sparse.h"}  # arithmetic and memory, no hardware
SEES_SIMGRID = ("model/kit/engine/simgrid/", "platform/", "test/")
KIT = "model/kit/"
KIT_LAYERS = ("describe", "cost", "gpu", "observe", "engine", "traffic")  # each may include itself and those before it
KIT_SEES_PARTS = ("gpu", "observe", "engine", "traffic")
ENGINE_ORDER = (
    "calendar", "grouping/group", "inbox", "outbox", "port", "boundaries", "common", "unit", "wiring", "grouping/team", "grouping/delivery", "grouping/foresight",
    "tile", "grouping/seating",
    "simgrid/outside", "simgrid/start", "simgrid/transport", "simgrid/flow", "deadlock", "simulation")
STANDARD = re.compile(r"^(sys/)?\w+\.h$")  # C and POSIX
PARTS_LIBRARIES = ("glib.h", "glib/", "sanitizer/")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^>"]+)[>"]', re.MULTILINE)

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
FUNCTION = r"^(?!static|typedef|return|else|#)[A-Za-z_][\w \t*]*?\b(\w+)\([^;{}]*\)"
DECLARED = re.compile(FUNCTION + r"(?: G_GNUC_[\w() ,]+)?;", re.MULTILINE)
DEFINED = re.compile(FUNCTION + r"\n\{", re.MULTILINE)


def layer_of(path):
    return next((layer for layer in LAYERS if path.startswith(layer + "/")), None)


def resolve(root, path, name):
    """The project file an include means, relative to the root, or None."""
    for folder in (os.path.dirname(path), "model", "", *(["test"] if layer_of(path) == "test" else [])):
        candidate = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(os.path.join(root, candidate)):
            return candidate
    return None


def judge_system(path, layer, name):
    if name.startswith(("simgrid/", "xbt/")) and not path.startswith(SEES_SIMGRID):
        return "only model/kit/engine/simgrid and platform see SimGrid"
    if layer == "model/parts" and not STANDARD.match(name) and not name.startswith(PARTS_LIBRARIES):
        return "parts use GLib and the C library only"
    return None


def is_own_unit(target, path):
    folder = os.path.dirname(path)
    return folder != "model/units" and os.path.dirname(target) == folder


def kit_place(path):
    """The folder of the kit a file is in, and its name there."""
    folder, name = path[len(KIT):].split("/", 1)
    return folder, os.path.splitext(name)[0]


def judge_kit(path, target):
    """`target` is in the kit or in parts."""
    folder, name = kit_place(path)
    if folder not in KIT_LAYERS:
        return f"{folder} is no layer of the kit"
    if not target.startswith(KIT):
        return None if folder in KIT_SEES_PARTS else f"kit/{folder} does without parts"
    target_folder, target_name = kit_place(target)
    if KIT_LAYERS.index(target_folder) > KIT_LAYERS.index(folder):
        return f"kit/{folder} may not include kit/{target_folder}"
    if folder == "engine" and name not in ENGINE_ORDER:
        return f"{name} is no floor of the engine"
    if folder == target_folder == "engine" and ENGINE_ORDER.index(target_name) > ENGINE_ORDER.index(name):
        return f"{target_name} stands above {name} in the engine"
    return None


def foreign_declarations(root, path, text):
    """Functions that a file of the kit declares and another one defines."""
    source = os.path.splitext(path)[0] + ".c"
    own = read_text(root, source) if os.path.isfile(os.path.join(root, source)) else ""
    defined = set(DEFINED.findall(COMMENT.sub("", own)))
    return [name for name in DECLARED.findall(COMMENT.sub("", text)) if name not in defined]


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
    return judge_kit(path, target) if layer == "model/kit" else None


def check(root):
    complaints = []
    for path in project_files(root, ".c", ".h", ".c.in"):
        layer = layer_of(path)
        if not layer:
            complaints.append(f"{path}: C belongs into {', '.join(LAYERS)}")
            continue
        text = read_text(root, path)
        if path.startswith(KIT):
            complaints += [f"{path}: {name}: declared here, but defined in another file"
                           for name in foreign_declarations(root, path, text)]
        for match in INCLUDE.finditer(text):
            quoted, name = match.group(1) == '"', match.group(2)
            reason = judge_own(root, path, layer, name) if quoted else judge_system(path, layer, name)
            if reason:
                complaints.append(f"{path}:{line_number(text, match.start())}: {name}: {reason}")
    return complaints


if __name__ == "__main__":
    finish(check(sys.argv[1]))
