"""A repository that sets what it may not, or ships what only its user makes: ignored, and said."""

import gzip
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.interfaces.cli.commands import restore

PATCH = """\
--- a/shop/price.py
+++ b/shop/price.py
@@ -1 +1,2 @@
 def price(): return 1
+def test_price(): assert price() == 1
"""


def test_a_change_does_not_say_which_files_are_tests(
    cli: Callable, scripted: Callable, tmp_path: Path
) -> None:
    repository = scripted()
    repository.commit("first", {"shop/price.py": "def price(): return 1\n", "pyproject.toml": ""})
    repository.write({"pyproject.toml": '[tool.reverie.guard]\ntest_roots = ["shop"]\n'})
    (tmp_path / "x.patch").write_text(PATCH)
    patch = ("--patch", str(tmp_path / "x.patch"), "--stage", "A", "--static")

    def said() -> str:
        ran = cli("guard", *patch, "--json", "--repo", str(repository.folder))
        return next(each["reason"] for each in ran.document["rulings"] if each["gate"] == "paths")

    assert said() == "a change of tests touches files of tests only"
    repository.commit("now it is what a change starts from")
    assert said() == "every file may be touched at this stage"


def test_nobody_is_called_that_a_repository_names(cli: Callable, repository: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        url = f"postgresql://leak:hush@127.0.0.1:{port}/x"
        (repository / "pyproject.toml").write_text(f'[tool.reverie.journal]\nurl = "{url}"\n')
        (repository / ".env").write_text(f"REVERIE_JOURNAL_URL={url}\nDATABASE_URL={url}\n")
        cli("init", "--no-settings", "--repo", str(repository))
        ran = cli("history", "--repo", str(repository))
        try:
            heard = server.accept()
        except BlockingIOError:
            heard = None
    assert heard is None
    assert ran.code == 0
    assert ran.err.count("warning: ignored: journal.url") == 2
    assert ran.err.count("\n") == 2
    assert "hush" not in ran.err


def test_nothing_is_written_where_a_repository_says(cli: Callable, repository: Path) -> None:
    outside = repository.parent / "outside"
    settings = f'[tool.reverie.journal]\ndata_dir = "{outside}"\n'
    (repository / "pyproject.toml").write_text(settings)
    assert cli("init", "--no-settings", "--repo", str(repository)).code == 0
    assert not outside.exists()
    assert (repository / ".reverie" / "owner").exists()


def test_a_shipped_journal_is_not_opened(cli: Callable, repository: Path) -> None:
    (repository / ".reverie").mkdir()
    (repository / ".reverie" / "journal.db").write_bytes(b"hostile" * 1000)
    ran = cli("history", "--repo", str(repository))
    assert ran.code == 0
    assert ran.out.startswith("nothing is recorded here")
    assert ran.err.count("\n") == 1
    assert "is not believed" in ran.err
    assert not (repository / ".reverie" / "owner").exists()


def test_a_backup_does_not_unpack_to_a_line_without_end(
    cli: Callable, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restore, "LONGEST_LINE", 1 << 20)
    cli("init", "--no-settings", "--repo", str(repository))
    file = repository / "backup.gz"
    file.write_bytes(gzip.compress(b" " * (4 << 20)))
    ran = cli("restore", str(file), "--repo", str(repository))
    assert ran.code == 2
    assert "more than 1 MiB: nothing was changed" in ran.err
