#!/usr/bin/env python3
"""Tests that each check in this folder finds its kind of offence."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import archive
import circles
import docs
import headers
import idioms
import interfaces
import layers
import messages
import printing
import prose
import quirks
import structs
import symbols
import text


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def write(self, name, content):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        return path


class Circles(Tree):
    def test_a_use_in_one_direction_is_accepted(self):
        self.write("core/a/high.c", "void otter_high(void)\n{\n    otter_low(); // otter_high\n}\n")
        self.write("core/a/low.c", "void otter_low(void)\n{\n}\n")
        self.assertEqual(circles.check(self.root), [])

    def test_two_files_that_call_each_other_are_found(self):
        self.write("core/a/high.c", "void otter_high(void)\n{\n    otter_low();\n}\n")
        self.write("core/a/low.c", "void otter_low(void)\n{\n    otter_high();\n}\n")
        self.assertEqual(circles.check(self.root), ["core/a: a circle of high, low"])

    def test_two_folders_that_use_each_other_are_found(self):
        self.write("core/a/one.c", "int otter_one;\nvoid otter_b(void)\n{\n    otter_two();\n}\n")
        self.write("core/b/two.c", "struct x *otter_two(\n    void)\n{\n    return &otter_one;\n}\n")
        self.assertEqual(circles.check(self.root), ["a circle of the folders core/a, core/b"])

    def test_a_weak_symbol_and_a_tag_are_no_use(self):
        self.write("core/a/one.c", "void otter_a(void)\n{\n    if (otter_b) {\n        otter_b();\n    }\n}\n"
                   "#pragma weak otter_b\n")
        self.write("core/b/two.c", "void otter_b(void)\n{\n    enum otter_a a;\n    struct otter_a *b;\n    otter_a();\n}\n")
        self.write("core/b/one.c", "void otter_c(void)\n{\n    enum otter_b b;\n}\n")
        self.assertEqual(circles.check(self.root), [])

    def write_conductor(self, of_part):
        self.write("core/a/all.h", "struct otter_all {\n    int n;\n};\n")
        self.write("core/a/all.c", "void otter_all_run(void)\n{\n    otter_part_run();\n}\n")
        self.write("core/a/part.c", f"void otter_part_run(void)\n{{\n    {of_part}\n}}\n")

    def test_a_part_that_knows_the_struct_of_its_conductor_is_found(self):
        self.write_conductor("struct otter_all *all = find(); all->n++;")
        self.assertEqual(circles.check(self.root), ["core/a: a circle of all, part"])

    def test_a_conductor_above_the_header_of_the_data_is_accepted(self):
        self.write_conductor("struct otter_all *all = find(); all->n++;")
        (self.root / "core/a/all.c").rename(self.root / "core/a/all_run.c")
        self.assertEqual(circles.check(self.root), [])

    def test_a_part_that_passes_a_pointer_on_is_accepted(self):
        self.write_conductor("struct otter_all *all = find(); use(all);")
        self.assertEqual(circles.check(self.root), [])


class Idioms(Tree):
    def complaints(self, line):
        self.write("core/a/a.c", f"void otter_a(void)\n{{\n    {line}\n}}\n")
        return [complaint.split(":", 2)[2].strip() for complaint in idioms.check(self.root)]

    def test_nested_conditional_operators_are_found(self):
        self.assertEqual(self.complaints("x = a ? 1 : b ? 2 : 3;"), [])
        self.assertEqual(self.complaints("f(a ? 1 : 2, b ? 1 : 2, c ? 1 : 2); g((a ? 1 : 2) + (b ? 1 : c ? 2 : 3));"), [])
        for line in ("x = a ? 1 : b ? 2 : c ? 3 : 4;", "f(y, (a ? b ? 1 : 2 : (c ? 3 : 4)));"):
            self.assertEqual(self.complaints(line), ["3 nested conditional operators (at most 2: write ifs)"], line)
        self.assertEqual(self.complaints('puts("a ? b ? c ? d"); // a ? b ? c ?'), [])

    def test_chains_of_a_status_and_other_names_of_limits_are_found(self):
        self.assertEqual(self.complaints("status = status ? status : f();"), ["write OTTER_THEN(status, call) (base/status.h)"])
        self.assertEqual(self.complaints("return status ? status : f(MAX_A);"), [])
        for name in ("MOST_PATHS", "OTTER_LEAST_PAGE"):
            self.assertEqual(self.complaints(f"x = {name};"), ["the names of limits begin with MAX_ and MIN_"])

    def test_initialisers_with_nameless_constants_are_found(self):
        for line in ("struct a a = {b, c(1, 2), 0};", 'x = (struct a){"b", NULL, d};'):
            self.assertEqual(self.complaints(line), ["name the members: {.n = 3}"], line)
        for line in ("struct a a = {.b = b, .c = 1, .d = 0};", "struct a a = {0};", "struct a a = {b, c(1, 2), d};",
                     "static const struct a rows[] = {{b, 1, 2}};", "struct option a = {b, c, NULL, d};"):
            self.assertEqual(self.complaints(line), [], line)


class Structs(Tree):
    def complaints(self, other, header="struct otter_a {\n    int n;\n};\n"):
        self.write("core/a/a.h", header)
        self.write("core/a/a.c", "int f(struct otter_a *a)\n{\n    return a->n;\n}\n")
        self.write("core/a/b.c", other)
        return structs.check(self.root)

    def test_a_body_that_one_file_needs_is_found(self):
        complaint = ["core/a/a.h: only a.c needs the body of struct otter_a: move the body there"]
        self.assertEqual(self.complaints("void g(struct otter_a *a)\n{\n    f(a);\n}\n"), complaint)
        self.assertEqual(self.complaints("int g(struct otter_a *a)\n{\n    return a->n;\n}\n"), [])
        self.assertEqual(self.complaints("int g(void)\n{\n    struct otter_a a = {0};\n    return f(&a);\n}\n"), [])

    def test_the_elements_of_an_array_count(self):
        header = "struct otter_a {\n    int n;\n};\n\nstruct otter_all {\n    struct otter_a *items;\n};\n"
        user = "int g(struct otter_all *all)\n{\n    return all->items[0].n;\n}\n"
        self.assertEqual(self.complaints(user, header), [])
        self.assertEqual(len(self.complaints(user.replace("items[0].n", "n"), header)), 1)


class Interfaces(Tree):
    """A tree whose version 0.1.0 is released, with one function, one enum and one construct."""
    HEADER = """/* A comment; with a semicolon. */
