#!/usr/bin/env python3
"""The commands that the documentation shows work: `check_commands.py ROOT PROGRAM`.

Lines in ```sh blocks that start with ./run.sh are run in order, each page in an empty folder that
has the project's files in it as links, so that what they write goes nowhere. Blocks of commands
that take long or need something special are marked ```console instead. Scenarios that many pages run move fewer bytes.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile

from tree import finish, project_files, read_text

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
SECONDS = 120
# Of the 35 us of the whole one 14, since a page looks at the tenth; of the others a variant, all of which are run elsewhere.
LESS_WORK = {"quickstart": ["--set", "workload.array_bytes=4 MiB"],
             "links": ["--variant", "half"],
             "oversubscription": ["--variant", "more-dram"]}


def commands_of(text):
    """The ./run.sh lines of a page, continuation lines joined, comments cut off."""
    for block in BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("./run.sh"):
                yield shlex.split(line, comments=True)[1:]


def arguments_of(words):
    words = words or ["run", "scenarios/quickstart.ini"]
    simulates = words[0] in ("run", "timeline")
    scenario = os.path.basename(words[1]).removesuffix(".ini") if simulates else None
    return words + LESS_WORK.get(scenario, [])


def run_page(root, program, page, commands):
    with tempfile.TemporaryDirectory() as folder:
        for name in os.listdir(root):
            if not name.startswith(("build", "results")):
                os.symlink(os.path.abspath(os.path.join(root, name)), os.path.join(folder, name))
        for words in commands:
            try:
                result = subprocess.run([program, *arguments_of(words)], cwd=folder, capture_output=True,
                                        text=True, timeout=SECONDS, check=False)
            except subprocess.TimeoutExpired:
                yield f"{page}: ./run.sh {shlex.join(words)}: takes more than {SECONDS} s"
                continue
            if result.returncode:
                yield f"{page}: ./run.sh {shlex.join(words)}: status {result.returncode}: {result.stderr}"


def main(root, program):
    complaints = []
    for page in project_files(root, ".md"):
        commands = list(commands_of(read_text(root, page)))
        complaints += run_page(root, os.path.abspath(program), page, commands) if commands else []
    finish(complaints)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
