#!/usr/bin/env python3
"""The style checks find what they look for, and nothing in a clean tree."""

import os
import sys
import tempfile
import unittest

sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.path.dirname(__file__), "..")]

import check_commands
import check_coverage
import check_folders
import check_layers
import check_names
import check_once
import check_pages
import check_shipped
import check_sizes
import check_tables
import check_unit_names
import check_words
import count_results

UNIT = """#include "kit/engine/unit.h"

static const Param params[] = {
    PARAM_NUMBER(Gate, width, PARAM_COUNT, "1", 1, 8, "lanes->width"),
    PARAM_END,
};
static const Stat stats[] = {
    STAT_NUMBER(Gate, passed, STAT_COUNT, NULL, "passed"),
    STAT_OCCUPANCY(Gate, waiting, NULL, "waiting"),
    STAT_END,
};

static void step(Unit *unit, Time now)
{
    Gate *gate = (Gate *)unit;
    gate->passed += gate->width;
    level_enter(&gate->waiting, now);
}
"""

CLEAN = {
    "meson.build": "units = ['gate']\n",
    "model/kit/engine/unit.h": "#include <glib.h>\n",
    "model/kit/engine/simgrid/start.h": "#include <simgrid/engine.h>\n",
    "model/parts/ring.h": "#include <glib.h>\n#include <stdint.h>\n",
    "model/units/gate.c": UNIT,
    "docs/inside/units/gate.md": "# gate\n",
    "test/meson.build": "programs = {\n  'units': ['gate'],\n}\n",
    "test/units/gate.c": '#include "parts/ring.h"\n',
}


