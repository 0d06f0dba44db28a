"""The checkout itself: what it holds, and that its scripts can run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import reverie

REGISTRIES = ("py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "npm" + "js.com")


def files(root: Path) -> list[Path]:
    """The files that git knows, or would."""
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={root}", "ls-files", "-coz", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert listed.returncode == 0, listed.stderr
    return [root / name for name in listed.stdout.split("\0") if name and (root / name).is_file()]


def test_no_path_of_a_machine_and_no_registry_is_named(root: Path) -> None:
    forbidden = [*REGISTRIES, f"{root}/"]
    if len(root.parent.parts) > 2:  # `/tmp/` and the like name no machine
        forbidden.append(f"{root.parent}/")
    for path in files(root):
        content = path.read_bytes().decode("utf-8", "replace")
        for text in forbidden:
            assert text not in content, f"{path.relative_to(root)}: {text}"


def test_no_file_is_large(root: Path) -> None:
    large = [path for path in files(root) if path.stat().st_size > 1 << 20]
    assert not large


def test_the_version_is_the_same_everywhere(root: Path) -> None:
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == reverie.__version__


@pytest.mark.parametrize(
    "script", ["scripts/setup.sh", "scripts/lock.sh", "scripts/srt.sh", ".ci/run"]
)
def test_a_script_is_executable_and_parses(root: Path, script: str) -> None:
    assert os.access(root / script, os.X_OK)
    assert subprocess.run(["bash", "-n", str(root / script)]).returncode == 0


LOCKS = ("requirements/dev.txt", "requirements/beside.txt", "requirements/model.txt")


def checkout(root: Path, folder: Path) -> Path:
    """A folder with what the setup script looks at; returns the script."""
    (folder / "scripts").mkdir()
    (folder / "requirements").mkdir()
    for name in ("scripts/setup.sh", "pyproject.toml", *LOCKS):
        (folder / name).write_bytes((root / name).read_bytes())
    return folder / "scripts" / "setup.sh"


def test_setting_up_again_does_nothing(root: Path, tmp_path: Path) -> None:
    script = checkout(root, tmp_path)
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/bin/true")
    state = (
        f'printf "%s\\n" "$PWD" && cat pyproject.toml scripts/setup.sh {" ".join(LOCKS)} | cksum'
    )
    stamp = tmp_path / ".venv" / ".reverie-setup"
    stamp.write_bytes(subprocess.check_output(["bash", "-c", state], cwd=tmp_path))
    before = stamp.stat().st_mtime_ns
    ran = subprocess.run(["bash", str(script)], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert stamp.stat().st_mtime_ns == before


def test_an_unusable_python_is_one_clear_message(root: Path, tmp_path: Path) -> None:
    script = checkout(root, tmp_path)
    environ = {**os.environ, "PYTHON": "/bin/false"}
    ran = subprocess.run(["bash", str(script)], env=environ, capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stderr == (
        "setup: error: no Python 3.11 or newer: tried /bin/false; set PYTHON=/path/to/python\n"
    )


def test_the_sample_repository_passes_its_own_tests(root: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=root / "examples" / "sample_repo",
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout
