"""Where the user's files lie: as the desktop says, and somewhere private where home is closed."""

import os
from pathlib import Path

import pytest

from reverie.home.folder import config_folder, state_folder

CLOSED = "/reverie-no-home"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A home that cannot be written; root could write the real one."""
    monkeypatch.setattr(os, "access", lambda path, mode: path != "/")
    return {"HOME": CLOSED, "TMPDIR": str(tmp_path)}


def test_an_ordinary_home_is_used(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path)}
    assert state_folder(environ) == f"{tmp_path}/.local/state/reverie"
    assert config_folder(environ) == f"{tmp_path}/.config/reverie"
    assert not any(tmp_path.iterdir())


def test_what_the_environment_names_is_used_whatever_it_is() -> None:
    assert state_folder({"HOME": "/x", "XDG_STATE_HOME": "/proc/y"}) == "/proc/y/reverie"


def test_a_home_that_cannot_be_written_is_replaced_by_a_private_folder(
    temporary: dict[str, str], tmp_path: Path
) -> None:
    place = Path(state_folder(temporary))
    private = tmp_path / f"reverie-home-{os.getuid()}"
    assert place == private / ".local/state/reverie"
    assert Path(config_folder(temporary)) == private / ".config/reverie"
    assert private.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_can_read_or_that_is_a_link_is_not_used(
    temporary: dict[str, str], tmp_path: Path
) -> None:
    private = tmp_path / f"reverie-home-{os.getuid()}"
    private.mkdir(mode=0o755)
    assert state_folder(temporary).startswith(CLOSED)
    private.rmdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    private.symlink_to(tmp_path / "elsewhere")
    assert state_folder(temporary).startswith(CLOSED)
