"""What is unpacked lies inside, with every Python: 3.11 learnt to filter in its fourth release."""

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.home.archives import extract_one_by_one, extract_plain


def packed(*members: tuple[str, bytes, str]) -> tarfile.TarFile:
    """Members by name, kind and what they hold or where they lead."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, kind, text in members:
            member = tarfile.TarInfo(name)
            member.type, member.mode, member.uid = kind, 0o4777, 12345
            member.linkname = text if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            member.size = len(text) if kind == tarfile.REGTYPE else 0
            archive.addfile(member, io.BytesIO(text.encode()) if member.size else None)
    return tarfile.open(fileobj=io.BytesIO(target.getvalue()))


@pytest.mark.parametrize("extract", [extract_plain, extract_one_by_one])
def test_files_and_links_inside_are_laid_out(
    tmp_path: Path, extract: Callable[[tarfile.TarFile, Path], None]
) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    extract(
        packed(
            ("shop/a.py", tarfile.REGTYPE, "A = 1\n"),
            ("shop/b.py", tarfile.SYMTYPE, "a.py"),
            ("tests/a.py", tarfile.SYMTYPE, "../shop/a.py"),
        ),
        folder,
    )
    assert (folder / "tests/a.py").read_text() == (folder / "shop/b.py").read_text() == "A = 1\n"
    assert (folder / "shop/a.py").stat().st_mode & 0o7022 == 0


@pytest.mark.parametrize("extract", [extract_plain, extract_one_by_one])
@pytest.mark.parametrize(
    "members",
    [
        [("../a.py", tarfile.REGTYPE, "A")],
        [("a", tarfile.SYMTYPE, "/etc/passwd")],
        [("a", tarfile.SYMTYPE, "../there-too")],
        [("a", tarfile.LNKTYPE, "../secret")],
        [("l", tarfile.SYMTYPE, "."), ("m", tarfile.SYMTYPE, "l/..")],
        [("a", tarfile.FIFOTYPE, "")],
    ],
)
def test_what_would_lie_or_lead_outside_is_refused(
    tmp_path: Path,
    extract: Callable[[tarfile.TarFile, Path], None],
    members: list[tuple[str, bytes, str]],
) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    (tmp_path / "secret").write_text("of the user")
    with pytest.raises(tarfile.TarError):
        extract(packed(*members), folder)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["secret", "there"]
