"""Off unless asked for; once on, the hash seed is in force and everything is taken back."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Small = Callable[..., Path]
Run = Callable[..., Any]

LOOK = """
import os, sys, time, pytest

@pytest.mark.clock
@pytest.mark.external
def test_looks():
    pytest.fail(f"{sys.flags.hash_randomization} {type(time.time).__name__} {time.time.__name__}")
"""


def seen_by(ran: Any) -> str:
    return next(line for line in ran.out.splitlines() if "Failed: " in line).partition("Failed: ")[
        2
    ]


def test_it_is_silent_and_replaces_nothing_when_off(small: Small, run_pytest: Run) -> None:
    ran = run_pytest(small(LOOK), "--strict-markers", "-W", "error", PYTHONHASHSEED=None)
    assert seen_by(ran) == "1 builtin_function_or_method time"
    assert "reverie:" not in ran.out
    assert ran.events == ()


def test_off_it_imports_only_its_switch(small: Small, run_pytest: Run) -> None:
    folder = small(
        "import sys\ndef test_it():\n"
        "    ours = {name for name in sys.modules if name.startswith('reverie')}\n"
        "    assert ours == {'reverie_pytest', 'reverie_pytest.plugin', 'reverie_pytest.options'}\n"
    )
    assert run_pytest(folder).code == 0


@pytest.mark.parametrize(
    ("flags", "ini", "environ"),
    [
        ((), "", {"REVERIE": "1"}),
        ((), "reverie = true", {}),
        ((), "addopts = -p reverie_pytest --reverie", {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}),
    ],
)
def test_every_way_to_switch_it_on(
    small: Small, run_pytest: Run, flags: tuple[str, ...], ini: str, environ: dict[str, str]
) -> None:
    ran = run_pytest(small(LOOK, ini), *flags, **environ)
    assert seen_by(ran) == "0 method time"
    header = "reverie: seed 1337, hash seed 0, clock 2025-01-15T12:00:00+00:00, network block, "
    assert header in ran.out
    assert ran.out.count("test session starts") == 1


def test_a_conftest_file_may_ask_for_it(small: Small, run_pytest: Run) -> None:
    folder = small(LOOK)
    (folder / "conftest.py").write_text("pytest_plugins = ['reverie_pytest']\n")
    ran = run_pytest(folder, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", REVERIE="1")
    assert seen_by(ran) == "0 method time"


@pytest.mark.parametrize("how", ["variable", "plugin"])
def test_ways_to_switch_it_off_again(small: Small, run_pytest: Run, how: str) -> None:
    folder = small(LOOK.replace("@pytest.mark.clock\n@pytest.mark.external\n", ""))
    if how == "variable":
        (folder / "pytest.ini").write_text("[pytest]\nreverie = true\n")
        ran = run_pytest(folder, REVERIE="0", PYTHONHASHSEED=None)
    else:
        ran = run_pytest(folder, "-p", "no:reverie_pytest", REVERIE="1", PYTHONHASHSEED=None)
    assert seen_by(ran) == "1 builtin_function_or_method time"


def test_the_restart_keeps_program_arguments_and_exit_code(small: Small, run_pytest: Run) -> None:
    folder = small("import sys\ndef test_it(capfd):\n    print(sys.argv, sys.orig_argv)\n")
    script = Path(sys.executable).with_name("pytest")
    for program in ((sys.executable, "-X", "dev", "-m", "pytest"), (str(script),)):
        arguments = ("--reverie", "-k", "not test_it or (nothing)", "-s")
        ran = run_pytest(folder, *arguments, program=program, PYTHONHASHSEED=None)
        assert ran.code == 5
        assert "hash seed 0" in ran.out
        assert ran.out.count("test session starts") == 1
        assert ran.err == ""


def test_a_given_hash_seed_stays(small: Small, run_pytest: Run) -> None:
    ran = run_pytest(small(LOOK), "--reverie", PYTHONHASHSEED="12")
    assert "hash seed 12" in ran.out
    assert seen_by(ran).startswith("1 ")


def test_where_the_environment_is_ignored_it_says_so(small: Small, run_pytest: Run) -> None:
    program = (sys.executable, "-E", "-m", "pytest")
    ran = run_pytest(small(LOOK), "--reverie", program=program)
    assert "hash seed random" in ran.out
    assert ran.events[0]["env"]["PYTHONHASHSEED"] == "random"


EMBEDDED = """
import datetime, os, random, sys, time, pytest, uuid
print("started")
before = (os.urandom, time.time, random.seed, random.Random.seed, dict(os.environ))
now = datetime.datetime.__dict__["now"]
for _ in range(2):
    code = pytest.main(["-q", "-p", "no:cacheprovider", "--reverie", "test_it.py"])
    assert before == (os.urandom, time.time, random.seed, random.Random.seed, dict(os.environ))
    assert datetime.datetime.__dict__["now"] is now
assert abs(datetime.datetime.now().timestamp() - time.time()) < 60
assert uuid.uuid4() != uuid.uuid4() and "PYTHONPATH" not in os.environ
import socket
assert socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect_ex(("192.0.2.1", 9)) >= 0
sys.exit(code)
"""


def test_embedded_it_does_not_restart_and_takes_everything_back(
    small: Small, run_pytest: Run
) -> None:
    folder = small("import time\ndef test_it():\n    assert time.time() == 1736942400\n")
    (folder / "pytest").write_text(EMBEDDED)
    ran = run_pytest(folder, program=(sys.executable, "pytest"))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("started") == 1


NESTED = """
import time, uuid, pytest
pytest_plugins = ["pytester"]

def test_a_run_within_a_run(pytester):
    pytester.makepyfile("import time\\ndef test_inner():\\n    assert time.time() == 1736942400")
    pytester.inline_run("--reverie", "-p", "no:cacheprovider").assertoutcome(passed=1)
    assert time.time() == 1736942400
    import socket
    with pytest.raises(RuntimeError, match="blocked"):
        socket.create_connection(("192.0.2.1", 9))
"""


def test_a_run_within_a_run_leaves_the_outer_one_as_it_was(small: Small, run_pytest: Run) -> None:
    assert run_pytest(small(NESTED), "--reverie").code == 0


def test_a_wrong_option_is_a_usage_error(small: Small, run_pytest: Run) -> None:
    ran = run_pytest(small("def test_it(): pass\n"), "--reverie", PYTEST_SEED="one")
    assert ran.code == 4
    assert "PYTEST_SEED takes a whole number, not 'one'" in ran.err
    assert "Traceback" not in ran.err + ran.out
