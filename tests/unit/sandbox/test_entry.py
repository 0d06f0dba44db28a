import pytest

from reverie.sandbox.encode import find_entry


@pytest.mark.parametrize(
    ("code", "names", "entry"),
    [
        ("def f(x): return x", ["x"], "f"),
        ("async def f(x): return x", ["x"], "f"),
        ("def a(x): ...\ndef b(y): ...", ["x"], "a"),
        ("def a(x, y=1): ...\ndef b(y): ...", ["x"], "a"),
        ("def a(x, *, y): ...\ndef b(x): ...", ["x", "y"], "a"),
        ("def a(x, *, y): ...\ndef b(x, *, y=1): ...", ["x"], "b"),
        ("def a(**rest): ...\ndef b(x): ...", ["z"], "a"),
        ("def a(x, /): ...\ndef b(x): ...", ["x"], "b"),
        ("def a(*many): ...\ndef b(x): ...", [], "a"),
    ],
)
def test_the_only_function_that_fits_is_called(code: str, names: list[str], entry: str) -> None:
    assert find_entry(code, names) == entry


@pytest.mark.parametrize(
    ("code", "entry"),
    [
        ("def a(x): ...\ndef b(x): ...", "b"),
        ("def a(x): ...\ndef _b(x): ...", "a"),
        ("def _a(x): ...\ndef _b(x): ...", "_b"),
        ("def a(x): ...\ndef b(): ...\ndef c(x): ...\ndef d(): ...", "c"),
    ],
)
def test_of_several_that_fit_the_last_public_one(code: str, entry: str) -> None:
    assert find_entry(code, ["x"]) == entry


def test_when_none_fits_the_last_public_one_has_to_say_why() -> None:
    assert find_entry("def a(x): ...\ndef b(y): ...\ndef _c(z): ...", ["other"]) == "b"


def test_a_redefined_function_counts_as_it_ends_up() -> None:
    assert find_entry("def a(x): ...\ndef b(x): ...\ndef a(y): ...", ["x"]) == "b"


@pytest.mark.parametrize(
    "code",
    [
        "",
        "x = 1",
        "class C:\n    def method(self): ...",
        "if True:\n    def inner(): ...",
        "_result = 3",
        "def double(x): return 2 * x\n_result = double(4)",
        "def f(): ...\n_result: int = 3",
        "_result = 0\n_result += 1",
    ],
)
def test_a_script_has_no_entry(code: str) -> None:
    assert find_entry(code, []) is None


@pytest.mark.parametrize("code", ["def f(:", "\0", "\ud800", "(" * 5000, "x = '\\d'"])
def test_what_does_not_parse_is_left_to_the_sandbox(code: str) -> None:
    assert find_entry(code, ["x"]) is None
