#!/usr/bin/env python3
"""A message names the system's error, and its advice fits this error.

usage: test_messages.py OTTER FOLDER [unittest's arguments]
"""
import os
import re
import shutil
import struct
import subprocess

from case import CommandCase, main

NOBODY = 65534


class Case(CommandCase):
    def record_as(self, user, *arguments, umask=-1, **options):
        """Runs `otter record` as another user, in a folder of that user."""
        if os.geteuid() != 0:
            self.skipTest("only root becomes another user")
        os.chown(self.folder, user, user)
        self.let_others_run_otter()
        return self.record(*arguments, user=user, group=user, extra_groups=[], umask=umask, **options)

    def program(self, name="app"):
        return shutil.copy(self.tool("tasks"), self.folder / name)

    def in_namespace(self, preparation, *arguments):
        """Runs `otter record` after `preparation`, a shell command that may mount file systems."""
        unshare = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
        if not shutil.which("unshare") or subprocess.run([*unshare, "sh", "-c", preparation], cwd=self.folder,
                                                         capture_output=True).returncode:
            self.skipTest("nothing can be mounted here")
        command = preparation + ' && exec "$@"'
        return subprocess.run([*unshare, "sh", "-c", command, "sh", self.otter, "record", *map(str, arguments)], text=True,
                              capture_output=True, cwd=self.folder, env=self.environment)

    def assert_failed(self, result, *words):
        """Checks that the program ran, and that a single message contains these words."""
        self.assertEqual((result.returncode, result.stdout), (0, "10 tasks\n"), result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)


class Folder(Case):
    def test_a_umask_that_locks_the_owner_out_is_named(self):
        result = self.record_as(NOBODY, self.program(), umask=0o777)
        self.assert_failed(result, "cannot make the archive", "umask denies the owner", "(umask 022")
        self.assertEqual(self.archives(), [])

    def test_a_umask_that_locks_others_out_is_none_of_our_business(self):
        result = self.record_as(NOBODY, self.program(), umask=0o077)
        self.assertEqual(len(self.archives()), 1, result.stderr)

    def test_a_name_that_is_too_long_is_named(self):
        for setting, option in (("trace-path", "trace-path"), ("folder", "--output")):
            for path in ("x" * 300, "/".join(["x" * 100] * 50)):
                result = self.record(f"--{setting}={path}", self.program())
                self.assert_failed(result, "file name too long", f"(choose a shorter name with {option})")
        self.assert_failed(self.record(f"--trace-name={'x' * 252}", self.program()), "(choose a shorter name with trace-name)")

    def test_a_file_in_the_place_of_a_folder_is_named(self):
        self.write("file", "")
        for setting in ("trace-path", "folder"):
            result = self.record(f"--{setting}=file/x", self.program())
            self.assert_failed(result, "a part of the path is not a folder", f"(choose another folder with {'--output' if setting == 'folder' else setting})")

    def test_a_full_folder_of_temporary_files_is_no_reason(self):
        (self.folder / "mount").mkdir()
        self.environment["TMPDIR"] = str(self.folder / "mount")
        result = self.in_namespace("mount -t tmpfs -o size=8k none mount && { head -c 100000 /dev/zero >mount/x; true; }",
                                   self.program())
        self.assertEqual(len(self.archives()), 1, result.stderr)
        self.assertNotIn("nothing was recorded", result.stderr)

    def test_a_read_only_file_system_is_named(self):
        (self.folder / "mount").mkdir()
        result = self.in_namespace("mount -t tmpfs -o ro none mount", "--trace-path=mount", self.program())
        self.assert_failed(result, "read-only file system", "(choose another folder with trace-path)")

    def test_recover_says_that_a_file_is_no_recording(self):
        self.write("file", "")
        self.assert_fails(self.run_otter("recover", "file"), 1, "'file' is not a recording")

    def test_recover_says_that_an_archive_is_complete(self):
        self.record("-o", "a", self.program())
        self.assert_fails(self.run_otter("recover", "a"), 1, "'a' is an archive, not a recording: there is nothing to recover")

    def test_an_archive_has_no_name_of_a_recording(self):
        for name in ("a.recording", "a.recording/"):
            self.assert_fails(self.record("-o", name, self.program()), 2, f"'{name}' cannot be the archive's folder",
                              "name another folder")
        self.assertEqual(sorted(os.listdir(self.folder)), ["app"])


