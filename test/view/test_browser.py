#!/usr/bin/env python3
"""Tests the page of `otter view` in a browser: its pictures and tables, its keys, its address, hostile texts.

usage: test_browser.py OTTER FOLDER MODULES|- chrome|firefox [TEST...]

MODULES is the folder that `scripts/modules browser` prints. Skipped (77) without it, Node.js or the browser. The pages,
and screenshots in the folder screens, stay in FOLDER/pages. Firefox runs a few tests, in FOLDER/pages-firefox.
"""
import pathlib
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import case  # noqa: E402  test/cli/case.py
import program  # noqa: E402
from program import Program  # noqa: E402

SKIPPED = 77
BROWSERS = {
    "chrome": ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
    "firefox": ("firefox-esr", "firefox"),
}
IN_FIREFOX = ("the_report_stands_beside_the_pictures", "tables_are_those_of_the_report", "a_finding_links_to_its_evidence",
              "a_click_on_a_slice_selects_its_task")
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[2J\u202e\u2066\"'"
PATIENCE = 3000  # seconds, for all tests in the browser


def missing(modules, kind):
    """Returns what is missing to run the tests, or None."""
    if not shutil.which("node"):
        return "Node.js is missing"
    if not any(map(shutil.which, BROWSERS[kind])):
        return f"a browser is missing (Debian: {BROWSERS[kind][0]})"
    if not (pathlib.Path(modules) / "node_modules/puppeteer-core").is_dir():
        return "puppeteer-core is missing (`scripts/modules browser` installs it, then configure again)"
    return None


class Pages(case.CommandCase):
    """Makes the pages; a program that was not built has no page."""

    def page(self, name, archive, *options):
        result = self.run_otter("view", "-o", self.pages / f"{name}.html", *options, archive)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = self.run_otter("report", "--json", archive)
        (self.pages / f"{name}.json").write_text(report.stdout)

    def recorded(self):
        """Makes a page from a program; the other pages have the same numbers on every run."""
        self.environment["OMP_NUM_THREADS"] = "4"
        result = self.record("-o", "recorded", self.tool("../view/played"), "tasks")
        self.assertEqual(result.returncode, 0, result.stderr)
        return "recorded"

    def events(self, name, script, status=0, **settings):
        """Returns an archive with the same events and times on every run."""
        clock = {"OTTER_CLOCK": "monotonic", "LD_PRELOAD": str(self.tool("../view/libstepping_clock.so"))}
        return self.mock(name, self.write(f"{name}.mock", script), status, **clock, **settings)

    def mock(self, name, script, status=0, **settings):
        tool = (self.tools / "../../connectors/ompt/libotter-ompt.so").resolve()
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        result = subprocess.run([self.tool("../mock/player"), tool, script], cwd=folder, env=self.environment | settings, capture_output=True, text=True)
        self.assertEqual(result.returncode, status, result.stderr)
        return next(folder.iterdir())

    def sampled(self):
        """Makes a page with samples where the system allows them."""
        (self.pages / "sampled.html").unlink(missing_ok=True)
        if self.has_switches():
            result = self.record("--quiet", "--sample", "-o", "sampled", self.tool("planted"))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.page("sampled", "sampled")

    def make_pages(self):
        self.pages.mkdir(parents=True, exist_ok=True)
        self.page("tasks", self.events("tasks", Program(4).script()))
        self.page("recorded", self.recorded())
        self.page("uneven", self.events("uneven", program.uneven()))
        self.page("kokkos", self.make("kokkos", 50, "kokkos"))
        self.page("long", self.make("long", 50, "kokkos", "text", "W" * 300))

    def make_more_pages(self):
        self.page("one", self.events("one", Program(1).script()))
        self.page("nested", self.events("nested", program.nested()))
        self.page("paused", self.events("paused", Program(2, pauses=True).script()))
        self.page("threads", self.events("threads", Program(256, depth=6).script()))
        killed = self.events("killed", Program(2, is_killed=True).script(), -signal.SIGUSR1)
        recovered = self.run_otter("recover", killed)
        self.assertEqual(recovered.returncode, 0, recovered.stderr)
        self.page("recovered", next(killed.parent.iterdir()))
        self.page("alone", self.make("alone", 0))
        self.sampled()
        self.page("hostile", self.make("hostile", 20, "kokkos", "text", HOSTILE, "OTTER::COMMAND_LINE", HOSTILE))
        self.page("small", self.events("small", Program(4, depth=20).script()), "--size=1M")
        self.page("devices", self.devices())
        self.page("job", self.job())
        self.page("ranks", self.many_ranks(64))
        self.page("few", self.many_ranks(150), "--size=1M")

    def merged(self, name, *archives):
        result = self.run_otter("merge", "-o", name, *archives)
        self.assertEqual(result.returncode, 0, result.stderr)
        return name

    def job(self):
        scripts = Program(1).script(), program.nested(), Program(3).script()
        for rank, script in enumerate(scripts):
            folder = self.events("job", script, PMI_RANK=str(rank), PMI_SIZE=str(len(scripts)), PMI_JOBID="7")
        return self.merged("merged", folder)

    def many_ranks(self, n):
        return self.merged(f"merged{n}", *(self.make(f"rank{n}-{i}", 20 + i, "ours", "OTTER::RANK", str(i)) for i in range(n)))

    def devices(self):
        return self.mock("device", pathlib.Path(__file__).resolve().parent.parent / "mock/scripts/device_trace/device_trace.mock")

    def test_the_pages_in_a_browser(self):
        self.make_pages()
        if self.kind == "chrome":
            self.make_more_pages()
        script = pathlib.Path(__file__).resolve().parent / "browser/run.mjs"
        result = subprocess.run(["node", script, self.kind, self.modules, self.pages, *self.wanted], capture_output=True, text=True, timeout=PATIENCE)
        print(result.stdout, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(result.returncode, 0, result.stderr)
        passed = [line.removeprefix("ok ") for line in lines if line.startswith("ok ")]
        self.assertTrue(passed)
        self.assertLessEqual(set(self.wanted), set(passed))
        self.assertEqual([line for line in lines if line.startswith("not ok ")], [])


if __name__ == "__main__":
    lack = missing(*sys.argv[3:5])
    if lack:
        print(f"skipped: {lack}")
        sys.exit(SKIPPED)
    Pages.modules, Pages.kind, *Pages.wanted = sys.argv[3:]
    Pages.pages = pathlib.Path(sys.argv[2]).resolve() / "pages"
    if Pages.kind == "firefox":
        Pages.pages = Pages.pages.with_name("pages-firefox")
        Pages.wanted = Pages.wanted or IN_FIREFOX
    del sys.argv[3:]
    case.main()
