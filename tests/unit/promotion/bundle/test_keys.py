import os
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.promotion.bundle.keys import (
    config_folder,
    own_key,
    parse_public_key,
    read_public_key,
    read_signing_key,
    trusted_keys,
)


def test_a_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "config" / "reverie"
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: own_key(folder).public, range(16)))
    assert len(set(made)) == 1
    assert os.listdir(folder) == ["key.pem"]
    assert (folder / "key.pem").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert own_key(folder).public == made[0]


def test_where_keys_lie() -> None:
    assert config_folder({"HOME": "/home/ada"}) == Path("/home/ada/.config/reverie")
    given = {"HOME": "/home/ada", "XDG_CONFIG_HOME": "/etc/xdg"}
    assert config_folder(given) == Path("/etc/xdg/reverie")
    assert config_folder({**given, "XDG_CONFIG_HOME": "relative"}) == config_folder(
        {"HOME": "/home/ada"}
    )


def test_a_key_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    own_key(tmp_path)
    (tmp_path / "key.pem").chmod(0o640)
    with pytest.raises(UsageError, match="chmod 600"):
        own_key(tmp_path)


@pytest.fixture
def ssh_key(tmp_path: Path, needs_program: Callable) -> Path:
    needs_program("ssh-keygen")
    path = tmp_path / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    return path


def test_keys_of_openssh_are_keys(ssh_key: Path) -> None:
    private, public = read_signing_key(ssh_key), read_public_key(ssh_key.with_suffix(".pub"))
    assert private.public == public
    assert public.verifies(private.sign(b"x"), b"x")
    assert not public.verifies(private.sign(b"x"), b"y")
    assert parse_public_key(public.pem) == public


def test_openssl_reads_the_public_key(
    ssh_key: Path, tmp_path: Path, needs_program: Callable
) -> None:
    needs_program("openssl")
    key = read_public_key(ssh_key.with_suffix(".pub"))
    (tmp_path / "key.pem").write_bytes(key.pem)
    ran = subprocess.run(
        ["openssl", "pkey", "-pubin", "-in", tmp_path / "key.pem", "-pubout"], capture_output=True
    )
    assert ran.stdout == key.pem


def test_what_is_no_key_is_named(tmp_path: Path, needs_program: Callable) -> None:
    needs_program("ssh-keygen")
    other = tmp_path / "rsa"
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", str(other)], check=True
    )
    locked = tmp_path / "locked"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "pw", "-f", str(locked)], check=True)
    (tmp_path / "text").write_text("hello")
    (tmp_path / "text").chmod(0o600)
    for path, reason in [
        (other, "not an Ed25519"),
        (tmp_path / "text", "no private key"),
        (tmp_path / "none", "No such file"),
        (tmp_path, "directory"),
    ]:
        with pytest.raises(UsageError, match=reason):
            read_signing_key(path)
    with pytest.raises(UsageError):
        read_signing_key(locked)
    for path in (other.with_suffix(".pub"), tmp_path / "text"):
        with pytest.raises(UsageError):
            read_public_key(path)


def test_trusted_are_one_s_own_and_those_laid_beside_it(tmp_path: Path, ssh_key: Path) -> None:
    folder = tmp_path / "config"
    assert trusted_keys(folder) == ()
    own = own_key(folder).public
    (folder / "trusted").mkdir()
    (folder / "trusted" / "ada.pub").write_bytes(ssh_key.with_suffix(".pub").read_bytes())
    assert trusted_keys(folder) == (own, read_signing_key(ssh_key).public)