class Program(Case):
    def test_without_proc_the_library_is_found(self):
        result = self.in_namespace("mount -t tmpfs none /proc", self.program())
        self.assertEqual(result.stdout, "10 tasks\n", result.stderr)
        self.assertNotIn("installed completely", result.stderr)
        self.assertEqual(len(self.archives()), 1, result.stderr)

    def test_with_rights_of_another_it_is_said_why_nothing_is_recorded(self):
        app = self.program()
        try:
            os.chown(app, NOBODY - 1, NOBODY - 1)
        except PermissionError:
            self.skipTest("only root makes files of others")
        os.chmod(app, 0o4755)
        self.assert_failed(self.record_as(NOBODY, app), "'app' is not recorded: it is setuid or setgid", "record it as its owner")

    def test_with_capabilities_it_is_said_why_nothing_is_recorded(self):
        app = self.program()
        try:  # the capability cap_net_raw=ep, in revision 2
            os.setxattr(app, "security.capability", struct.pack("<IIIII", 0x02000001, 1 << 13, 0, 0, 0))
        except OSError:
            self.skipTest("no capabilities can be given to files here")
        self.assert_failed(self.record_as(NOBODY, app), "'app' is not recorded", "capabilities")

    def test_of_gcc_with_rights_of_another_runs_on_its_own_runtime(self):
        app = shutil.copy(self.tool("tasks_gcc"), self.folder / "app")
        try:
            os.chown(app, NOBODY - 1, NOBODY - 1)
        except PermissionError:
            self.skipTest("only root makes files of others")
        os.chmod(app, 0o4755)
        self.assert_failed(self.record_as(NOBODY, app), "'app' is not recorded")


class Settings(Case):
    def test_the_nearest_name_is_suggested(self):
        for name, meant in [("OTTER_CHUNKSIZE", "OTTER_CHUNK_SIZE"), ("OTTER_QUITE", "OTTER_QUIET"),
                            ("OTTER_TRACE_PAHT", "OTTER_TRACE_PATH"), ("OTTER_MAX_MEM", "OTTER_MAX_MEMORY")]:
            self.environment[name] = "1"
            result = self.record("true")
            del self.environment[name]
            self.assertEqual(result.stderr.splitlines()[0],
                             f"otter: unknown setting '{name}' ignored: did you mean {meant}? (otter info --settings)")

    def test_no_name_is_suggested_where_none_is_near(self):
        self.environment["OTTER_PURPLE"] = "1"
        self.assertEqual(self.record("true").stderr.splitlines()[0],
                         "otter: unknown setting 'OTTER_PURPLE' ignored (otter info --settings lists all)")

    def test_variables_of_module_systems_are_no_settings(self):
        for name in ("OTTER_ROOT", "OTTER_DIR", "OTTER_VERSION"):
            self.environment[name] = "/opt/otter"
            result = self.record("true")
            del self.environment[name]
            self.assertNotIn(name, result.stderr)

    def test_the_nearest_option_is_suggested(self):
        self.assert_fails(self.record("--chunksize=1M", "true"), 2, "option '--chunksize' is unknown: did you mean --chunk-size?")
        self.assert_fails(self.run_otter("info", "--purple"), 2, "option '--purple' is unknown; the options are --all, --json, --settings, --rank, --max-memory, --jobs, --help (")
        self.assert_fails(self.record("--purple", "true"), 2, "option '--purple' is unknown (otter help record)")


class Clock(Case):
    def damage(self, location, time, instead):
        path = self.make("archive", 20, "kokkos")
        events = path / "traces" / f"{location}.evt"
        content = events.read_bytes()
        record = struct.pack("<BQ", 5, time)  # a timestamp
        self.assertEqual(content.count(record), 1)
        events.write_bytes(content.replace(record, struct.pack("<BQ", 5, instead)))
        return path

    def test_a_damaged_one_is_no_basis_of_shares(self):
        for location, time, instead in [(0, 3200, 1100), (1, 3700, 1100), (1, 2500, 4000000), (1, 3000, 4000000)]:
            with self.subTest(time=time, instead=instead):
                path = self.damage(location, time, instead)
                result = self.run_otter("check", path)
                shutil.rmtree(path)
                self.assertRegex(result.stdout, "clock .*damaged")
                self.assertEqual(re.findall(r"[\d.]+ ?%", result.stdout), [])

    def test_a_sound_one_is(self):
        result = self.run_otter("check", self.make("archive", 20, "kokkos"))
        self.assertNotIn("damaged", result.stdout)
        self.assertRegex(result.stdout, r"[\d.]+ ?%")


class Singular(Case):
    def test_one_is_no_plural(self):
        result = self.run_otter("info", self.make("one", 1, "kokkos", "OTTER::LOST", "1"))
        self.assertNotRegex(result.stdout, r"(?<![\d.,])1 (events|files|tasks|regions|locations|launches|labels|syncs)\b")


if __name__ == "__main__":
    main()
