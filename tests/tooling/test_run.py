"""What a test run leaves out, and what it doesn't let pass."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.fixtures.programs import PROJECT

GOOD = "def test_good(): assert True\n"
SKIPS = "import unittest\ndef test_idle(): raise unittest.SkipTest('not today')\n"
BROWSES = (
    "import pytest\n@pytest.fixture\ndef chromium_path(): return 1/0\ndef test_page(chromium_path): pass\n"
)


OPENS = (
    "from bgmail.store.engine import Store\n"
    "def test_store():\n"
    "    store = Store('sqlite:///left.db')\n"
    "    with store.read(): pass\n"
)


def run(folder: Path, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = browser\n")
    (folder / "test_it.py").write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.fixtures.run", "-p", "xdist", "-n1", *words],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(PROJECT),
            "TMPDIR": str(folder),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_skipped_test_fails_the_run(tmp_path: Path) -> None:
    answer = run(tmp_path, GOOD + SKIPS)
    assert answer.returncode == 1
    assert "here that is a failure" in answer.stdout
    assert run(tmp_path, GOOD).returncode == 0


def test_tests_that_need_a_program_can_be_left_out_and_that_is_said(tmp_path: Path) -> None:
    assert run(tmp_path, GOOD + BROWSES).returncode == 1
    answer = run(tmp_path, GOOD + BROWSES, "--without", "browser")
    assert answer.returncode == 0
    assert "Left out by choice: the tests that need browser." in answer.stdout
    assert "1 passed" in answer.stdout


def test_a_run_leaves_no_folder_behind(tmp_path: Path) -> None:
    run(tmp_path, GOOD)
    assert list(tmp_path.glob("bgmail-*")) == []


def test_a_store_that_is_left_open_fails_the_test_that_opened_it(tmp_path: Path) -> None:
    answer = run(tmp_path, OPENS, "-p", "tests.fixtures.stores")
    assert "the test left a store open: ['sqlite:///left.db']" in answer.stdout
    assert answer.returncode == 1
    assert run(tmp_path, OPENS + "    store.close()\n", "-p", "tests.fixtures.stores").returncode == 0
