#!/usr/bin/env python3
"""Pages can be rendered: `check_pages.py ROOT`.

Every ``` block is closed, every table has its line of dashes, and every
relative link leads to a file, with a #part to a heading of that page. Pages
of docs/inside name what exists: each `function()` is defined in the C file
that is linked last before it, and each `folder/file` (or pattern of files) is
in the tree.
"""

import glob
import os
import re
import sys

from tree import FOLDERS, finish, project_files, read_text

LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
DASHES = re.compile(r"\|(?:\s*:?-+:?\s*\|)+$")
SOURCE = re.compile(r"\]\(([^)#:\s]+\.[ch])\)|`(\w+)\(\)`")
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[^\s`]*)`")


def check_blocks(path, lines):
    """Complaints, and at the end the lines outside blocks with their numbers."""
    begun, outside = 0, []
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            if begun and line.rstrip() != "```":
                yield f"{path}:{begun}: this block is not closed before line {number}"
            begun = 0 if begun and line.rstrip() == "```" else number
        elif not begun:
            outside.append((number, line))
    if begun:
        yield f"{path}:{begun}: this block is not closed"
    yield outside


def check_tables(path, outside):
    before = 0
    for (number, line), (_, below) in zip(outside, outside[1:] + [(0, "")]):
        first = line.startswith("|") and number != before + 1
        if first and not DASHES.match(below.rstrip()):
            yield f"{path}:{number}: the first line of a table, and no dashes below it"
        if line.startswith("|"):
            before = number


def headings_of(text):
    """The #parts of a page: its headings in lower case, without signs, spaces as dashes."""
    titles = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    plain = [re.sub(r"[^\w -]", "", re.sub(r"\]\([^)]*\)", "", title)) for title in titles]
    return {title.strip().lower().replace(" ", "-") for title in plain}


def check_links(root, path, outside):
    for number, line in outside:
        for target, part in LINK.findall(line):
            page = os.path.join(os.path.dirname(path), target) if target else path
            if not os.path.exists(os.path.join(root, page)):
                yield f"{path}:{number}: {target}: there is no such file"
            elif part and page.endswith(".md") and part not in headings_of(read_text(root, page)):
                yield f"{path}:{number}: {page} has no heading #{part}"


def defines(code, function):
    """A function's head begins at the start of a line and is no declaration."""
    return re.search(rf"^[A-Za-z_][^;={{}}()]*\b{function}\([^;{{}}]*\)\s*\{{", code, re.MULTILINE) is not None


def check_functions(root, path, outside):
    source = ""
    for number, line in outside:
        for link, function in SOURCE.findall(line):
            if link:
                source = os.path.normpath(os.path.join(os.path.dirname(path), link))
            elif not source:
                yield f"{path}:{number}: {function}(): no C file is linked before it"
            elif os.path.exists(os.path.join(root, source)) and not defines(read_text(root, source), function):
                yield f"{path}:{number}: {function}() is not in {source}"


def check_paths(root, path, outside):
    for number, line in outside:
        for target in PATH.findall(line):
            if not re.search("[A-Z]{2}", target) and not glob.glob(os.path.join(root, target)):
                yield f"{path}:{number}: {target}: there is no such file"


def check(root):
    for path in project_files(root, ".md"):
        *complaints, outside = check_blocks(path, read_text(root, path).splitlines())
        yield from complaints
        yield from check_tables(path, outside)
        yield from check_links(root, path, outside)
        if path.startswith("docs/inside/"):
            yield from check_functions(root, path, outside)
            yield from check_paths(root, path, outside)


if __name__ == "__main__":
    finish(list(check(sys.argv[1])))