class Checks(unittest.TestCase):
    def complaints(self, check, changes):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**CLEAN, **changes}.items():
                if text is not None:
                    os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                        file.write(text)
            return "\n".join(check.check(root))

    def test_a_clean_tree_passes(self):
        for check in (check_layers, check_once, check_pages, check_tables, check_sizes, check_words):
            self.assertEqual(self.complaints(check, {}), "")

    def test_pages_can_be_rendered(self):
        table = "| a | b |\n|---|---:|\n| 1 | 2 |\n| 3 | 4 |\n"
        for page, reason in (
                (f"# A\n\n{table}\n```sh\n| no table\n```\n\n[gate](inside/units/gate.md#gate)\n", ""),
                ("```sh\nls\n\ntext\n\n```ini\na = 1\n```\n", "a.md:1: this block is not closed before line 6"),
                ("text\n\n```sh\nls\n", "a.md:3: this block is not closed"),
                ("text\n\n| a | b |\n| 1 | 2 |\n", "a.md:3: the first line of a table"),
                (table + "\n| a |\n", "a.md:6: the first line of a table"),
                ("# A `gate`, twice\n\n[A](#a-gate-twice) [A](a.md#a-gate-twice)\n", ""),
                ("# A\n\n[b](#b)\n", "a.md:3: docs/a.md has no heading #b"),
                ("[b](b.md) and [c](https://example.org)\n", "a.md:1: b.md: there is no such file")):
            found = self.complaints(check_pages, {"docs/a.md": page})
            self.assertIn(reason, found)
            self.assertEqual(len(found.splitlines()), 1 if reason else 0)

    def test_pages_of_what_is_inside_name_what_exists(self):
        gate = "[gate](../../model/units/gate.c)"
        for page, reason in (
                (f"{gate}: `step()`\nand `model/units/gate.c`, `model/*/gate.c`\n", ""),
                (f"{gate}: `step()`, `stop()`\n", "a.md:1: stop() is not in model/units/gate.c"),
                (f"{gate}: `level_enter()`\n", "a.md:1: level_enter() is not in"),
                (f"`step()` {gate}\n", "a.md:1: step(): no C file is linked before it"),
                ("`model/units/gates.c`\n", "a.md:1: model/units/gates.c: there is no such file")):
            found = self.complaints(check_pages, {"docs/inside/a.md": page})
            self.assertIn(reason, found)
            self.assertEqual(len(found.splitlines()), 1 if reason else 0)

    def test_layers_are_kept(self):
        for path, line, reason in (
                ("model/units/gate.c", '#include "units/sm.c"', "never includes another unit"),
                ("model/units/gate.c", "#include <simgrid/engine.h>", "see SimGrid"),
                ("scenarios/main.c", "#  include <simgrid/host.h>", "see SimGrid"),
                ("model/units/gate.c", '#include "platform/machine.h"', "may not include platform"),
                ("model/parts/ring.h", '#include "kit/engine/unit.h"', "may not include model/kit"),
                ("model/parts/ring.h", "#include <json-glib/json-glib.h>", "GLib and the C library"),
                ("workloads/chase.c", '#include "kit/none.h"', "no such file"),
                ("docs/example.c", "int x;", "C belongs into")):
            files = {"model/units/sm.c": "int sm;\n", "platform/machine.h": "\n", path: line + "\n"}
            self.assertIn(reason, self.complaints(check_layers, files), line)

    def test_what_every_layer_may_use_is_named(self):
        files = {"model/parts/bits.h": "\n", "workloads/chase.c": '#include "parts/bits.h"\n'}
        self.assertEqual(self.complaints(check_layers, files), "")
        files["workloads/chase.c"] = '#include "parts/ring.h"\n'
        self.assertIn("may not include model/parts", self.complaints(check_layers, files))

    def test_what_is_done_twice_is_found(self):
        for line, place in (("x * UINT64_C(0x9E3779B97F4A7C15)", "model/parts/bits.h"),
                            ('g_snprintf(text, 8, "%.17g", x)', "model/kit/describe/decimal.c"),
                            ("x = g_ascii_strtod(text, NULL)", "model/kit/describe/decimal.c"),
                            ("g_rename(from, to)", "model/kit/describe/output_file.c"),
                            ("*(Access **)&message->next = access", None)):
            self.assertIn(f"only in {place}" if place else "nowhere",
                          self.complaints(check_once, {"workloads/a.c": line + "\n"}))
            for path in (place or "test/b.c", "test/a.c"):
                self.assertEqual(self.complaints(check_once, {path: line + "\n"}), "")

    def test_the_kit_has_layers_and_its_engine_floors(self):
        for path, line, reason in (
                ("model/kit/describe/stat.h", '#include "kit/gpu/kernel.h"', "describe may not include kit/gpu"),
                ("model/kit/describe/stat.h", '#include "parts/ring.h"', "describe does without parts"),
                ("model/kit/gpu/cta.h", '#include "kit/observe/series.h"', "gpu may not include kit/observe"),
                ("model/kit/observe/region.c", '#include "kit/engine/unit.h"', "observe may not include kit/engine"),
                ("model/kit/observe/region.c", "#include <simgrid/engine.h>", "see SimGrid"),
                ("model/kit/engine/tile.c", "#include <simgrid/engine.h>", "see SimGrid"),
                ("model/kit/engine/tile.c", '#include "kit/engine/simgrid/start.h"', "simgrid/start stands above tile"),
                ("model/kit/engine/port.c", '#include "kit/engine/tile.h"', "tile stands above port"),
                ("model/kit/engine/inbox.h", '#include "kit/engine/outbox.h"', "outbox stands above inbox"),
                ("model/kit/engine/port.c", "void tile_post(Tile *tile,\n               int to);", "tile_post: declared"),
                ("model/kit/engine/lift.c", '#include "kit/engine/port.h"', "lift is no floor"),
                ("model/kit/attic/old.h", '#include "kit/gpu/kernel.h"', "attic is no layer"),
                ("model/kit/engine/tile.c", '#include "kit/engine/port.h"', ""),
                ("model/kit/engine/tile.c", '#include "kit/observe/series.h"', ""),
                ("model/kit/gpu/cta.h", '#include "parts/ring.h"', ""),
                ("model/kit/engine/port.h", "static inline int port_room(int port)\n{\n    return port;\n}", "")):
            files = {f"model/kit/{name}.h": "\n" for name in (
                "gpu/kernel", "observe/series", "engine/outbox", "engine/port", "engine/tile")}
            complaints = self.complaints(check_layers, {**files, path: line + "\n"})
            self.assertIn(reason, complaints, line)
            self.assertEqual(bool(complaints), bool(reason), complaints)

    def test_a_large_unit_has_private_files(self):
        files = {"model/units/gate/private.h": "\n", "model/units/sm/private.h": "\n",
                 "model/units/gate/setup.c": '#include "units/gate/private.h"\n'}
        self.assertEqual(self.complaints(check_layers, files), "")
        files["model/units/gate/setup.c"] = '#include "units/sm/private.h"\n'
        self.assertIn("never includes another unit", self.complaints(check_layers, files))
        tables, code = UNIT[:UNIT.index("static void step")], UNIT[UNIT.index("static void step"):]
        files = {"model/units/gate.c": None, "model/units/gate/gate.c": code, "model/units/gate/setup.c": tables}
        self.assertEqual(self.complaints(check_tables, files), "")
        files["model/units/gate/gate.c"] = code.replace("gate->passed += gate->width", "gate->passed += 1")
        self.assertIn("parameter width", self.complaints(check_tables, files))

    def test_an_unread_parameter_is_found(self):
        changed = UNIT.replace("gate->passed += gate->width", "gate->passed += 1")
        self.assertIn("parameter width", self.complaints(check_tables, {"model/units/gate.c": changed}))

    def test_a_row_of_channels_reads_a_parameter_of_its_unit(self):
        files = {"model/units/gate.c": UNIT.replace("gate->passed += gate->width", "gate->passed += 1")}
        for name, found in (("gate.width", False), ("gates.width", True), ("gate.wide", True)):
            files["platform/machine/channels.c"] = f'{{.delay = OWN("{name}")}}\n'
            self.assertEqual("parameter width" in self.complaints(check_tables, files), found)

    def test_an_assignment_is_no_reading(self):
        changed = UNIT.replace("gate->passed += gate->width", "gate->width = 2, gate->passed++")
        self.assertIn("parameter width", self.complaints(check_tables, {"model/units/gate.c": changed}))

    def test_an_unchanged_statistic_is_found(self):
        changed = UNIT.replace("gate->passed +=", "width == gate->passed +")
        self.assertIn("statistic passed", self.complaints(check_tables, {"model/units/gate.c": changed}))
        changed = UNIT.replace("level_enter(&gate->waiting", "level_read(gate->waiting")
        self.assertIn("statistic waiting", self.complaints(check_tables, {"model/units/gate.c": changed}))

    def test_a_unit_needs_file_page_and_test(self):
        for path in ("model/units/gate.c", "docs/inside/units/gate.md", "test/units/gate.c"):
            self.assertIn(f"has no {path}", self.complaints(check_tables, {path: None}))

    def test_a_test_that_is_not_built_is_found(self):
        self.assertIn("test/parts/gate.c is not in a list",
                      self.complaints(check_tables, {"test/parts/gate.c": "START_TEST(a)\n"}))

    def test_a_unit_may_have_several_files(self):
        table, code = UNIT.split("static void step")
        parts = {"model/units/gate.c": None, "model/units/gate/gate.c": table,
                 "model/units/gate/private.h": "typedef struct Gate Gate;\n",
                 "model/units/gate/step.c": '#include "units/gate/private.h"\n\nvoid step' + code}
        for check in (check_layers, check_tables):
            self.assertEqual(self.complaints(check, parts), "")
        parts["model/units/gate/step.c"] = parts["model/units/gate/step.c"].replace("gate->passed += gate->width", "")
        complaints = self.complaints(check_tables, parts)
        self.assertIn("gate.c:4: nothing reads parameter width", complaints)
        self.assertIn("gate.c:8: nothing changes statistic passed", complaints)

    def test_units_are_named_by_themselves_alone(self):
        macro = "#define POOL(name) STAT_NUMBER(Gate, name##_lost, STAT_COUNT, NULL, \"lost\")\n"
        port = 'static const PortRow ports[] = {PORT_INPUT(Gate, from_l2, "requests"), PORT_END};\n'
        for path, line, name in (
                ("scenarios/program/a.c", 'total(result, "gate.passed")', "passed"),
                ("scenarios/program/a.c", 'read(node, "units.gate.total.waiting.max")', "waiting"),
                ("scenarios/program/a.c", 'read(node, "parameters.gate.width")', "width"),
                ("platform/a.c", '"%sgate.width = %s: no"', "width"),
                ("platform/a.c", 'find(configuration, "gate",\n     "width")', "width"),
                ("workloads/a.c", '"gate.from_l2"', "from_l2"),
                ("model/units/sm.c", '"gate.core_lost"', "core_lost"),
                ("model/units/gate.c", '"gate.width = %u"', ""), ("test/a.c", '"gate.width"', ""),
                ("platform/machine/channels.c", '{"gate", "from_l2"}', ""),
                ("platform/a.c", '"a sentence of gate.width"', ""), ("platform/a.c", '"a sentence of "\n"gate.width"', ""),
                ("platform/a.c", '/* "gate.width" */', ""), ("platform/a.c", '"gate.depth"', ""),
                ("scenarios/program/a.c", '"summary.gate.width"', "")):
            files = {"model/units/gate.c": UNIT + macro + port}
            files[path] = files.get(path, "") + line + ";\n"
            found = self.complaints(check_unit_names, files)
            self.assertIn(f"gate.{name} belongs" if name else "", found)
            self.assertEqual(len(found.splitlines()), 1 if name else 0, line)

    def test_long_functions_and_files_are_found(self):
        body = "void f(void)\n{\n" + "    g();\n" * 81 + "}\n"
        self.assertIn("81 lines in a function", self.complaints(check_sizes, {"model/kit/f.c": body}))
        self.assertIn("101 columns", self.complaints(check_sizes, {"model/kit/f.c": "x" * 101 + "\n"}))
        script = "function f(a) {\n" + "  a();\n" * 81 + "}\n"
        self.assertIn("81 lines in a function, at most 80: function f(a) {",
                      self.complaints(check_sizes, {"test/f.js": script}))
        self.assertIn("451 lines", self.complaints(check_sizes, {"model/kit/f.c": "int x;\n" * 451}))

    def test_crowded_folders_are_found(self):
        for folder, number, reason in (("model/parts", 25, ""), ("model/parts", 26, "model/parts: 26 names, at most 25"),
                                       ("scenarios", 12, "scenarios: 12 names, at most 11"), ("test/units", 30, "")):
            files = {f"{folder}/{name}.ini": "\n" for name in range(number - (folder in ("model/parts", "test/units")))}
            complaints = self.complaints(check_folders, files)
            self.assertEqual(complaints, reason)

    def test_words_are_found(self):
        for text, reason in (("see /home" "/me/x\n", "one machine"), ("TO" "DO\n", "note to self"),
                             ("a \n", "white space"), ("a", "no newline")):
            self.assertIn(reason, self.complaints(check_words, {"docs/a.md": text}))

    def test_coverage_names_what_exists(self):
        files = {"scenarios/gates.ini": "\n", "test/units/gate.c": "START_TEST(a_gate_lets_pass)\n"}
        head = "| | behaviour | scenario | tests |\n|---|---|---|---|\n"
        for row, reason in (("| G1 | a | `gates` | `a_gate_lets_pass` |", ""),
                            ("| G1 | a | `doors` | `a_gate_lets_pass` |", "no scenario doors"),
                            ("| G1 | a | `gates` | `a_gate_shuts` |", "no test a_gate_shuts"),
                            ("| G1 | a | `gates` | |", "no scenario or no test")):
            files["test/coverage.md"] = head + row + "\n"
            complaints = self.complaints(check_coverage, files)
            self.assertEqual(bool(complaints), bool(reason), row)
            self.assertIn(reason, complaints)

    def test_peaks_name_tests_of_their_programs(self):
        head = "| | rate | program | tests |\n|---|---|---|---|\n"
        for row, reason in (("| gate | one a cycle | units/gate | `a` |", ""),
                            ("| gate | one a cycle | units/gate | `b` |", "gate: there is no test b in test/units/gate.c"),
                            ("| gate | one a cycle | units/gates | `a` |", "no test a in test/units/gates.c")):
            files = {"test/peaks.md": head + row + "\n", "test/units/gate.c": "START_TEST(a)\n", "test/coverage.md": ""}
            found = self.complaints(check_coverage, files)
            self.assertIn(reason, found)
            self.assertEqual(bool(found), bool(reason))

    def test_what_cannot_be_found_or_is_not_named_is_found(self):
        files = {"scenarios/sm/gates.ini": "\n", "docs/learn/scenarios.md": "`gates`\n"}
        for path, text, reason in (("docs/learn/scenarios.md", "`gates`\n", ""),
                                   ("docs/learn/scenarios.md", "gates\n", "does not name it"),
                                   ("scenarios/l1/gates.ini", "\n", "the same name"),
                                   ("platform/presets/gates.ini", "\n", "a preset has the same name"),
                                   ("scenarios/l1/deep/doors.ini", "\n", "not below them")):
            complaints = self.complaints(check_shipped, {**files, path: text})
            self.assertEqual(bool(complaints), bool(reason), path)
            self.assertIn(reason, complaints)

    def test_names_that_nothing_has_are_found(self):
        names, members = {"l1.hits", "sm.issued"}, {"hit_rate"}
        for text, pattern, reason in (
                ('total(result, "l1.hits");', check_names.TEXT, ""), ('"l1.hit"', check_names.TEXT, "l1.hit"),
                ('"units.l1.total.hit"', check_names.TEXT, "l1.hit"), ('"l1.hit_rate"', check_names.TEXT, ""),
                ('"parameters.sm.lanes"', check_names.TEXT, "sm.lanes"), ('/* "l1.x" */', check_names.TEXT, ""),
                ("`l1.enabled = no`", check_names.QUOTED, "l1.enabled"), ("`l1.hits`", check_names.QUOTED, ""),
                ("`l1.c`", check_names.QUOTED, ""), ("`gate.open`", check_names.QUOTED, "")):
            found = "\n".join(check_names.check_text("a", text, pattern, names, members))
            self.assertEqual(found, reason and f"a:1: there is no {reason}")

    def test_a_second_row_is_found(self):
        table = "| `run A` | x |\n| `list a`, `list b` | y |\n"
        self.assertEqual(list(check_names.check_rows("a", table, {"run", "list"})), [])
        self.assertEqual(list(check_names.check_rows("a", table + "| `run` | z |\n", {"run"})),
                         ["a:3: a second row of run"])

    def test_documented_commands_are_read(self):
        page = "```sh\n# first\n./run.sh\n./run.sh run \\\n  'a b' # why\nls\n```\n```console\n./run.sh x\n```\n"
        self.assertEqual(check_commands.steps_of(page), [[[], ""], [["run", "a b"], ""]])

    def test_what_pages_quote_is_compared(self):
        page = "```sh\n./run.sh a\n./run.sh b\n```\n\n```text\nx\n```\n```text\ny\n```\n\n```text ./run.sh c --d\nz\n```\n"
        self.assertEqual(check_commands.steps_of(page), [[["a"], ""], [["b"], "x\n"]])
        self.assertEqual(check_commands.named_of(page), [("./run.sh c --d", "z\n")])
        for quoted, missing in (
                ("", ""), ("a\n...\nc\n", ""), ("  b ...\n", ""), ("a\n\nd\n", "d"), ("c\na\n", "a"), ("b\n", "b"),
                ("  b 1...\n", "  b 1..."), ("  b ... 3", ""), ("  b ... 4", "  b ... 4"), ("c ...", "")):
            self.assertEqual(check_commands.not_printed(quoted, "a\n  b 2 3\n\nc  \n"), missing)

    def test_cases_are_counted(self):
        for result, output, counts in (
                ("OK", "ok 1 - a: Passed\nok 2 - b: Passed\n", (2, 0, 0)), ("OK", "", (1, 0, 0)),
                ("FAIL", "ok 1 - a\nnot ok 2 - b\n", (1, 1, 0)), ("TIMEOUT", "ok 1 - a\n", (1, 1, 0)),
                ("FAIL", None, (0, 1, 0)), ("SKIP", "", (0, 0, 1))):
            self.assertEqual(count_results.count_test({"result": result, "stdout": output}), counts)


if __name__ == "__main__":
    unittest.main()
