"""What `reverie --help` may import. Modules are counted, not milliseconds."""

import subprocess
import sys

import pytest

import reverie

HEAVY = {"rich", "sqlalchemy", "alembic", "hypothesis", "asyncio", "multiprocessing", "logging"}
ROOMS = {"reverie.settings", "reverie.sandbox", "reverie.store", "reverie.model"}


@pytest.mark.parametrize("line", [["--help"], ["--version"], []])
def test_help_imports_no_room_and_nothing_heavy(line: list[str]) -> None:
    script = (
        "import sys\n"
        "from reverie.interfaces.cli.boundary import run\n"
        f"code = run({line!r}, {{}})\n"
        "print('\\0'.join(sys.modules), file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.returncode == 0
    imported = set(ran.stderr.strip().split("\0"))
    assert "click" in imported
    assert not imported & (HEAVY | ROOMS)


def test_importing_the_package_imports_no_room() -> None:
    script = "import sys, reverie; print('\\0'.join(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    imported = set(ran.stdout.strip().split("\0"))
    assert "reverie" in imported
    assert not imported & (HEAVY | ROOMS | {"click"})


def test_the_public_names_are_there_and_load_no_database() -> None:
    script = "import sys; from reverie import *; print('\\0'.join([*globals(), *sys.modules]))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    there = set(ran.stdout.strip().split("\0"))
    assert set(reverie.__all__) <= there
    assert not there & {"sqlalchemy", "alembic", "rich", "click"}


def test_the_list_of_public_names_is_one() -> None:
    assert len(reverie.__all__) == len(set(reverie.__all__))
    assert {*reverie._HOMES, "__version__"} == set(reverie.__all__)
    assert set(reverie.__all__) <= set(dir(reverie))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        reverie.nothing  # noqa: B018
