"""Where srt is looked for, and what it is told."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import IsolationUnavailable, PolicyError
from reverie.model.execution import Policy
from reverie.model.outcome import IsolationTier
from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox.backends import srt
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.policy import check_policy
from reverie.sandbox.profile import Profile, build_config

EVERYTHING = ("node", "bwrap", "socat", "rg", "bash", "env")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH that holds srt, what it needs, and nothing else."""
    package = tmp_path / "lib" / "node_modules" / "@anthropic-ai" / "sandbox-runtime"
    (package / "dist").mkdir(parents=True)
    (package / "package.json").write_text(json.dumps({"name": srt.PACKAGE, "version": "9.9.9"}))
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in EVERYTHING:
        (folder / name).write_text("#!/bin/true\n")
    (package / "dist" / "cli.js").write_text("")
    (folder / "srt").symlink_to(package / "dist" / "cli.js")
    for path in (*folder.iterdir(), package / "dist" / "cli.js"):
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr("sys.executable", str(folder / "python"))
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    return folder


def config(policy: Policy | None = None) -> dict[str, Any]:
    return build_config(Profile.of(IsolationTier.SRT, policy or Policy(), 1 << 20), "/slot", None)


def test_an_installed_srt_is_found_with_its_version(machine: Path) -> None:
    found = srt.find_srt()
    assert found.version == "9.9.9"
    assert found.node == str(machine / "node")
    assert found.modules == str(machine.parent / "lib" / "node_modules")


@pytest.mark.parametrize("absent", ["srt", "node"])
def test_without_srt_the_error_is_the_command_that_installs_it(machine: Path, absent: str) -> None:
    (machine / absent).unlink()
    with pytest.raises(IsolationUnavailable) as caught:
        srt.find_srt()
    assert f"{absent} is not installed" in str(caught.value)
    assert "`npm install -g @anthropic-ai/sandbox-runtime`" in str(caught.value)


@pytest.mark.parametrize("absent", ["bwrap", "socat", "rg"])
def test_without_a_helper_the_error_is_the_command_that_installs_it(
    machine: Path, absent: str
) -> None:
    (machine / absent).unlink()
    with pytest.raises(IsolationUnavailable, match=f"{absent} not installed") as caught:
        srt.find_srt()
    assert "`apt-get install bubblewrap socat ripgrep`" in str(caught.value)


def test_another_program_of_that_name_is_not_believed(machine: Path) -> None:
    (machine / "srt").unlink()
    (machine / "srt").write_text("#!/bin/true\n")
    (machine / "srt").chmod(0o755)
    with pytest.raises(IsolationUnavailable, match="is not @anthropic-ai/sandbox-runtime"):
        srt.find_srt()


def test_a_sandbox_without_srt_says_so_and_takes_nothing_else(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine / "srt").unlink()
    section = SandboxSection(tier=TierChoice.SRT)
    with Sandbox(section) as sandbox, pytest.raises(IsolationUnavailable, match="npm install"):
        sandbox.warm()


def test_everything_is_denied_that_is_not_named(machine: Path) -> None:
    settings = srt.launch(config())["srt"]["settings"]
    assert settings["network"] == {"allowedDomains": [], "deniedDomains": ["*"]}
    assert settings["filesystem"]["denyRead"] == ["/"]
    assert settings["filesystem"]["allowWrite"] == ["/slot"]
    readable = settings["filesystem"]["allowRead"]
    homes = ("/", "/home", "/root", "/etc", "/var", "/tmp", os.path.expanduser("~"))
    assert not set(readable) & set(homes)


def test_what_the_policy_shows_is_readable_and_no_more(machine: Path, tmp_path: Path) -> None:
    plain = srt.launch(config())["srt"]["settings"]["filesystem"]
    wider = srt.launch(config(Policy(readonly=(str(tmp_path),))))["srt"]["settings"]["filesystem"]
    assert set(wider["allowRead"]) - set(plain["allowRead"]) == {str(tmp_path)}
    assert wider["allowWrite"] == plain["allowWrite"]


def test_the_environment_of_reverie_reaches_neither_srt_nor_the_guest(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_PLANTED_SECRET", "planted")
    launch = srt.launch(config())["srt"]
    assert set(launch["environment"]) == {"PATH", "HOME", "TMPDIR", "LANG"}
    assert "planted" not in json.dumps(launch)
    assert [str(machine / "env"), "-i"] == launch["command"][5:7]


def test_the_network_cannot_be_opened() -> None:
    with pytest.raises(PolicyError, match="srt"):
        check_policy(Policy(enable_network=True), IsolationTier.SRT)
