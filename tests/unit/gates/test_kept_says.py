"""Tests that were there: what losing, weakening and hiding one looks like, and what does not."""

import pytest

from reverie.gates.suite.old_tests import KeptGate
from reverie.model.change import FileEdit
from reverie.model.ruling import Answer, Ruling

from .matters import edit, matter

PATH = "tests/test_shop.py"
FINE = Ruling("kept", Answer.PASS, "ok", "every old test is still there, unchanged or longer")
OLD = """import pytest
from shop import price

LIMIT = 3


def check(a):
    assert a


@pytest.mark.parametrize("a", [1, 2])
def test_a(a):
    assert price(a) == 2
    assert price(0) == 0


class TestIt:
    size = 1

    def test_b(self):
        self.assertEqual(price(1), 2)
"""


def judged(*edits: FileEdit) -> list[Ruling]:
    return list(KeptGate().judge(matter(*edits)))


def changed(old: str, new: str, text: str = OLD) -> list[Ruling]:
    assert old in text
    return judged(edit(PATH, text, text.replace(old, new, 1)))


def refused(code: str, said: str, line: int, path: str = PATH) -> Ruling:
    return Ruling("kept", Answer.FAIL, code, said, f"{path}:{line}")


def test_a_file_as_it_was_is_fine() -> None:
    assert judged(edit(PATH, OLD, OLD)) == [FINE]
    assert judged(edit(PATH, OLD, OLD + "# more\n")) == [FINE]
    assert judged(edit("src/shop.py", OLD, None)) == [FINE]
    assert judged(edit("tests/data.txt", OLD, None)) == [FINE]


def test_a_lost_test_is_told_where_it_stood() -> None:
    gone = [
        refused("test_deleted", "test_a is gone", 12),
        refused("test_deleted", "TestIt.test_b is gone", 20),
    ]
    assert judged(edit(PATH, OLD, None)) == gone
    assert judged(edit(PATH, OLD, "def f(:\n")) == gone
    assert judged(edit("tests/checks.py", OLD, OLD, renamed_from=PATH)) == gone
    assert judged(edit("src/a.py", OLD, OLD, renamed_from=PATH)) == gone


def test_a_test_that_moved_is_not_lost() -> None:
    there = edit("tests/test_more.py", None, OLD)
    assert judged(edit(PATH, OLD, None), there) == [FINE]
    other = edit("tests/test_more.py", None, OLD.replace("== 0", "== 1"))
    assert judged(edit(PATH, OLD, None), other) == [refused("test_deleted", "test_a is gone", 12)]
    assert judged(edit("tests/test_more.py", OLD, OLD, renamed_from=PATH)) == [FINE]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("== 2", ">= 2", "test_a no longer says: assert price(a) == 2"),
        ("    assert price(0) == 0\n", "", "test_a no longer says: assert price(0) == 0"),
        ("self.assertEqual(price(1), 2)", "pass", "TestIt.test_b no longer says: self.assertEqual(price(1), 2)"),
    ],
)  # fmt: skip
def test_a_check_that_is_gone_is_told_by_its_text(old: str, new: str, said: str) -> None:
    (found,) = changed(old, new)
    assert (found.reason_code, found.reason) == ("assertion_weakened", said)


@pytest.mark.parametrize(
    "check", ["assert x", "m.assert_x()", "pytest.raises(E)", "self.fail()", "pytest.warns(W)"]
)
def test_what_counts_as_a_check(check: str) -> None:
    text = f"def test_a():\n    {check}\n    {check}\n"
    (found,) = judged(edit(PATH, text, text.replace(f"    {check}\n", "    pass\n", 1)))
    assert found == refused("assertion_weakened", f"test_a no longer says: {check}", 1)
    plain = "def test_a():\n    x()\n    y()\n"
    (other,) = judged(edit(PATH, plain, plain.replace("    x()\n", "")))
    assert other == refused("test_changed", "test_a was changed other than by adding to its end", 1)


