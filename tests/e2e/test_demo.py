"""The demonstration of `make demo` is true, and says so when it is not."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest


def test_everything_is_as_expected(root: Path) -> None:
    ran = subprocess.run(
        [sys.executable, str(root / "examples" / "sandbox_demo.py")],
        capture_output=True,
        text=True,
        cwd="/",
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "tier in force: " in ran.stdout
    assert "10 of 10 as expected" in ran.stdout or "9 of 9 as expected" in ran.stdout


@pytest.fixture
def demo(root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("sandbox_demo", root / "examples/sandbox_demo.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "sandbox_demo", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "WARM_RUNS", 3)
    return module


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("CRASH", "def crash(): return 1"),
        ("THIEF", "def steal(path): return 'nothing'"),
        ("COMMON_WORDS", "def most_common_words(titles, count=1): return []"),
    ],
)
def test_a_scene_that_comes_out_otherwise_fails_it(
    demo: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    code: str,
) -> None:
    monkeypatch.setattr(demo, name, code)
    assert demo.main() == 1
    assert "✗" in capsys.readouterr().out
