"""What the settings of the plugin change."""

import re
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

Small = Callable[..., Path]
Run = Callable[..., Any]

NETWORK = """
import socket, subprocess, sys, pytest

def test_far():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect_ex(("192.0.2.1", 9))

def test_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()

def test_pair():
    one, other = socket.socketpair()
    one.sendall(b"x")

def test_child():
    code = "import socket; socket.create_connection(('127.0.0.1', 1))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ConnectionRefusedError" in ran.stderr
"""


@pytest.mark.parametrize(
    ("flags", "environ", "failed"),
    [
        ((), {}, {"test_far"}),
        (("--reverie-loopback=block",), {}, {"test_far", "test_loopback", "test_child"}),
        ((), {"ALLOW_NET": "1"}, set()),
    ],
)
def test_network_rules(
    small: Small, run_pytest: Run, flags: tuple[str, ...], environ: dict[str, str], failed: set[str]
) -> None:
    ran = run_pytest(small(NETWORK), "--reverie", *flags, **environ)
    assert {each["test_id"].partition("::")[2] for each in ran.events} == failed


def test_a_child_keeps_its_own_sitecustomize(small: Small, run_pytest: Run) -> None:
    folder = small(
        "import subprocess, sys\n"
        "def test_it():\n"
        "    code = 'import sitecustomize; print(sitecustomize.mine)'\n"
        "    assert subprocess.check_output([sys.executable, '-c', code]) == b'yes\\n'\n"
    )
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text("mine = 'yes'\n")
    ran = run_pytest(folder, "--reverie", PYTHONPATH=str(folder / "site"))
    assert ran.code == 0, ran.out


def test_the_real_clock_on_request(small: Small, run_pytest: Run) -> None:
    folder = small("import time\ndef test_it():\n    assert time.time() > 1.75e9\n")
    assert run_pytest(folder, "--reverie", FREEZE_TIME="0").code == 0


def test_an_instant_of_ones_own_holds_for_conftest_files_and_imports_too(
    small: Small, run_pytest: Run
) -> None:
    folder = small(
        "import datetime\nAT_IMPORT = datetime.date.today().year\n"
        "def test_it(year):\n    assert year == AT_IMPORT == datetime.date.today().year == 1999\n"
    )
    (folder / "conftest.py").write_text(
        "import pytest\nfrom datetime import datetime\nYEAR = datetime.now().year\n"
        "@pytest.fixture\ndef year(): return YEAR\n"
    )
    assert run_pytest(folder, "--reverie", FREEZE_TIME="1999-06-15").code == 0


ORDERED = """
import pytest

class TestA:
    def test_1(self): pass
    def test_2(self): pass
    def test_3(self): pass

class TestB:
    def test_1(self): pass
    def test_2(self): pass
    def test_3(self): pass

@pytest.mark.parametrize("n", range(6))
def test_n(n): pass
"""


def order(ran: Any) -> list[str]:
    return re.findall(r"^(test_\w+\.py::\S+)$", ran.out, re.MULTILINE)


def test_the_random_order_is_that_of_the_seed_and_keeps_neighbours_together(
    small: Small, run_pytest: Run
) -> None:
    folder = small(ORDERED)
    (folder / "test_other.py").write_text(ORDERED)

    def collected(seed: str, *flags: str) -> list[str]:
        line = ("--collect-only", "-q", "--reverie", *flags)
        return order(run_pytest(folder, *line, PYTEST_SEED=seed))

    fixed = collected("1")
    assert len(fixed) == 24
    one, other = (collected(seed, "--reverie-order=random") for seed in ("1", "2"))
    assert one != fixed
    assert one != other
    assert sorted(one) == sorted(other) == sorted(fixed)
    for seen in (one, other):
        files = [test.partition("::")[0] for test in seen]
        assert len([1 for a, b in pairwise(files) if a != b]) == 1
        groups = [test.rpartition("::")[0] for test in seen]
        assert len([1 for a, b in pairwise(groups) if a != b]) == 5


def test_another_seed_gives_other_values(small: Small, run_pytest: Run) -> None:
    folder = small(
        "import random, uuid\ndef test_it():\n    assert 0, (random.random(), uuid.uuid4())\n"
    )
    seen = {
        run_pytest(folder, "--reverie", PYTEST_SEED=seed).events[-1]["message"]
        for seed in ("1", "2")
    }
    assert len(seen) == 2


def test_hypothesis_draws_the_same_examples(small: Small, run_pytest: Run) -> None:
    folder = small(
        "from hypothesis import given, settings, strategies\n"
        "@settings(database=None, max_examples=5)\n"
        "@given(strategies.lists(strategies.integers()))\n"
        "def test_it(numbers):\n    print(numbers)\n"
    )
    line = ("--reverie", "-s", "-q")
    first, second = (run_pytest(folder, *line).out for _ in range(2))
    drawn = [each for each in first.splitlines() if each.startswith("[")]
    assert len(drawn) == 5
    assert drawn == [each for each in second.splitlines() if each.startswith("[")]


def test_time_machine_does_the_work_where_it_is_installed(
    small: Small, run_pytest: Run, not_run: Callable[[str], None]
) -> None:
    if not (Path(sys.prefix) / "beside" / "time-machine").is_dir():
        not_run("time-machine is not beside the virtual environment")
    folder = small(
        "import time, time_machine, pytest\nfrom datetime import datetime\n"
        "def test_frozen():\n"
        "    assert time.time() == datetime.now().timestamp() == 1736942400\n"
        "def test_its_own_travel():\n"
        "    with time_machine.travel(0, tick=False):\n"
        "        assert time.time() == 0\n"
        "    assert time.time() == 1736942400\n"
        "@pytest.mark.clock\ndef test_real():\n    assert time.time() > 1.75e9\n"
    )
    ran = run_pytest(folder, "--reverie", beside=("time-machine",))
    assert ran.code == 0, ran.out
