"""What `reverie --help` may import. Modules are counted, not milliseconds."""

import subprocess
import sys

import pytest

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
