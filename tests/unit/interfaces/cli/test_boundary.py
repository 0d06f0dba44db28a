import os
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from reverie.errors import ConfigError, ReverieError, StoreError
from reverie.interfaces.cli import registry
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.registry import Entry


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[[click.Command], None]:
    """Puts a command named `planted` into the registry."""

    def put(command: click.Command) -> None:
        module = types.ModuleType("planted_command")
        module.__spec__ = types.SimpleNamespace()  # type: ignore[assignment]
        module.command = command  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "planted_command", module)
        entries = {**registry.COMMANDS, "planted": Entry("planted_command:command", "Planted.")}
        monkeypatch.setattr("reverie.interfaces.cli.root.COMMANDS", entries)

    return put


def raising(error: BaseException) -> click.Command:
    @click.command(cls=Command, example="reverie planted")
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (ConfigError("slots = 0"), 2, "error: slots = 0"),
        (StoreError("locked"), 3, "error: locked"),
        (ReverieError("a\nb\x1b[1m"), 3, r"error: a b\x1b[1m"),
        (click.UsageError("no\nsuch"), 2, "error: no such"),
        (click.FileError("f", "gone"), 2, "error: Could not open file 'f': gone"),
        (KeyboardInterrupt(), 130, "error: interrupted"),
        (click.Abort(), 130, "error: interrupted"),
        (ZeroDivisionError("oops"), 3, "error: internal ZeroDivisionError: oops"),
    ],
)
def test_every_error_is_one_line_and_an_exit_code(
    cli: Callable, plant: Callable, error: BaseException, code: int, line: str
) -> None:
    plant(raising(error))
    ran = cli("--json", "planted")
    assert (ran.code, ran.out, ran.err) == (code, "", line + "\n")


def test_a_traceback_only_with_debug(cli: Callable, plant: Callable) -> None:
    plant(raising(StoreError("locked")))
    assert "Traceback" not in cli("planted").err
    ran = cli("planted", "--debug")
    assert "Traceback" in ran.err
    assert ran.err.endswith("error: locked\n")


@pytest.mark.parametrize("result", [None, 0, 1])
def test_a_command_returns_its_exit_code(cli: Callable, plant: Callable, result: int) -> None:
    @click.command(cls=Command, example="reverie planted")
    def command() -> int:
        return result

    plant(command)
    assert cli("planted").code == (result or 0)


@pytest.mark.parametrize("line", [("--json", "planted"), ("planted", "--json")])
def test_shared_options_stand_before_or_after(
    cli: Callable, plant: Callable, tmp_path: Path, line: tuple[str, ...]
) -> None:
    seen: list[App] = []

    @click.command(cls=Command, example="reverie planted")
    @click.pass_obj
    def command(app: App) -> None:
        seen.append(app)

    plant(command)
    assert cli(*line, "--repo", str(tmp_path), "--log-level", "info").code == 0
    [app] = seen
    assert (app.json, app.repository.path, app.settings.logging.level) == (True, tmp_path, "info")


def test_a_flag_of_a_setting(cli: Callable, plant: Callable, tmp_path: Path) -> None:
    seen: list[object] = []

    @click.command(cls=Command, example="reverie planted")
    @setting_option("sandbox.timeout_seconds")
    @setting_option("sandbox.enable_network")
    @click.pass_obj
    def command(app: App) -> None:
        sandbox = app.settings.sandbox
        seen.append((sandbox.timeout_seconds, sandbox.enable_network))

    plant(command)
    repo = ("--repo", str(tmp_path))
    assert cli("planted", *repo, "--timeout", "2.5", "--enable-network").code == 0
    assert cli("planted", *repo, "--no-enable-network").code == 0
    assert seen == [(2.5, True), (30.0, False)]
    ran = cli("planted", *repo, "--timeout", "never")
    assert ran.code == 2
    assert ran.err == (
        "error: sandbox.timeout_seconds = 'never' (--timeout): "
        "expected a time such as 90s, 10m or 1h, from 0.01s to 24h\n"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (("nosuch",), "No such command 'nosuch'"),
        (("config", "--nosuch"), "--nosuch"),
        (("config", "extra"), "extra"),
        (("--repo",), "requires an argument"),
        (("--json",), "no command given"),
        (("config", "--repo", "/nowhere"), "not a folder"),
        (("config", "--log-level", "loud"), "logging.level = 'loud' (--log-level)"),
    ],
)
def test_wrong_usage_is_one_line_and_two(
    cli: Callable, line: tuple[str, ...], message: str
) -> None:
    ran = cli(*line)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1
    assert message in ran.err


def test_no_command_is_help(cli: Callable) -> None:
    ran = cli()
    assert ran.code == 0
    assert ran.out == cli("--help").out


def test_the_version(cli: Callable) -> None:
    import reverie

    assert cli("--version").out == f"reverie {reverie.__version__}\n"


def test_a_closed_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        [sys.executable, "-m", "reverie", "--help"], stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (141, b"")


def test_a_terminal_that_lacks_a_character_gets_its_escape() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "reverie", "config", "--repo", "/nowhere/漢"],
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
    )
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert rb"/nowhere/\u6f22" in ran.stderr
