"""What comes back from a process that read a share of the files."""

import json
from pathlib import Path

import pytest

from reverie.index.discovery import FoundFile
from reverie.index.remembering.rereading import Reading, read_share, readings_of

FOUND = FoundFile("a.py", "/nowhere/a.py", "signature", 0, 0)


def test_a_share_leaves_what_it_cannot_read_to_the_caller(tmp_path: Path) -> None:
    good, broken = tmp_path / "good.py", tmp_path / "broken.py"
    good.write_text("def f(x: int): ...\n")
    broken.write_text("def (\n")
    places = [good, broken, tmp_path / "absent.py"]
    answer = read_share([(each.name, str(each), None) for each in places], 16)
    files = [(FoundFile(each.name, str(each), "", 0, 0), "of before") for each in places]
    (read,) = readings_of(files, answer)
    assert (read.path, read.signature) == ("good.py", "of before")
    assert read.record is not None
    assert read.record.symbols[0].shape == "int->_"


def test_known_content_is_no_record() -> None:
    assert readings_of([(FOUND, "s")], '["known"]') == [Reading("a.py", "s", None)]


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {"rows": []},
        "",
        "[]",
        "{}",
        '["known", "known"]',
        '["other"]',
        "[[]]",
        json.dumps([["hash", "facts", "imports", 1, 1, 1, "1", []]]),
        json.dumps([["hash", None, "imports", 1, 1, 1, 1, []]]),
        json.dumps([["hash", "facts", "imports", 1, 1, 1, 1, [["f", 1, "function"]]]]),
        json.dumps([["hash", "facts", "imports", 1, 1, 1, 1, [["f", "1", "", "", "", "", ""]]]]),
    ],
)
def test_an_answer_nobody_gives_is_refused(answer: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        readings_of([(FOUND, "s")], answer)
