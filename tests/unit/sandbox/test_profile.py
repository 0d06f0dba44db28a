import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import reverie.sandbox.profile as profile_module
from reverie.errors import PolicyError
from reverie.model.execution import Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.interpreters import interpreter_at, own_interpreter
from reverie.sandbox.profile import Profile, build_config

NAMESPACES, LANDLOCK = IsolationTier.NAMESPACES, IsolationTier.LANDLOCK


def config(policy: Policy, tier: IsolationTier = NAMESPACES) -> dict[str, Any]:
    return build_config(Profile.of(tier, policy, 1 << 20), "/scratch-here", None)


def shown(policy: Policy, tier: IsolationTier = NAMESPACES) -> list[tuple[str, str]]:
    return list(config(policy, tier)["readonly"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "repository"
    (inner / "src").mkdir(parents=True)
    return inner


def test_a_seed_does_not_make_another_profile() -> None:
    first, second = (Profile.of(NAMESPACES, Policy(seed=seed), 1) for seed in (1, None))
    assert first == second
    assert first != Profile.of(NAMESPACES, Policy(preload=("json",)), 1)
    assert first != Profile.of(NAMESPACES, Policy(hash_seed=1), 1)
    assert first != Profile.of(LANDLOCK, Policy(), 1)
    assert first != Profile.of(NAMESPACES, Policy(), 2)


def test_a_folder_is_shown_at_its_own_path(folder: Path) -> None:
    assert (str(folder), str(folder)) in shown(Policy(readonly=(str(folder),)))


def test_a_link_is_shown_under_both_names(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    pairs = shown(Policy(readonly=(str(link),)))
    assert (str(folder), str(folder)) in pairs
    assert (str(folder), str(link)) in pairs


def test_a_folder_inside_a_shown_one_is_not_mounted_again(folder: Path) -> None:
    pairs = shown(Policy(readonly=(str(folder / "src"), str(folder))))
    assert [target for _, target in pairs if target.startswith(str(folder))] == [str(folder)]


def test_folders_with_a_common_beginning_are_told_apart(folder: Path) -> None:
    other = folder.with_name("repository-2")
    other.mkdir()
    targets = [target for _, target in shown(Policy(readonly=(str(folder), str(other))))]
    assert {str(folder), str(other)} <= set(targets)


def test_mounts_come_in_an_order_that_can_be_nested(folder: Path) -> None:
    targets = [target for _, target in shown(Policy(readonly=(str(folder),)))]
    assert targets == sorted(targets)


def test_the_interpreter_can_be_seen() -> None:
    for tier in (NAMESPACES, LANDLOCK):
        targets = [target for _, target in shown(Policy(), tier)]
        for prefix in (sys.prefix, sys.base_prefix):
            inside = [*targets, "/usr"] if tier is NAMESPACES else targets
            assert any(prefix == each or prefix.startswith(f"{each}/") for each in inside)


def test_the_system_is_only_listed_where_there_is_no_root_of_its_own() -> None:
    assert "/usr" in [target for _, target in shown(Policy(), LANDLOCK)]
    names = [target for _, target in shown(Policy(), LANDLOCK)]
    assert "/etc/ssl" not in names
    with_network = shown(Policy(enable_network=True), LANDLOCK)
    assert "/etc/hosts" in [target for _, target in with_network]


def test_variables_are_passed_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_GIVEN", "x")
    monkeypatch.setenv("REVERIE_SECRET", "y")
    environment = config(Policy(environment=("REVERIE_GIVEN", "REVERIE_ABSENT")))["environment"]
    assert environment["REVERIE_GIVEN"] == "x"
    assert "y" not in environment.values()
    assert environment["HOME"] == f"/home/{environment['USER']}"
    assert environment["TMPDIR"] == "/tmp"
    assert environment["PATH"].split(":")[0] == os.path.dirname(sys.executable)


def test_scratch_is_the_host_s_only_without_namespaces() -> None:
    found = config(Policy())
    assert found["scratch"] == ["/tmp", "/dev/shm", found["environment"]["HOME"]]
    weaker = config(Policy(), LANDLOCK)
    assert (weaker["scratch"], weaker["scratch_mode"]) == (["/scratch-here"], 0o700)
    assert weaker["working_directory"] == "/scratch-here"


def families(policy: Policy, tier: IsolationTier = NAMESPACES) -> list[int]:
    return list(config(policy, tier)["socket_families"])


def test_sockets_follow_the_policy(folder: Path) -> None:
    internet = [2, 10]
    assert families(Policy()) == internet
    assert families(Policy(readonly=(str(folder),))) == internet
    assert families(Policy(enable_network=True)) == internet
    assert families(Policy(), LANDLOCK) == []
    assert families(Policy(enable_network=True), LANDLOCK) == internet


def test_a_private_copy_is_at_the_place_of_its_original(folder: Path) -> None:
    policy = Policy(enable_filesystem=True, private_copies=(str(folder),))
    (pair,) = config(policy)["copies"]
    assert (pair["source"], pair["copy"]) == (str(folder), str(folder))


class TestInterpreters:
    def make(self, folder: Path, version: str = "3.12") -> Path:
        for name in ("bin", f"lib/python{version}/site-packages"):
            (folder / name).mkdir(parents=True)
        binary = folder / "bin" / f"python{version}"
        binary.write_text("")
        binary.chmod(0o755)
        return binary

    def test_an_installation_is_its_own_prefix(self, tmp_path: Path) -> None:
        binary = self.make(tmp_path / "base")
        found = interpreter_at(str(binary))
        assert (found.executable, found.binary) == (str(binary), str(binary))
        assert found.prefix == str(tmp_path / "base")
        assert found.site_packages == (str(tmp_path / "base/lib/python3.12/site-packages"),)

    def test_a_virtual_environment_shows_its_base_too(self, tmp_path: Path) -> None:
        binary = self.make(tmp_path / "base")
        environment = tmp_path / "env"
        (environment / "bin").mkdir(parents=True)
        (environment / "lib/python3.12/site-packages").mkdir(parents=True)
        (environment / "pyvenv.cfg").write_text("")
        link = environment / "bin" / "python"
        link.symlink_to(binary)
        found = interpreter_at(str(link))
        assert (found.executable, found.binary) == (str(link), str(binary))
        assert found.prefix == str(environment)
        assert set(found.folders) == {str(tmp_path / "base"), str(environment)}
        assert found.site_packages == (str(environment / "lib/python3.12/site-packages"),)

    def test_of_several_versions_in_one_prefix_its_own_packages_count(self, tmp_path: Path) -> None:
        self.make(tmp_path / "base", "3.12")
        (tmp_path / "base/lib/python3.13/site-packages").mkdir(parents=True)
        found = interpreter_at(str(tmp_path / "base/bin/python3.12"))
        assert found.site_packages == (str(tmp_path / "base/lib/python3.12/site-packages"),)

    def test_an_interpreter_without_a_prefix_would_show_everything(self) -> None:
        with pytest.raises(PolicyError, match="no prefix"):
            interpreter_at("/python")

    def test_another_binary_is_another_interpreter(self, tmp_path: Path) -> None:
        binary = self.make(tmp_path / "base")
        other = config(Policy(python=str(binary)))
        assert other["interpreter"] == str(binary)
        assert other["launcher"] == own_interpreter().binary
        own = config(Policy(python=sys.executable))
        assert own["interpreter"] == own["launcher"]


def test_pytest_is_kept_from_a_plugin_that_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    own = own_interpreter()
    home = str(Path(profile_module.__file__).parents[2])
    for folders, is_shown in (((home,), True), (("/nowhere", f"{home}2"), False)):
        interpreter = replace(own, folders=folders)
        monkeypatch.setattr(profile_module, "own_interpreter", lambda each=interpreter: each)
        environment = profile_module._environment(Policy(), interpreter, {})
        assert ("PYTEST_ADDOPTS" not in environment) is is_shown
