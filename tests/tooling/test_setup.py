"""`.ci/setup` on machines made of a folder: what is on their PATH, who runs it, what apt would bring."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fixtures.programs import PROJECT

EVERYWHERE = ["cat", "chmod", "cmp", "cp", "dirname", "grep", "head", "mkdir"]
EVERYWHERE += ["mv", "readlink", "rm", "sed", "sh", "sort", "touch"]

PYTHON = """#!/bin/sh
case "$*" in
    "-c import ensurepip"*) [ -e {root}/ensurepip ] ;;
    "-c import sys; print"*) echo 3.11 ;;
    "-c "*) exit 0 ;;
    --version) echo "Python 3.11.9" ;;
    "-m venv --clear .venv")
        mkdir -p .venv/bin .venv/lib/python3.11/site-packages/playwright/driver
        cp "$0" .venv/bin/python
        cp {root}/node .venv/lib/python3.11/site-packages/playwright/driver/node ;;
    "-m pip install"*) echo "pip $*" >>{root}/asked && [ ! -e {root}/offline ] ;;
    *) exit 9 ;;
esac
"""
APT = """#!/bin/sh
echo "apt-get $*" >>{root}/asked
case "$*" in
    *" install python3-venv") touch {root}/ensurepip ;;
    *" install chromium-headless-shell") cp {root}/browser {root}/bin/chromium-headless-shell ;;
    *" install chromium") cp {root}/browser {root}/bin/chromium ;;
    *" install libatomic1") touch {root}/libatomic ;;
    *" install gnubg") mkdir -p {root}/games && cp {root}/browser {root}/games/gnubg ;;
    *" install postfix") mkdir -p {root}/daemons && cp {root}/browser {root}/daemons/postfix ;;
    *" install postgresql")
        cat {root}/clusters/*.conf >>{root}/asked
        mkdir -p {root}/servers/15/bin
        cp {root}/browser {root}/servers/15/bin/initdb
        cp {root}/browser {root}/servers/15/bin/postgres ;;
esac
"""
BROWSER = "#!/bin/sh\necho 'Chromium 156'\n"
SNAP = "#!/bin/sh\n[ -x /snap/bin/chromium ] || echo 'snap install chromium'\nexec /snap/bin/chromium\n"
NODE = "#!/bin/sh\n[ -e {root}/libatomic ]\n"
BROKEN = "#!/bin/sh\necho 'pyenv: no such version' >&2\nexit 127\n"


@dataclass(frozen=True)
class Lacking:
    """A program that the machine lacks, and what leaves it out."""

    program: str

    @property
    def files(self) -> list[str]:
        return ["initdb", "postgres"] if self.program == "postgresql" else [self.program]

    @property
    def switch(self) -> str:
        return {"chromium": "BROWSER", "gnubg": "GNUBG", "postgresql": "PG", "postfix": "POSTFIX"}[
            self.program
        ]


class Machine:
    """A machine with a clone of this project. At first there is a Python without ensurepip, no more."""

    def __init__(self, root: Path) -> None:
        self.root, self.bin, self.clone = root, root / "bin", root / "clone"
        self.bin.mkdir()
        for name in EVERYWHERE:
            (self.bin / name).symlink_to(Path(str(shutil.which(name))).resolve())
        self.program("browser", BROWSER, folder="")
        self.program("node", NODE, folder="")
        self.program("python3.11", PYTHON)
        self.user(1000)
        self._clone()

    def _clone(self) -> None:
        (self.clone / ".ci").mkdir(parents=True)
        for name in ("requirements.txt", "requirements-dev.txt", ".ci/constraints.txt", ".ci/bench.txt"):
            shutil.copy(PROJECT / name, self.clone / name)
        script = (PROJECT / ".ci/setup").read_text()
        for there, here in (
            ("/usr/games", "games"),
            ("/usr/sbin", "daemons"),
            ("/usr/lib/postgresql/*/bin", "servers/*/bin"),
            ("/etc/postgresql-common/createcluster.d", "clusters"),
        ):
            assert there in script
            script = script.replace(there, str(self.root / here))
        self.program("setup", script, folder="clone/.ci")

    def program(self, name: str, text: str, folder: str = "bin") -> Path:
        path = self.root / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{root}", str(self.root)))
        path.chmod(0o755)
        return path

    def user(self, number: int) -> None:
        self.program("id", f"#!/bin/sh\necho {number}\n")

    def root_with_apt(self) -> None:
        self.user(0)
        self.program("apt-get", APT)

    def complete(self) -> None:
        """Everything that app and tests need."""
        (self.root / "ensurepip").touch()
        (self.root / "libatomic").touch()
        for name in ("chromium", "gnubg", "initdb", "postgres", "postfix"):
            self.program(name, BROWSER)

    def setup(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.clone / ".ci/setup", *words],
            env={"PATH": os.fspath(self.bin), **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def asked(self) -> list[str]:
        """What was asked of the network, line by line."""
        file = self.root / "asked"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_packages_are_installed_once_and_the_second_run_asks_no_network(machine: Machine) -> None:
    machine.complete()
    first = machine.setup("app")
    assert first.returncode == 0, first.stderr
    assert [line.split()[-1] for line in machine.asked] == ["requirements.txt"]
    second = machine.setup("app")
    assert (second.returncode, second.stdout, len(machine.asked)) == (0, "", 1)


def test_what_tests_installed_serves_the_app_too(machine: Machine) -> None:
    machine.complete()
    for words in ("tests", "tests", "app"):
        assert machine.setup(words).returncode == 0
    assert [line.split()[-1] for line in machine.asked] == ["requirements-dev.txt"]


def test_the_other_engines_of_the_benches_come_on_top_and_only_for_them(machine: Machine) -> None:
    machine.complete()
    for words in ("bench", "bench", "tests", "app"):
        assert machine.setup(words).returncode == 0
    assert [line.split()[-1] for line in machine.asked] == [".ci/bench.txt"]


def test_a_changed_pin_is_installed(machine: Machine) -> None:
    machine.complete()
    machine.setup("app")
    with (machine.clone / ".ci/constraints.txt").open("a") as pins:
        pins.write("six==1.17.0\n")
    assert machine.setup("app").returncode == 0
    assert len(machine.asked) == 2


def test_an_install_that_failed_is_tried_again(machine: Machine) -> None:
    machine.complete()
    (machine.root / "offline").touch()
    assert machine.setup("app").returncode != 0
    (machine.root / "offline").unlink()
    assert machine.setup("app").returncode == 0
    assert len(machine.asked) == 2


def test_a_broken_environment_is_made_anew(machine: Machine) -> None:
    machine.complete()
    machine.setup("app")
    machine.program("python", BROKEN, folder="clone/.venv/bin")
    answer = machine.setup("app")
    assert (answer.returncode, "Making .venv" in answer.stdout) == (0, True)


def test_a_shim_that_leads_nowhere_is_passed_over(machine: Machine) -> None:
    machine.complete()
    (machine.bin / "python3.11").rename(machine.bin / "python3.13")
    machine.program("python3.11", BROKEN)
    machine.program("python3", BROKEN)
    answer = machine.setup("app")
    assert (answer.returncode, f"{machine.bin}/python3.13" in answer.stdout) == (0, True)


def test_a_second_python_of_the_same_name_is_found_behind_a_broken_one(machine: Machine) -> None:
    machine.complete()
    machine.program("python3.11", BROKEN, folder="shims")
    answer = machine.setup("app", PATH=f"{machine.root}/shims:{machine.bin}")
    assert (answer.returncode, f"{machine.bin}/python3.11" in answer.stdout) == (0, True)


def test_without_a_python_that_is_new_enough_it_says_what_to_type(machine: Machine) -> None:
    machine.program("python3.11", BROKEN)
    answer = machine.setup("app")
    assert answer.returncode == 1
    assert "sudo apt-get install python3 python3-venv" in answer.stderr
    assert not (machine.clone / ".venv").exists()


def test_root_gets_a_missing_ensurepip_by_apt(machine: Machine) -> None:
    machine.root_with_apt()
    (machine.bin / "python3").symlink_to("python3.11")
    answer = machine.setup("app")
    assert answer.returncode == 0, answer.stderr
    assert [line.split()[-1] for line in machine.asked] == ["update", "python3-venv", "requirements.txt"]


@pytest.mark.parametrize("user", [0, 1000], ids=["root where there is no apt", "another user"])
def test_without_ensurepip_it_says_what_to_type_and_stops(machine: Machine, user: int) -> None:
    machine.user(user)
    if user:
        machine.program("apt-get", APT)
    (machine.bin / "python3").symlink_to("python3.11")
    answer = machine.setup("app")
    assert answer.returncode == 1
    assert "    sudo apt-get install python3-venv\n" in answer.stderr
    assert machine.asked == []


def test_a_python_that_is_not_debians_own_needs_its_own_package(machine: Machine) -> None:
    assert "sudo apt-get install python3.11-venv\n" in machine.setup("app").stderr


@pytest.fixture(params=["chromium", "gnubg", "postgresql", "postfix"])
def lacking(machine: Machine, request: pytest.FixtureRequest) -> Lacking:
    lacking = Lacking(request.param)
    machine.complete()
    for name in lacking.files:
        (machine.bin / name).unlink()
    return lacking


def test_root_gets_a_missing_program_by_apt(machine: Machine, lacking: Lacking) -> None:
    machine.root_with_apt()
    answer = machine.setup("tests")
    assert answer.returncode == 0, answer.stderr
    assert f"apt-get -qq -y --no-install-recommends install {lacking.program}" in machine.asked
    assert machine.setup("find", lacking.program).stdout.startswith(str(machine.root))


@pytest.mark.parametrize("known", [True, False])
def test_chromium_without_windows_comes_where_it_is_a_package(machine: Machine, known: bool) -> None:
    machine.complete()
    machine.root_with_apt()
    machine.program("apt-cache", f"#!/bin/sh\nexit {0 if known else 100}\n")
    assert machine.setup("tests").returncode == 0
    name = "chromium-headless-shell" if known else "chromium"
    assert machine.setup("find", "headless").stdout == f"{machine.bin}/{name}\n"
    assert machine.setup("find", "chromium").stdout == f"{machine.bin}/chromium\n"


def test_the_browser_that_was_named_serves_for_both(machine: Machine) -> None:
    machine.complete()
    machine.program("chromium-headless-shell", BROWSER)
    mine = machine.program("mine", BROWSER, folder="elsewhere")
    assert machine.setup("find", "headless", BGMAIL_CHROMIUM=str(mine)).stdout == f"{mine}\n"


def test_anybody_else_is_told_the_line_to_type(machine: Machine, lacking: Lacking) -> None:
    machine.program("apt-get", APT)
    answer = machine.setup("tests")
    assert answer.returncode == 1
    assert f"    sudo apt-get install {lacking.program}\n" in answer.stderr
    assert f"make test {lacking.switch}=no" in answer.stderr
    assert machine.asked == []


def test_a_program_can_be_left_out_and_that_is_said(machine: Machine, lacking: Lacking) -> None:
    answer = machine.setup("tests", **{lacking.switch: "no"})
    assert answer.returncode == 0, answer.stderr
    assert f"{lacking.switch}=no: leaves out the tests that need" in answer.stdout


def test_another_word_than_no_is_not_guessed(machine: Machine, lacking: Lacking) -> None:
    answer = machine.setup("tests", **{lacking.switch: "maybe"})
    assert answer.returncode == 1
    assert f"{lacking.switch}=maybe is not understood: say {lacking.switch}=no" in answer.stderr


def test_where_a_program_is_can_be_asked(machine: Machine, lacking: Lacking) -> None:
    assert machine.setup("find", lacking.program).returncode == 1
    for name in lacking.files:
        machine.program(name, BROWSER)
    assert machine.setup("find", lacking.program).stdout.startswith(str(machine.bin))


def test_postgresql_comes_without_a_cluster_of_its_own(machine: Machine) -> None:
    machine.complete()
    (machine.bin / "initdb").unlink()
    machine.root_with_apt()
    assert machine.setup("tests").returncode == 0
    assert "create_main_cluster = false" in machine.asked
    assert list((machine.root / "clusters").iterdir()) == []


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_a_browser_from_a_snap_is_refused(machine: Machine, name: str) -> None:
    machine.complete()
    (machine.bin / "chromium").unlink()
    machine.program(name, SNAP)
    answer = machine.setup("tests")
    assert (answer.returncode, "from a snap" in answer.stderr) == (1, True)


def test_a_link_into_a_snap_is_refused(machine: Machine) -> None:
    machine.complete()
    (machine.bin / "chromium").unlink()
    machine.program("snap", BROWSER)
    (machine.bin / "chromium").symlink_to("snap")
    assert machine.setup("find", "chromium").returncode == 1


def test_a_real_browser_behind_a_snap_is_taken(machine: Machine) -> None:
    machine.complete()
    machine.program("chromium", SNAP)
    machine.program("google-chrome", BROWSER)
    assert machine.setup("find", "chromium").stdout == f"{machine.bin}/google-chrome\n"


def test_the_browser_that_was_named_wins(machine: Machine) -> None:
    machine.complete()
    mine = machine.program("my browser", BROWSER, folder="elsewhere")
    assert machine.setup("find", "chromium", BGMAIL_CHROMIUM=str(mine)).stdout == f"{mine}\n"


@pytest.mark.parametrize("text", [SNAP, BROKEN, None], ids=["snap", "broken", "absent"])
def test_a_named_browser_that_does_not_work_is_not_replaced_by_another(
    machine: Machine, text: str | None
) -> None:
    machine.complete()
    machine.root_with_apt()
    mine = machine.root / "mine"
    if text:
        machine.program("mine", text, folder="")
    answer = machine.setup("tests", BGMAIL_CHROMIUM=str(mine))
    assert (answer.returncode, f"BGMAIL_CHROMIUM is {mine}" in answer.stderr) == (1, True)
    assert machine.asked == []


def test_root_gets_what_the_driver_of_the_browser_lacks(machine: Machine) -> None:
    machine.complete()
    machine.root_with_apt()
    (machine.root / "libatomic").unlink()
    assert machine.setup("tests").returncode == 0
    assert machine.asked[-1].endswith("install libatomic1")


def test_anybody_else_is_told_what_the_driver_of_the_browser_lacks(machine: Machine) -> None:
    machine.complete()
    (machine.root / "libatomic").unlink()
    answer = machine.setup("tests")
    assert (answer.returncode, "    sudo apt-get install libatomic1\n" in answer.stderr) == (1, True)
    assert machine.setup("tests", BROWSER="no").returncode == 0


def test_the_newest_postgresql_is_taken(machine: Machine) -> None:
    for version in ("9", "16", "15"):
        for name in ("initdb", "postgres"):
            machine.program(name, BROWSER, folder=f"servers/{version}/bin")
    assert machine.setup("find", "postgresql").stdout == f"{machine.root}/servers/16/bin\n"
