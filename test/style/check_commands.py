#!/usr/bin/env python3
"""The commands that the documentation shows work: `check_commands.py ROOT PROGRAM`.

Lines in ```sh blocks that start with ./run.sh are run in order, each page in an empty folder that
has the project's files in it as links, so that what they write goes nowhere. The user's cache is not asked: it has
answers of earlier builds. Blocks of commands that take long or need something special are marked ```console instead.
Scenarios that many pages run move fewer bytes.

A ```text block right behind a ```sh block has lines that its last command prints, in their order; "..." stands for what is
left out, lines or a part of one. So has one that names its command, as in ```text ./run.sh explain l1; that is run as it is,
once for all pages.
"""

import contextlib
import os
import re
import shlex
import subprocess
import sys
import tempfile

from tree import finish, project_files, read_text

BLOCK = re.compile(r"^```(sh|text)(?: (\./run\.sh[^\n]*))?\n(.*?)^```", re.MULTILINE | re.DOTALL)
SECONDS = 600
# A tenth of a machine takes as long with a tenth of the work. Of others a variant, all of which are run elsewhere.
LESS_WORK = {"quickstart": ["--set", "machine.sms=8", "--set", "machine.partitions=3", "--set", "machine.peak_bandwidth_gbps=0",
                            "--set", "workload.array_bytes=400 KiB"],
             "channels-apart": ["--set", "kernel stream.array_bytes=256 KiB", "--set", "kernel random.iterations=1"],
             "gcn-ring": ["--set", "kernel timed.rounds=2"],
             "links": ["--variant", "half"],
             "oversubscription": ["--variant", "more-dram"],
             "request-coalescer": ["--set", "workload.kib=48"],
             "study-grid": ["--set", "workload.array_bytes=64 KiB"],
             "topologies": ["--set", "workload.n=1"]}


def commands_of(text):
    """The ./run.sh lines of a block, continuation lines joined, comments cut off."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("./run.sh"):
            yield shlex.split(line, comments=True)[1:]


def arguments_of(words):
    words = words or ["run", "scenarios/quickstart.ini"]
    verbs = 2 if words[0] == "study" else 1
    simulates = words[0] in ("run", "timeline") or words[:2] == ["study", "plan"]
    scenario = os.path.basename(words[verbs]).removesuffix(".ini") if simulates else None
    return words + LESS_WORK.get(scenario, [])


def steps_of(text):
    """[words, quoted] of each command of a page's ```sh blocks, in order; `quoted` is what the page says that it prints."""
    steps, end = [], 0
    for block in BLOCK.finditer(text):
        kind, named, inside = block.groups()
        if kind == "sh":
            steps += [[words, ""] for words in commands_of(inside)]
        elif steps and end and not named and not text[end:block.start()].strip():
            steps[-1][1] = inside
        end = block.end() if kind == "sh" else 0
    return steps


def named_of(text):
    """(command, quoted) of each ```text block that names its command."""
    return [(named, inside) for kind, named, inside in BLOCK.findall(text) if kind == "text" and named]


def not_printed(quoted, printed):
    """The first line of `quoted` that does not come behind those before it in `printed`."""
    rest = iter([line.rstrip() for line in printed.splitlines()])
    for line in quoted.splitlines():
        parts = [re.escape(part) for part in re.split(r" *\.\.\.", line.rstrip())]
        wanted = re.compile(".*".join(parts))
        if line.strip(" .") and not any(wanted.fullmatch(each) for each in rest):
            return line
    return ""


def run(program, folder, words, arguments, quotations):
    """Runs `words` with `arguments`, and complains of it at the page of each of the `quotations`, (page, quoted)."""
    shown = f"./run.sh {shlex.join(words)}"
    environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(folder, "cache")}
    try:
        result = subprocess.run([program, *arguments], cwd=folder, env=environment, capture_output=True, text=True,
                                timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        yield f"{quotations[0][0]}: {shown}: takes more than {SECONDS} s"
        return
    if result.returncode:
        yield f"{quotations[0][0]}: {shown}: status {result.returncode}: {result.stderr}"
    for page, quoted in quotations:
        line = not_printed(quoted, result.stdout)
        if line:
            yield f"{page}: {shown} does not print, there: {line}"


@contextlib.contextmanager
def project_folder(root):
    """An empty folder with the project's files in it as links."""
    with tempfile.TemporaryDirectory() as folder:
        for name in os.listdir(root):
            if not name.startswith(("build", "results")):
                os.symlink(os.path.abspath(os.path.join(root, name)), os.path.join(folder, name))
        yield folder


def main(root, program):
    complaints, named = [], {}
    program = os.path.abspath(program)
    for page in project_files(root, ".md"):
        text = read_text(root, page)
        for command, quoted in named_of(text):
            named.setdefault(command, []).append((page, quoted))
        with project_folder(root) as folder:
            for words, quoted in steps_of(text):
                complaints += run(program, folder, words, arguments_of(words), [(page, quoted)])
    for command, quotations in named.items():
        words = shlex.split(command)[1:]
        with project_folder(root) as folder:
            complaints += run(program, folder, words, words, quotations)
    finish(complaints)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
