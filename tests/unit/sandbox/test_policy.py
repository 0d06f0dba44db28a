import sys
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import PolicyError
from reverie.model.execution import Limits, Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.policy import check_limits, check_policy

NAMESPACES = IsolationTier.NAMESPACES


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "users" / "someone"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    return folder


def refusal(policy: Policy, tier: IsolationTier = NAMESPACES) -> str:
    with pytest.raises(PolicyError) as caught:
        check_policy(policy, tier)
    return str(caught.value)


@pytest.mark.parametrize(
    "path", ["/", "//", "/./", "/etc", "/proc", "/sys", "/dev", "/run", "/var", "/tmp", "/home"]
)
def test_whole_branches_of_the_system_are_refused(path: str) -> None:
    assert path in refusal(Policy(readonly=(path,)))


def test_home_and_everything_above_it_is_refused(home: Path, tmp_path: Path) -> None:
    for path in (home, home.parent, tmp_path, home / "." / "x" / ".."):
        assert "refusing to show all of" in refusal(Policy(readonly=(str(path),)))


def test_a_link_does_not_widen_a_rule(home: Path, tmp_path: Path) -> None:
    link = tmp_path / "innocent"
    link.symlink_to("/")
    assert "refusing" in refusal(Policy(readonly=(str(link),)))
    other = tmp_path / "to-home"
    other.symlink_to(home)
    assert "refusing" in refusal(Policy(readonly=(str(other),)))


def test_a_folder_inside_home_is_allowed(home: Path) -> None:
    project = home / "project"
    project.mkdir()
    check_policy(Policy(readonly=(str(project),)), NAMESPACES)


@pytest.mark.parametrize("path", ["relative", "./x", "", "/usr\0/etc", "~/project"])
def test_a_path_that_is_not_absolute_is_refused(path: str) -> None:
    assert repr(path) in refusal(Policy(readonly=(path,)))


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "no such file" in refusal(Policy(readonly=(str(tmp_path / "absent"),)))


def test_private_copies_need_permission_a_folder_and_the_strong_tier(tmp_path: Path) -> None:
    folder = str(tmp_path)
    file = tmp_path / "file"
    file.write_text("")
    assert "enable_filesystem" in refusal(Policy(private_copies=(folder,)))
    allowed = Policy(enable_filesystem=True, private_copies=(folder,))
    check_policy(allowed, NAMESPACES)
    for tier in (IsolationTier.LANDLOCK, IsolationTier.NONE):
        assert f"not {tier}" in refusal(allowed, tier)
    of_a_file = Policy(enable_filesystem=True, private_copies=(str(file),))
    assert "not a folder" in refusal(of_a_file)
    assert "refusing" in refusal(Policy(enable_filesystem=True, private_copies=("/etc",)))


@pytest.mark.parametrize("name", ["", "A=B", "A\0B", "="])
def test_a_variable_is_passed_by_its_name_only(name: str) -> None:
    assert repr(name) in refusal(Policy(environment=(name,)))


@pytest.mark.parametrize("name", ["", "os; import sys", "a..b", ".a", "a-b", "1a", "a b"])
def test_a_preload_is_a_module_s_name(name: str) -> None:
    assert repr(name) in refusal(Policy(preload=(name,)))


def test_an_interpreter_has_to_be_executable(tmp_path: Path) -> None:
    file = tmp_path / "python"
    file.write_text("")
    for path in (str(file), str(tmp_path / "absent")):
        assert "not an interpreter" in refusal(Policy(python=path))
    check_policy(Policy(python=sys.executable), NAMESPACES)


def test_a_folder_to_work_in_has_to_be_shown(tmp_path: Path) -> None:
    shown, hidden = tmp_path / "shown", tmp_path / "hidden"
    (shown / "inner").mkdir(parents=True)
    hidden.mkdir()
    readonly = (str(shown),)
    check_policy(Policy(readonly=readonly, working_directory=str(shown / "inner")), NAMESPACES)
    check_policy(Policy(working_directory="/tmp"), NAMESPACES)
    check_policy(Policy(working_directory=str(hidden)), IsolationTier.NONE)
    for path in (str(hidden), str(tmp_path), f"{shown}-other"):
        Path(path).mkdir(exist_ok=True)
        message = refusal(Policy(readonly=readonly, working_directory=path))
        assert message == f"working directory {path!r} is not inside a mount"
    assert "not the absolute path" in refusal(Policy(working_directory="relative"))
    assert "import path" in refusal(Policy(readonly=readonly, import_paths=(str(hidden),)))


@pytest.mark.parametrize("name", list(Limits.__dataclass_fields__))
@pytest.mark.parametrize(
    "value", [0, -1, 0.0, float("nan"), float("inf"), 1e15, True, "5", [], None]
)
def test_a_limit_is_a_positive_number(name: str, value: Any) -> None:
    if name == "cpu_seconds" and value is None:
        return
    with pytest.raises(PolicyError, match=f"{name} must be a positive number"):
        check_limits(Limits(**{name: value}))


def test_ordinary_limits_pass() -> None:
    check_limits(Limits())
    check_limits(Limits(wall_seconds=0.001, cpu_seconds=1, memory_bytes=1))


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_hash_seed_is_one_that_python_takes(seed: int) -> None:
    assert refusal(Policy(hash_seed=seed)) == f"not a hash seed: {seed}"