#define OTTER_API __attribute__((visibility("default")))
enum otter_kind { OTTER_KIND_A = 1, OTTER_KIND_B = 2 };
struct otter_message { int tag; };
OTTER_API void otter_send(const struct otter_message *message, unsigned n); // sends
"""
    SCHEMA = '[OTTER_CONSTRUCT_TASK] = {"task", OTF2_REGION_ROLE_TASK},\n'

    def setUp(self):
        super().setUp()
        self.write("CHANGELOG.md", "# Changelog\n\n## 0.1.0 - 2026-01-01\n")
        self.numbers("0.1.0", 0, 1)
        self.write("include/otter/control.h", "")
        self.write("include/otter/event.h", "")
        self.write("include/otter/record.h", self.HEADER)
        self.write("core/trace/schema.c", self.SCHEMA)
        self.write("core/trace/event_layout.h", "enum {\n    RECORD_TIME = 0x05,\n};\n")
        self.write(interfaces.LIST, "")
        interfaces.update(self.root)

    def numbers(self, version, soname, schema):
        self.write("meson.build", f"project('otter', 'c',\n  version: '{version}',\n")
        self.write("core/meson.build", f"  soversion: '{soname}',\n")
        self.write("core/trace/schema.h", f"enum {{ OTTER_SCHEMA_VERSION = {schema} }};\n")

    def assert_found(self, *words):
        """Asserts that the check fails, and that the update fails until the numbers are raised."""
        text = "\n".join(interfaces.check(self.root) + interfaces.refusals(self.root))
        for word in words:
            self.assertIn(word, text)

    def test_an_unchanged_tree_is_accepted(self):
        self.assertEqual(interfaces.check(self.root), [])
        self.write("include/otter/record.h", self.HEADER.replace("unsigned n)", "unsigned length)").replace("; with", ""))
        self.assertEqual(interfaces.check(self.root), [])

    def test_changed_types_values_and_members_need_another_soname(self):
        for old, new, name in (("unsigned n", "int n", "function otter_send"), ("_B = 2", "_B = 3", "OTTER_KIND_B"),
                               ("int tag;", "int tag, n;", "declaration otter_message"), ("_A = 1, ", "", "OTTER_KIND_A")):
            self.write("include/otter/record.h", self.HEADER.replace(old, new))
            self.assert_found(f"{name}' changed", "needs another soname", "needs another version")
        self.numbers("0.2.0", 1, 1)
        self.assertEqual(interfaces.refusals(self.root), [])
        interfaces.update(self.root)
        self.assertEqual(interfaces.check(self.root), [])

    def test_a_new_function_needs_another_version_alone(self):
        self.write("include/otter/record.h", self.HEADER + "OTTER_API bool otter_new(void);\n")
        self.assert_found("'function otter_new' is not in", "needs another version")
        self.numbers("0.1.1", 0, 1)
        self.assertEqual(interfaces.refusals(self.root), [])

    def test_a_changed_archive_needs_another_schema(self):
        self.write("core/trace/schema.c", self.SCHEMA.replace("ROLE_TASK", "ROLE_CODE"))
        self.assert_found("'construct task, TASK' changed", "'construct task, CODE' is not in", "needs another schema")
        self.write("core/trace/schema.c", self.SCHEMA)
        self.write("core/trace/event_layout.h", "enum {\n    RECORD_TIME = 0x06,\n};\n")
        self.numbers("0.2.0", 0, 1)
        self.assert_found("'record TIME' changed", "core/trace/schema.h needs another schema")
        self.numbers("0.2.0", 0, 2)
        self.assertEqual(interfaces.refusals(self.root), [])

    def test_before_the_release_all_may_change(self):
        self.write("CHANGELOG.md", "# Changelog\n\n## 0.1.0 (not released)\n")
        self.write("include/otter/record.h", "")
        self.assertNotEqual(interfaces.check(self.root), [])
        self.assertEqual(interfaces.refusals(self.root), [])


class Prose(Tree):
    def complaints(self, content, name="core/a.c"):
        self.write("doc/glossary.md", "| term | meaning | not |\n|---|---|---|\n| report | x | tell, (keep, take) |\n")
        return prose.check(self.root, [self.write(name, content)])

    def test_plain_sentences_are_accepted(self):
        for content in ["// Counts tasks. A task of `what it tells` is counted once.\n", "// A list:\n//     What code is.\nint x;\n"]:
            self.assertEqual(self.complaints(content), [], content)
        self.assertEqual(self.complaints("# What a heading may say\n\n    Where code is\n\nA page.\n", "a.md"), [])

    def test_each_rule_is_held(self):
        long = "// A " + "w " * 30 + "ends.\n"
        for content in [long, "// A task ends. That follows begins.\n", "// Runtimes tell a time.\n", "int x;\n",
                        "// A file.\nint " + "x" * 100 + ";\n", "// A file.\nint x; // That of a task.\n"]:
            self.assertEqual(len(self.complaints(content)), 1, content)
        self.assertEqual(len(self.complaints("A task ends.\nThat, all\nends.\n", "a.md")), 1)

    def test_scripts_and_styles_of_the_page_are_checked(self):
        for content in ["// A file.\n\n/**\n * That a lane draws.\n * @param {number} what\n */\n", "// A file.\n/* That. */\n"]:
            self.assertTrue(self.complaints(content, "core/a.js"), content)
        self.assertEqual(self.complaints("// A file.\n\n/**\n * A lane.\n * @typedef {{what: number,\n *   tell: () => void}} Lane\n */\n",
                                         "core/a.js"), [])
        self.assertEqual(len(self.complaints("/* That of the page. */\na { color: red; }\n", "core/a.css")), 1)

    def test_descriptions_of_manual_pages_are_checked(self):
        head = "otter(1)\n\n*-a*\n"
        self.assertEqual(len(self.complaints(head + "\tThat of an archive, all.\n", "a.scd")), 1)
        self.assertEqual(self.complaints(head + "\tLists " + "a, b, c, d, e, f, g; " * 5 + "h.\n\n\tWhat code is\n", "a.scd"), [])


class Quirks(Tree):
    PAGE = ("| name | versions | fault | workaround | test |\n|---|---|---|---|---|\n"
            "| late end | LLVM | x | y: `core/a/a.c` `f` | `test/a.c` `story` |\n"
            "\n## Other notes\n\n| name | cause |\n|---|---|\n| lost events, cut off | x |\n")

    def complaints(self, code="// Quirk 'late end'.\nint f(void);\n", test="story();\n", page=PAGE):
        self.write("doc/quirks.md", page)
        self.write("core/a/a.c", code)
        self.write("test/a.c", test)
        return quirks.check(self.root, ())

    def test_a_row_with_its_code_and_its_test_is_accepted(self):
        self.assertEqual(self.complaints(), [])
        self.assertEqual(self.complaints(page=self.PAGE.replace("`test/a.c` `story`", "-")), [])

    def test_each_difference_is_found(self):
        for change in [{"code": "// Quirk 'late end'.\n"}, {"code": "int f(void);\n"}, {"test": ""},
                       {"code": "// Quirks 'late end',\n// 'early end'.\nint f(void);\n"},
                       {"page": self.PAGE.replace("test/a.c", "test/b.c")}, {"page": self.PAGE.replace("core/a/a.c", "core/a/b.c")},
                       {"page": self.PAGE.replace("y: `core/a/a.c` `f`", "y")}]:
            self.assertEqual(len(self.complaints(**change)), 1, change)

    def test_each_note_of_the_check_is_known(self):
        self.complaints()
        self.write("core/check/words.c", '[OTTER_QUIRK_A] = {"cut off", "x"},\n[OTTER_QUIRK_B] =\n{"new", "x"},\n')
        self.assertEqual(len(quirks.check(self.root, ())), 1)


class Layers(Tree):
    def complaints(self, name, line):
        path = self.write(name, line + "\n")
        found = layers.check(self.root)
        path.unlink()
        return found

    def test_arrows_of_the_design_are_accepted(self):
        for name, line in [("core/record/a.c", '#include "recording/writer.h"'), ("core/trace/a.c", "#include <otf2/otf2.h>"),
                           ("core/cli/a.c", '#include "base/log.h"'), ("connectors/ompt/a.c", "#include <omp-tools.h>"),
                           ("connectors/ompt/a.c", '#include "tool.h"'), ("connectors/ompt/a.c", '#include "otter/record.h"'),
                           ("connectors/ompt/device/a.c", '#include "ompt/base/convert.h"'),
                           ("core/base/a.c", '#include "otter/event.h"'), ("core/trace/sub/a.c", '#include "base/log.h"'),
                           ("core/end/a.c", '#include "record/after.h"'), ("core/end/a.c", '#include "graph/graph.h"')]:
            self.assertEqual(self.complaints(name, line), [], f"{name}: {line}")

    def test_a_crowded_folder_is_found(self):
        paths = [self.write(f"core/base/a{i}.c", "") for i in range(31)]
        self.assertEqual(layers.check(self.root), ["core/base: 31 files (at most 30: make rooms)"])
        paths[0].unlink()
        self.assertEqual(layers.check(self.root), [])

    def test_every_kind_of_file_counts_but_inputs_of_fuzzers(self):
        paths = [self.write(f"test/run/{name}", "") for i in range(8) for name in (f"a{i}.cpp", f"a{i}.py", f"a{i}.expected", f"a{i}.mock")]
        for i in range(40):
            self.write(f"test/fuzz/corpus/a/{i}", "")
        self.assertEqual(layers.check(self.root), ["test/run: 32 files (at most 30: make rooms)"])
        for path in paths[:2]:
            path.unlink()
        self.assertEqual(layers.check(self.root), [])

    def test_arrows_against_it_are_found(self):
        for name, line in [("core/base/a.c", '#include "recording/writer.h"'), ("core/trace/a.c", '#include "record/thread.h"'),
                           ("core/record/a.c", '#include "graph/graph.h"'), ("core/graph/a.c", '#include "record/thread.h"'),
                           ("core/report/form/a.c", '#include "report/diff/diff.h"'), ("core/report/diff/a.c", '#include "cli/command.h"'),
                           ("core/analysis/a.c", '#include "analysis/findings/findings.h"'), ("core/view/a.c", '#include "report/diff/diff.h"'), ("core/record/a.c", '#include "end/a.h"'),
                           ("core/end/a.c", '#include "source/lines.h"'), ("core/record/a.c", "#include <otf2/otf2.h>"),
                           ("core/cli/a.c", "#include <omp-tools.h>"), ("connectors/ompt/a.c", '#include "base/log.h"'),
                           ("connectors/ompt/base/a.c", '#include "ompt/quirks/depend.h"'),
                           ("connectors/ompt/device/a.c", '#include "ompt/quirks/depend.h"'),
                           ("include/otter/a.h", '#include "base/status.h"'), ("core/base/a.c", '#include "log.h"'),
                           ("core/new/a.c", "#include <stdio.h>"), ("connectors/ompt/a.c", "#  include <Kokkos_Core.hpp>")]:
            self.assertEqual(len(self.complaints(name, line)), 1, f"{name}: {line}")


class Print(Tree):
    def complaints(self, line, name="core/cli/a.c"):
        path = self.write(name, line + "\n")
        found = printing.check(self.root)
        path.unlink()
        return found

    def test_the_printer_and_what_writes_no_text_are_accepted(self):
        for line in ['otter_print(out, "%s", name);', 'snprintf(text, sizeof text, "%s", name);', "otter_error(text);",
                     "write(report, &error, sizeof error);", 'otter_print(out, "printf(%s)", name);', "// no printf()",
                     "archive->error(text);"]:
            self.assertEqual(self.complaints(line), [], line)
        self.assertEqual(self.complaints("fwrite(bytes, 1, n, out);", "core/base/text/print.c"), [])
        self.assertEqual(self.complaints("fputs(text, out);", "core/graph/export/dot.c"), [])

    def test_each_other_way_is_found(self):
        for line in ['printf("%s", name);', 'fprintf(stderr, "%s", name);', "fputs(name, out);", "puts (name);",
                     "putchar(c);", "fwrite(name, 1, n, stdout);", "write(STDERR_FILENO, name, n);", "write(2, name, n);",
                     "perror(name);", "vfprintf(out, format, arguments);", "json_dumpf(root, out, 0);",
                     "#include <err.h>", "dprintf(2, name);", "fputs_unlocked(name, out);"]:
            self.assertEqual(len(self.complaints(line)), 1, line)


class Symbols(unittest.TestCase):
    NM = "                 U malloc@GLIBC_2.2.5\n                 w __gmon_start__\n0000000000001000 T otter_attach\n"
    ELF = " (NEEDED)  Shared library: [libc.so.6]\n (FLAGS_1)  Flags: NOW NODELETE\n"

    def test_a_modest_library_is_accepted(self):
        self.assertEqual(symbols.check_symbols(self.NM, "otter_.*"), [])
        self.assertEqual(symbols.check_dynamic(self.ELF, []), [])

    def test_what_it_should_not_show_is_found(self):
        self.assertEqual(len(symbols.check_symbols(self.NM + "0000000000001010 T OTF2_Open\n", "otter_.*")), 1)
        self.assertEqual(len(symbols.check_symbols(self.NM + "                 U OTF2_Open\n", "otter_.*")), 1)
        self.assertEqual(len(symbols.check_symbols(self.NM + "                 U gethostid@GLIBC_2.2.5\n", "otter_.*")), 1)
        self.assertEqual(len(symbols.check_symbols(self.NM, "kokkosp_.*")), 2)

    def test_what_it_should_not_need_is_found(self):
        self.assertEqual(len(symbols.check_dynamic(self.ELF + " (NEEDED)  Shared library: [libdw.so.1]\n", [])), 1)
        self.assertEqual(symbols.check_dynamic(self.ELF + " (NEEDED)  Shared library: [libotter-core.so.0]\n",
                                               [r"libotter-core\.so.*"]), [])
        self.assertEqual(len(symbols.check_dynamic(self.ELF.replace(" NODELETE", ""), [])), 1)
        self.assertEqual(len(symbols.check_dynamic(self.ELF + " (FLAGS)  STATIC_TLS\n", [])), 1)


class Text(Tree):
    def complaints(self, content, name="core/base/a.c"):
        self.write(name, content)
        return text.check(self.root)

    def test_plain_code_is_accepted(self):
        self.assertEqual(self.complaints("static int f(void)\n{\n    return 1;\n}\n"), [])

    def test_each_rule_finds_its_kind(self):
        for line in ["// TO" "DO later", "// see /ho" "me/me/notes", "x; ", "\tx;", "http://deb.deb" "ian.org/debian"]:
            self.assertEqual(len(self.complaints(line + "\n")), 1, line)
        self.assertEqual(len(self.complaints("x;")), 1)

    def test_a_long_function_is_found_and_a_long_switch_or_table_is_not(self):
        self.assertEqual(len(self.complaints("int f(void)\n{\n" + "    g();\n" * 41 + "}\n")), 1)
        self.assertEqual(self.complaints("int f(void)\n{\n" + "    g();\n" * 40 + "}\n"), [])
        self.assertEqual(self.complaints("int f(void)\n{\n" + "    case 1: return 2;\n" * 60 + "}\n"), [])
        self.assertEqual(self.complaints("int f(void)\n{\n" + '    {1, "a"}, // so\n' * 60 + "}\n"), [])


class Headers(Tree):
    def compile(self, header):
        self.write("include/otter/a.h", header)
        self.write("build/compile_commands.json", "[]")
        return headers.check(self.root, self.root / "build", "cc", None)

    def test_only_a_header_that_stands_alone_is_accepted(self):
        self.assertTrue(self.compile("#pragma once\n#include <stddef.h>\nsize_t f(void);\n"))
        self.assertFalse(self.compile("#pragma once\nsize_t f(void);\n"))

    def test_a_header_that_a_source_includes_first_needs_no_other_compilation(self):
        for source, headers_first in (('// Text.\n\n#include "b.h"\n#include <stddef.h>\n', {"core/b.h"}),
                                      ('#include <stddef.h>\n\n#include "b.h"\n', set()), ('#define A 1\n#include "b.h"\n', set())):
            self.write("core/b.h", "#pragma once\nsize_t f(void);\n")
            path = self.write("core/b.c", source)
            first = headers.compiled_first(self.root, [(path.resolve(), {})])
            self.assertEqual(first, {self.root.resolve() / header for header in headers_first})


class Batch(Tree):
    def status(self, *statuses):
        script = self.write("ends.py", "import sys\n\nif __name__ == '__main__':\n    sys.exit(int(sys.argv[1]))\n")
        jobs = [word for status in statuses for word in ("--each", script, str(status))]
        batch = pathlib.Path(__file__).resolve().parent.parent / "batch.py"
        return subprocess.run([sys.executable, batch, *jobs], stdout=subprocess.DEVNULL).returncode

    def test_a_batch_passes_if_no_script_fails_and_is_skipped_if_all_are(self):
        self.assertEqual([self.status(*statuses) for statuses in ((0, 0), (0, 77), (77, 77), (3, 0), (0, 77, 1), ())], [0, 0, 77, 1, 1, 1])


class Archive(Tree):
    PAGE = ("This is version of this format: **1**.\n\n| property | value | meaning |\n|---|---|---|\n| `OTTER::LOST` | number | x |\n"
            "| `OTTER::MODULE::<i>` | text | x |\n\n| canonical name | OTF2 role | notes |\n|---|---|---|\n| `!$omp task` | TASK | |\n\n"
            "| name | record | value | meaning |\n|---|---|---|---|\n| `bytes` | - | number | x |\n")

    def complaints(self, page):
        self.write("doc/archive.md", page)
        self.write("core/trace/schema.h", "enum { OTTER_SCHEMA_VERSION = 1 };\n")
        self.write("core/trace/schema.c", '[OTTER_CONSTRUCT_TASK] = {"!$omp task",\n OTF2_REGION_ROLE_TASK},\n'
                   '[OTTER_PARAMETER_BYTES] = "bytes",\n')
        self.write("core/record/a.c", 'set_number(archive, "LOST", 1);\nsnprintf(name, sizeof(name), "MODULE::%zu", i);\n')
        return archive.check(self.root)

    def test_a_page_of_the_sources_is_accepted(self):
        self.assertEqual(self.complaints(self.PAGE), [])

    def test_each_difference_is_found_both_ways(self):
        for word, other in (("OTTER::LOST", "OTTER::FOUND"), ("MODULE::<i>", "MODULE"), ("!$omp task", "!$omp tasks"),
                            ("| TASK |", "| LOOP |"), ("`bytes`", "`bits`"), ("**1**", "**2**")):
            self.assertEqual(len(self.complaints(self.PAGE.replace(word, other))), 2, word)


class Messages(Tree):
    SOURCE = ('otter_warning("cannot open \'%s\': " WHY ", %" PRIu64\n "times (give up)", f("a"), x);\n'
              'otter_error("no %s here (otter help x)", y);\notter_note("%s: %s", a, b);\n')
    KEY = "cannot open '...': ..., ...times (give up)"

    def complaints(self, *keys, name="core/record/a.c"):
        self.write(name, self.SOURCE)
        self.write("doc/troubleshooting.md", "- `" + "`,\n  `".join(keys) + "`: do it.\n")
        return messages.check(self.root)

    def test_a_message_with_gaps_is_accepted(self):
        self.assertEqual(self.complaints(self.KEY), [])
        self.assertEqual(self.complaints("cannot open ...", "no ... here (otter help x)"), [])

    def test_messages_that_are_missing_on_either_side_are_found(self):
        self.assertEqual(len(self.complaints("cannot close ...")), 2)
        self.assertEqual(len(self.complaints(self.KEY, "open ...")), 1)
        self.assertEqual(len(self.complaints(self.KEY, "cannot open")), 1)

    def test_a_message_twice_is_found(self):
        self.assertEqual(len(self.complaints(self.KEY, self.KEY)), 1)

    def test_messages_of_other_commands_may_be_missing(self):
        self.assertEqual(self.complaints("no ... here (otter help x)", name="core/cli/cmd_x.c"), [])


class Docs(Tree):
    HELP = "usage: otter COMMAND\n\n  record   runs a program\n  info     shows an archive\n  help     this text\n"

    def test_commands_and_settings_are_read_from_the_command(self):
        self.assertEqual(docs.commands_of(self.HELP), ["record", "info", "help"])
        self.assertEqual(docs.settings_of("trace-path OTTER_TRACE_PATH .\n"), ["OTTER_TRACE_PATH"])

    def test_what_is_not_described_is_found(self):
        self.assertEqual(len(docs.check_pages(["record", "info", "help"], {"otter-record.1.scd"})), 1)
        self.assertEqual(len(docs.check_settings(["OTTER_A"], "*OTTER\\_B*\n\ttext\n")), 2)
        self.assertEqual(docs.check_settings(["OTTER_A_B"], "*OTTER_A_B*\n\ttext\n"), [])

    def test_a_dead_link_is_found(self):
        self.write("README.md", "[a](core/README.md) [b](https://example.org)\n")
        self.assertEqual(len(docs.check_links(self.root)), 1)
        self.write("core/README.md", "")
        self.assertEqual(docs.check_links(self.root), [])

    def test_a_link_to_no_heading_is_found(self):
        self.write("README.md", "# How do I `x`?\n[a](#how-do-i-x) [b](doc/a.md#b-c)\n")
        self.write("doc/a.md", "## B, c\n")
        self.assertEqual(docs.check_links(self.root), [])
        self.write("doc/a.md", "## B\n")
        self.assertEqual(len(docs.check_links(self.root)), 1)


if __name__ == "__main__":
    unittest.main()
