"""An environment is made from wheels, and from sources built in the sandbox; no network needed."""

import io
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from reverie.environment.declarations import Metadata
from reverie.environment.installers import find_pip
from reverie.environment.lists import Lock
from reverie.environment.making import Made, Recipe, Workplace
from reverie.environment.needs import Needs, Requirement
from reverie.environment.pythons import BasePython, own_version
from reverie.errors import ProgramFailed
from reverie.model.sections import SandboxSection
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.interpreters import own_interpreter

BACKEND = """
import os, zipfile
open("was_built", "w").close()
def build_wheel(folder, settings=None, metadata=None):
    name = "{name}-1.0-py3-none-any.whl"
    home = {{"home": os.path.exists({secret!r})}}
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        wheel.writestr("tinysource.py", f"SEEN = {{home['home']}}\\n")
        wheel.writestr("{name}-1.0.dist-info/METADATA",
                       "Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n")
        wheel.writestr("{name}-1.0.dist-info/WHEEL",
                       "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("{name}-1.0.dist-info/RECORD", "")
    return name
"""


def write_wheel(folder: Path, version: str = "2.0", name: str = "tinywheel") -> None:
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}.py", "VALUE = 2\n")
        wheel.writestr("evil.pth", "import os; os.mkdir(os.environ['MARK'])\n")
        about = f"{name}-{version}.dist-info"
        wheel.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        wheel.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{about}/RECORD", "")


def write_source(folder: Path, secret: Path, builds: str = "tinysource") -> None:
    system = '[build-system]\nrequires = []\nbuild-backend = "own"\nbackend-path = ["."]\n'
    files = {"pyproject.toml": system, "own.py": BACKEND.format(name=builds, secret=str(secret))}
    with tarfile.open(folder / "tinysource-1.0.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"tinysource-1.0/{name}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))


def make(
    tmp_path: Path, *requirements: str, tests: tuple[str, ...] = (), lock: Lock | None = None
) -> Made:
    base = BasePython(own_interpreter().binary, own_version())
    environ = {
        **{name: os.environ[name] for name in ("HOME",) if name in os.environ},
        "PATH": "/usr/bin:/bin", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path / "index"),
        "PIP_CONFIG_FILE": os.devnull, "MARK": str(tmp_path / "pth_was_run"),
    }  # fmt: skip
    if find_pip(base, environ) is None:
        pytest.skip("NOT RUN: there is no pip")
    runtime = tuple(Requirement(each) for each in requirements)
    wanted = tuple(Requirement(each) for each in tests)
    needs = Needs(runtime, wanted, ("pyproject.toml",), Metadata(), None, lock, ())
    metadata = Metadata("shop", "3.1", entry_points={"console_scripts": {"shop": "shop:main"}})
    recipe, place = Recipe(base, needs, metadata), Workplace(tmp_path / "state", environ)
    with Sandbox(SandboxSection()) as sandbox:
        made = place.make(recipe, sandbox, lambda line: None)
    assert place.find(recipe) == made
    return made


def test_wheels_are_laid_out_and_sources_are_built_where_foreign_code_runs(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "secret").write_text("of the user")
    write_wheel(tmp_path / "index")
    write_source(tmp_path / "index", tmp_path / "secret")
    made = make(tmp_path, "tinywheel>=2", "tinysource")
    # Nothing of what was installed has run: neither its .pth nor, out here, its build.
    assert not (tmp_path / "pth_was_run").exists()
    assert not list(tmp_path.rglob("was_built"))
    code = ("import tinywheel, tinysource, importlib.metadata as m\n"
            "print(tinywheel.VALUE, tinysource.SEEN, m.version('shop'))")  # fmt: skip
    environ = {"MARK": str(tmp_path / "mark")}
    ended = subprocess.run(
        [made.python, "-c", code], capture_output=True, text=True, check=True, env=environ
    )
    assert ended.stdout == "2 False 3.1\n"
    assert (made.version, made.label) == (own_version(), "pyproject.toml")
    assert os.access(Path(made.python).parent / "shop", os.X_OK)


def test_a_build_that_makes_another_package_than_asked_for_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    write_source(tmp_path / "index", tmp_path / "secret", builds="pytest")
    with pytest.raises(ProgramFailed, match="what came out is a wheel of pytest"):
        make(tmp_path, "tinysource")
    assert sys.modules.get("tinysource") is None


def test_one_requirement_of_the_tests_that_cannot_be_had_does_not_cost_the_others(
    tmp_path: Path,
) -> None:
    (tmp_path / "index").mkdir()
    write_wheel(tmp_path / "index")
    made = make(tmp_path, tests=("tinywheel", "a-package-that-nobody-has"))
    site = next(Path(made.python).parent.parent.glob("lib/python3*/site-packages"))
    assert (site / "tinywheel.py").exists()
    assert made.notes[0].startswith("without a-package-that-nobody-has: ")


def test_what_the_code_itself_needs_is_never_left_out(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    write_wheel(tmp_path / "index")
    with pytest.raises(ProgramFailed, match="a-package-that-nobody-has"):
        make(tmp_path, "a-package-that-nobody-has", tests=("tinywheel",))


def test_a_locked_version_that_the_index_has_no_more_costs_neither_the_lock_nor_a_requirement(
    tmp_path: Path,
) -> None:
    (tmp_path / "index").mkdir()
    for version in ("2.0", "3.0"):
        write_wheel(tmp_path / "index", version)
        write_wheel(tmp_path / "index", version, "otherwheel")
    lock = Lock("uv.lock", {"otherwheel": "2.0", "tinywheel": "2.5"})
    made = make(tmp_path, "otherwheel", tests=("tinywheel",), lock=lock)
    site = next(Path(made.python).parent.parent.glob("lib/python3*/site-packages"))
    laid = {each.name for each in site.glob("*wheel-*")}
    assert laid == {"otherwheel-2.0.dist-info", "tinywheel-3.0.dist-info"}
    assert made.notes[0].startswith("without the locked version of tinywheel: ")
