"""A repository below /tmp can be shown, although /tmp inside is private scratch space."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie import Call, IsolationTier, Policy, Request, Sandbox

MEDDLE = """
import os
def meddle(folder):
    way = "/tmp/" + folder.split("/")[2]
    done = []
    for name, act in {
        "moved": lambda: os.rename(way, "/tmp/other"),
        "removed": lambda: os.rmdir(folder),
        "written": lambda: open(way + "/mark", "w"),
        "marked": lambda: os.utime(way, (1, 1)),
    }.items():
        try:
            act()
        except OSError:
            continue
        done.append(name)
    for place in ("/dev/shm/" + os.path.basename(way), "/tmp/left"):
        done += ["found " + place] if os.path.exists(place) else []
        open(place, "w")
    return [done, open(folder + "/a.txt").read()]
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/tmp") as top:
        deep = Path(top) / "some" / "where"
        deep.mkdir(parents=True)
        (deep / "a.txt").write_text("original")
        yield deep


@pytest.mark.parametrize("is_copy", [False, True])
def test_it_is_there_and_stays_as_it_is(folder: Path, is_copy: bool) -> None:
    policy = Policy(readonly=(str(folder),))
    if is_copy:
        policy = Policy(enable_filesystem=True, private_copies=(str(folder),))
    with Sandbox() as sandbox:
        if sandbox.tier is not IsolationTier.NAMESPACES:
            pytest.skip("only namespaces have a /tmp of their own")
        for _ in range(2):
            execution = sandbox.run(
                Request(Call(MEDDLE, "meddle", {"folder": str(folder)}), policy=policy)
            )
            assert execution.error is None
            assert execution.output == [[], "original"]