def test_a_long_check_is_cut() -> None:
    text = f"def test_a():\n    assert x == '{'y' * 200}'\n"
    (found,) = judged(edit(PATH, text, "def test_a():\n    pass\n"))
    assert len(found.reason) == len("test_a no longer says: ") + 120


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def test_a(a):", "async def test_a(a):"),
        ("def test_a(a):", "def test_a(a, b):"),
        ('@pytest.mark.parametrize("a", [1, 2])\n', ""),
        ('@pytest.mark.parametrize("a", [1, 2])\n', '@pytest.mark.parametrize("a", [1, 2])\n@d\n'),
        ("[1, 2]", "[1]"),
        ("[1, 2]", "[1, 3]"),
        ("[1, 2]", "ROWS"),
        ("[1, 2]", "[1, 2], ids=f"),
        ("[1, 2]", "[1, 2, 3], ids=f"),
        ('"a", [1, 2]', '"b", [1, 2, 3]'),
        ("mark.parametrize", "mark.other"),
        ("    assert price(a) == 2\n", "    a = 2\n    assert price(a) == 2\n"),
    ],
)
def test_a_test_changed_otherwise_than_at_its_end_is_told(old: str, new: str) -> None:
    (found,) = changed(old, new)
    assert found.reason_code in ("test_changed", "assertion_weakened")
    assert found.reason.startswith("test_a ")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[1, 2]", "[1, 2, 3]"),
        ("[1, 2]", "[3, 2, 1]"),
        ("[1, 2]", "(1, 2, 2)"),
        ("== 0\n", "== 0\n    assert price(9) == 9\n"),
        ("import pytest\n", "import pytest\nimport json\n"),
        ("LIMIT = 3\n", "LIMIT = 3\nMORE = 4\n"),
        ("    size = 1\n", "    size = 1\n    more = 2\n"),
        ("class TestIt:", "def test_c():\n    assert price(1)\n\n\nclass TestIt:"),
        ("class TestIt:", "def more():\n    return 1\n\n\nclass TestIt:"),
        ("import pytest\n", '"""Words."""\nimport pytest\n'),
    ],
)
def test_more_is_fine(old: str, new: str) -> None:
    assert changed(old, new) == [FINE]


def test_rows_of_another_form_are_no_longer_list() -> None:
    text = "@pytest.mark.parametrize('a', ROWS)\ndef test_a(a):\n    assert f(a)\n"
    for new in ("ROWS + [1]", "[1]"):
        (found,) = changed("ROWS", new, text)
        assert found.reason_code == "test_changed"
    plain = "@d(1, [2])\ndef test_a(a):\n    assert f(a)\n"
    (found,) = changed("[2]", "[2, 3]", plain)
    assert found.reason_code == "test_changed"
    bare = "@d\ndef test_a(a):\n    assert f(a)\n"
    assert [each.reason_code for each in changed("@d", "@e", bare)] == ["test_changed"]
    assert [each.reason_code for each in changed("@d", "@d()", bare)] == ["test_changed"]


SKIPS = """skip skipif xfail importorskip skipIf skipUnless expectedFailure skipTest SkipTest exit
    _exit collect_ignore collect_ignore_glob __test__ deselect""".split()


@pytest.mark.parametrize("name", SKIPS)
def test_passing_over_a_test_is_known_by_name(name: str) -> None:
    said = f"a test is passed over by {name!r}"
    for owner in ("pytest", "pytest.mark", "unittest", "self", "os"):
        text = f"def test_z():\n    {owner}.{name}\n"
        assert judged(edit(PATH, None, text)) == [refused("skip_added", said, 2)]
    assert judged(edit(PATH, None, f"{name} = 1\n")) == [refused("skip_added", said, 1)]
    assert judged(edit(PATH, None, f"def test_z():\n    other.{name}\n")) == [FINE]
    for module in ("pytest", "unittest", "os"):
        taken = f"from {module} import {name}\n"
        assert judged(edit(PATH, None, taken)) == [refused("skip_added", said, 1)]
    assert judged(edit(PATH, None, f"from other import {name}\n")) == [FINE]


def test_a_bare_name_that_is_only_read_is_a_skip_unless_it_is_a_common_word() -> None:
    for name in ("skip", "exit"):
        assert judged(edit(PATH, None, f"def test_z():\n    {name}(1)\n")) == [FINE]
    (found,) = judged(edit(PATH, None, "def test_z():\n    importorskip('a')\n"))
    assert found.reason_code == "skip_added"


