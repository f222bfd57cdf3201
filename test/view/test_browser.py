#!/usr/bin/env python3
"""The page of `otter view` in a browser: what it draws and tabulates, its keys, its address, hostile texts.

usage: test_browser.py OTTER FOLDER MODULES|- [TEST...]

MODULES is the folder that `scripts/modules browser` prints. Skipped (77) without it, Node.js or a browser. The pages, and
screenshots in the folder screens, stay in FOLDER/pages.
"""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import case  # noqa: E402  test/cli/case.py

SKIPPED = 77
BROWSERS = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome")
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[2J\u202e\u2066\"'"
PATIENCE = 600  # seconds, for all tests in the browser


def missing(modules):
    """What the tests lack, or nothing."""
    if not shutil.which("node"):
        return "Node.js is missing"
    if not any(map(shutil.which, BROWSERS)):
        return "a browser is missing (Debian: chromium)"
    if not (pathlib.Path(modules) / "node_modules/puppeteer-core").is_dir():
        return "puppeteer-core is missing (`scripts/modules browser` installs it, then configure again)"
    return None


class Pages(case.CommandCase):
    """Makes the pages; a program that was not built has none."""

    def page(self, name, archive, *options):
        result = self.run_otter("view", "-o", self.pages / f"{name}.html", *options, archive)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = self.run_otter("report", "--json", archive)
        (self.pages / f"{name}.json").write_text(report.stdout)

    def play(self, kind, threads=4, status=0):
        self.environment["OMP_NUM_THREADS"] = str(threads)
        archive = self.folder / f"{kind}{threads}"
        result = self.record("-o", archive, self.tool("../view/played"), kind)
        self.assertEqual(result.returncode, status, result.stderr)
        return archive

    def make_pages(self):
        self.pages.mkdir(parents=True, exist_ok=True)
        self.page("tasks", self.play("tasks"))
        self.page("one", self.play("tasks", threads=1))
        self.page("nested", self.play("nested", threads=2))
        self.page("paused", self.play("paused", threads=2))
        self.page("threads", self.play("threads", threads=256))
        killed = self.play("killed", threads=2, status=137)
        recovered = self.run_otter("recover", killed)
        self.assertEqual(recovered.returncode, 0, recovered.stderr)
        self.page("recovered", killed)
        self.page("alone", self.make("alone", 0))
        self.page("kokkos", self.make("kokkos", 50, "kokkos"))
        self.page("hostile", self.make("hostile", 20, "kokkos", "text", HOSTILE, "OTTER::COMMAND_LINE", HOSTILE))
        self.page("small", self.play("many"), "--size=1M")
        self.page("devices", self.devices())

    def devices(self):
        script = pathlib.Path(__file__).resolve().parent.parent / "mock/scripts/device_trace.mock"
        tool = (self.tools / "../../connectors/ompt/libotter-ompt.so").resolve()
        folder = self.folder / "device"
        folder.mkdir()
        subprocess.run([self.tool("../mock/player"), tool, script], cwd=folder, env=self.environment, check=True, capture_output=True)
        return next(folder.glob("*/traces.otf2")).parent

    def test_the_pages_in_a_browser(self):
        self.make_pages()
        script = pathlib.Path(__file__).resolve().parent / "browser/run.mjs"
        result = subprocess.run(["node", script, self.modules, self.pages, *self.wanted], capture_output=True, text=True, timeout=PATIENCE)
        print(result.stdout, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue([line for line in lines if line.startswith("ok ")])
        self.assertEqual([line for line in lines if line.startswith("not ok ")], [])


if __name__ == "__main__":
    lack = missing(sys.argv[3])
    if lack:
        print(f"skipped: {lack}")
        sys.exit(SKIPPED)
    Pages.modules = sys.argv[3]
    Pages.pages = pathlib.Path(sys.argv[2]).resolve() / "pages"
    Pages.wanted = sys.argv[4:]
    del sys.argv[3:]
    case.main()
