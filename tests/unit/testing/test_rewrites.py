"""Rewrites keep to the shipped contract, ours and those of packages; bad ones are found out."""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import reverie
from reverie.dreamers.optimise.patterns import own_rewrites
from reverie.dreamers.refactor.patterns import own_refactorings
from reverie.dreamers.rewriting.catalogue import added_entries, entries_of
from reverie.errors import UsageError
from reverie.syntax.rewrite_files import Entry
from reverie.testing.rewrites import RewriteContract, complaints_about

PLUGIN = Path(__file__).parents[3] / "examples" / "plugins" / "tidy_rewrites"
OURS = [each for each in (*own_rewrites(), *own_refactorings()) if each.pairs]


class TestThePlugin(RewriteContract):
    @pytest.fixture
    def file(self) -> Path:
        return PLUGIN / "src" / "tidy_rewrites" / "rewrites.toml"


@pytest.mark.parametrize("entry", OURS, ids=lambda each: each.name)
def test_our_pairs_keep_to_it(entry: Entry) -> None:
    plain = "def add(a: int, b: int) -> int:\n    total = a + b\n    return total\n"
    assert complaints_about(replace(entry, silent=(*entry.silent, plain))) == []


@pytest.fixture
def counted() -> Entry:
    (entry,) = [
        e for e in entries_of(str(PLUGIN / "src" / "tidy_rewrites"), "") if "counted" in e.name
    ]
    return entry


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"after": "def f():\n    return 1\n"}, "does not make"),
        ({"after": "def f(:\n"}, "no Python"),
        ({"silent": ()}, "names no source"),
    ],
)
def test_an_example_that_is_not_so_is_found_out(
    counted: Entry, change: dict[str, object], complaint: str
) -> None:
    found = complaints_about(replace(counted, **change))  # type: ignore[arg-type]
    assert any(complaint in each for each in found)


def test_a_rewrite_that_fires_where_it_must_not_is_found_out(counted: Entry) -> None:
    assert "leave alone" in complaints_about(replace(counted, silent=(counted.before,)))[0]


def test_a_rewrite_that_is_never_done_is_found_out() -> None:
    text = "[more]\nsummary = ''\nprecondition = ''\nbefore = '1'\nafter = '1 + 1'\n"
    example = "example.before = 'def f(): return 1'\nexample.after = 'def f(): return 1 + 1'\n"
    from reverie.syntax.rewrite_files import read_entries

    (entry,) = read_entries(text + example, "x")
    assert "it has something to say about its own result" in complaints_about(entry)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The plugin as an installer would lay it down."""
    shutil.copytree(PLUGIN / "src", tmp_path, dirs_exist_ok=True)
    about = tmp_path / "tidy_rewrites-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tidy-rewrites\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text("[reverie.rewrites]\ntidy = tidy_rewrites:FILE\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield about
    sys.modules.pop("tidy_rewrites", None)


def test_rewrites_of_a_package_are_found_by_stage(installed: Path) -> None:
    stages = {stage: [e.name for e in added_entries(stage)] for stage in ("speed", "refactoring")}
    assert stages == {"speed": ["counted_words"], "refactoring": ["walked_items"]}


def test_code_cannot_be_added(installed: Path) -> None:
    file = installed.parent / "tidy_rewrites" / "rewrites.toml"
    text = file.read_text("utf-8")
    start = text.index("before = '''\n$counts")
    file.write_text(text[:start] + "code = 'os'\n" + text[text.index("example.before", start) :])
    with pytest.raises(UsageError, match="no code"):
        added_entries("speed")


TRIED = """\
from pathlib import Path
from reverie.dreamers.refactor.proposals import imagine_refactorings
from reverie.dreamers.optimise.variants import fitting_rewrites
from reverie.dreamers.rewriting.catalogue import added_entries
slow, = added_entries("speed")
clear, = added_entries("refactoring")
print([each.name for each in fitting_rewrites(slow.before)["counted"] if each.name == slow.name])
print([each.pattern for each in imagine_refactorings(clear.before)])
"""


def test_a_fresh_environment_uses_them_once_they_are_installed(tmp_path: Path) -> None:
    home = tmp_path / "env"
    venv.create(home, with_pip=False, symlinks=True)
    site = next((home / "lib").glob("python3*")) / "site-packages"
    (site / "reverie.pth").write_text(f"{Path(reverie.__file__).parents[1]}\n")
    copied = shutil.copytree(PLUGIN, tmp_path / "tidy")
    quiet = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INDEX": "1"}
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps"]
    subprocess.run([*install, "--target", site, copied], check=True, env=quiet)
    done = subprocess.run(
        [home / "bin" / "python", "-c", TRIED], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["['counted_words']", "['walked_items']"]
