"""Seals are made with the user's key, and believed with no other."""

import gzip
from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.home import sealed_file
from reverie.home.key_file import own_key_bytes
from reverie.home.seal import Seal, user_seal
from reverie.home.sealed_file import read_sealed, unpacked, write_sealed


def test_a_tag_fits_its_content_and_purpose_alone() -> None:
    seal = Seal(b"k" * 32)
    tag = seal.tag("a", b"one", b"two")
    assert seal.fits(tag, "a", b"one", b"two")
    assert not seal.fits(tag, "b", b"one", b"two")
    assert not seal.fits(tag, "a", b"onet", b"wo")
    assert not seal.fits(tag, "a", b"one")
    assert not Seal(b"j" * 32).fits(tag, "a", b"one", b"two")
    for nonsense in (None, 3, "", "é" * 64, b"x"):
        assert not seal.fits(nonsense, "a", b"one", b"two")


def test_the_key_is_the_one_that_signs_and_is_made_on_first_use(tmp_path: Path) -> None:
    from reverie.promotion.bundle.keys import own_key

    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    first = user_seal(environ)
    assert (tmp_path / "reverie" / "key.pem").stat().st_mode & 0o777 == 0o600
    signing = own_key(tmp_path / "reverie")
    assert signing.private.private_bytes_raw() != first.key
    assert user_seal(environ) == first
    assert first.is_lasting


def test_without_a_key_that_lasts_nothing_is_believed_later(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "file")}
    with pytest.raises(UsageError, match="XDG_CONFIG_HOME"):
        own_key_bytes(str(tmp_path / "file" / "reverie"))
    assert not user_seal(environ).is_lasting


def test_a_key_that_others_can_read_is_none(tmp_path: Path) -> None:
    own_key_bytes(str(tmp_path))
    (tmp_path / "key.pem").chmod(0o644)
    with pytest.raises(UsageError, match="chmod 600"):
        own_key_bytes(str(tmp_path))


def test_nothing_is_unpacked_that_is_not_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.json.gz"
    write_sealed(path, "a", "[1]")
    assert read_sealed(path, "a") == [1]
    assert read_sealed(path, "b") is None
    path.write_bytes(b"0" * 64 + b"\n" + gzip.compress(b"[1]"))
    monkeypatch.setattr(sealed_file, "unpacked", None)  # would raise if it were called
    assert read_sealed(path, "a") is None
    assert read_sealed(tmp_path / "none", "a") is None


def test_what_is_unpacked_is_bounded() -> None:
    bomb = gzip.compress(b" " * (8 << 20))
    assert len(bomb) < 1 << 14
    with pytest.raises(ValueError, match="more than 1048576 bytes"):
        unpacked(bomb, 1 << 20)
    assert unpacked(gzip.compress(b"abc"), 3) == b"abc"
    with pytest.raises(EOFError):
        unpacked(gzip.compress(b"abc")[:-9], 3)