def test_skips_that_were_there_may_stay_and_one_more_is_told() -> None:
    one = "def test_z():\n    pytest.skip('a')\n"
    two = one + "\n\ndef test_y():\n    pytest.skip('a')\n"
    assert judged(edit(PATH, one, one)) == [FINE]
    assert judged(edit(PATH, one, two)) == [
        refused("skip_added", "a test is passed over by 'skip'", 6)
    ]
    other = one + "\n\ndef test_y():\n    pytest.xfail('a')\n"
    assert judged(edit(PATH, one, other)) == [
        refused("skip_added", "a test is passed over by 'xfail'", 6)
    ]


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        ("def test_z(): ...\ndef test_z(): ...\n", "test_z", 2),
        ("class TestZ: ...\nclass TestZ: ...\n", "TestZ", 2),
        (
            "class A:\n    def test_z(self): ...\n    x = 1\n    def test_z(self): ...\n",
            "test_z",
            4,
        ),
    ],
)
def test_a_second_test_of_the_same_name_hides_the_first(text: str, said: str, line: int) -> None:
    found = judged(edit(PATH, None, text))
    assert found == [refused("test_hidden", f"{said} is defined twice: the first never runs", line)]


@pytest.mark.parametrize(
    "text",
    [
        "def help(): ...\ndef help(): ...\n",
        "def test_z(): ...\nclass A:\n    def test_z(self): ...\n",
        "def test_z(): ...\ndef test_y(): ...\n",
    ],
)
def test_names_in_different_places_hide_nothing(text: str) -> None:
    assert judged(edit(PATH, None, text)) == [FINE]


def test_an_import_that_stands_for_something_else_is_told() -> None:
    assert changed("from shop import price", "from fake import price") == [
        refused("helper_changed", "'price' stood for shop.price and now for fake.price", 1)
    ]
    (found,) = changed("from shop import price", "")
    assert found.reason == "'price' stood for shop.price and now for None"
    unused = "import json\n" + OLD
    assert judged(edit(PATH, unused, OLD)) == [FINE]


def test_what_tests_stand_on_is_told_by_its_first_line() -> None:
    assert changed("LIMIT = 3", "LIMIT = 4") == [
        refused("helper_changed", "what tests stand on was changed: LIMIT = 3", 4),
        refused("helper_changed", "'LIMIT' is bound a second time", 4),
    ]
    assert changed("    assert a\n", "    assert not a\n") == [
        refused("helper_changed", "what tests stand on was changed: def check(a):", 7),
        refused("helper_changed", "'check' is bound a second time", 7),
    ]
    assert changed("LIMIT = 3\n", "") == [
        refused("helper_changed", "what tests stand on was changed: LIMIT = 3", 4)
    ]
    assert changed("    size = 1", "    size = 2") == [
        refused("helper_changed", "what tests stand on was changed: size = 1", 18),
        refused("helper_changed", "'size' is bound a second time", 18),
    ]


def test_a_long_first_line_is_cut() -> None:
    text = f"A = '{'x' * 200}'\n"
    (found,) = judged(edit(PATH, text, "\n"))
    assert len(found.reason) == len("what tests stand on was changed: ") + 100


@pytest.mark.parametrize(
    "line",
    ["price = 1", "LIMIT = 4", "def price(): ...", "class check: ...", "for LIMIT in (): ...",
     "async def check(): ..."],
)  # fmt: skip
def test_a_name_bound_a_second_time_is_told(line: str) -> None:
    found = judged(edit(PATH, OLD, f"{OLD}\n\n{line}\n"))
    assert [each.reason_code for each in found] == ["helper_changed"]
    assert found[0].reason.endswith("is bound a second time")
    assert found[0].measured == f"{PATH}:24"


def test_order_of_what_tests_stand_on_is_free() -> None:
    text = "A = 1\nB = 2\n"
    assert judged(edit(PATH, text, "B = 2\nA = 1\n")) == [FINE]
    shared = "class Base:\n    size = 1\n"
    assert judged(edit(PATH, shared, shared)) == [FINE]
