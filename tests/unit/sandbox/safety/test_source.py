import pytest

from reverie.sandbox.safety import check_source

HIDDEN = "# coding: {}\nx = 1\n#{}import os{}os.system('id')\n"


@pytest.mark.parametrize(
    ("encoding", "newline"),
    [
        ("utf-7", "+AAo-"),
        ("utf_7", "+AAo-"),
        ("unicode_escape", "\\u000a"),
        ("raw_unicode_escape", "\\u000a"),
    ],
)
@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_file_is_judged_by_what_would_run(encoding: str, newline: str, as_bytes: bool) -> None:
    text = HIDDEN.format(encoding, newline, newline)
    found = {f.rule for f in check_source(text.encode() if as_bytes else text).findings}
    assert {"source-encoding", "process"} <= found


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii", "cp1252", "iso-8859-15"])
def test_plain_encodings_are_nothing_to_talk_about(encoding: str) -> None:
    source = f"# -*- coding: {encoding} -*-\nx = 'a'\n"
    assert check_source(source).findings == ()
    assert check_source(source.encode()).findings == ()


def test_a_character_that_reorders_text_is_reported_where_it_is() -> None:
    (finding,) = check_source("x = 1\ny = 'a\u202eb'\n").findings
    assert (finding.rule, finding.line, finding.column) == ("source-direction", 2, 7)


def test_a_cookie_that_python_ignores_changes_nothing() -> None:
    assert check_source("x = 1\ny = 2\n# coding: utf-7\n").findings == ()
