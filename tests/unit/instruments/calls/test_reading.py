import base64
import pickle

import pytest

from reverie.instruments.calls.instrument import _call


def told(*args: list[str], receiver: list[str] | None = None) -> dict[str, object]:
    return {"receiver": receiver, "args": list(args), "kwargs": []}


def test_literals_are_read_and_written_anew() -> None:
    assert _call(told(["literal", "{'a':  [1,2]}"])).arguments == "{'a': [1, 2]}"


def test_what_was_pickled_stays_so() -> None:
    data = pickle.dumps({1, 2})
    call = _call(told(["pickle", base64.b64encode(data).decode()]))
    assert call.arguments == f"pickle.loads({data!r})"
    assert call.modules == {"pickle"}


@pytest.mark.parametrize(
    "value",
    [
        ["literal", "__import__('os').system('true')"],
        ["literal", "print.__self__"],
        ["pickle", "not base64!"],
        ["expression", "1 + 1"],
        ["literal", "'" + "a" * 50_000 + "'"],
        ["literal", 3],
    ],
)
def test_what_is_no_value_is_refused(value: list[str]) -> None:
    with pytest.raises(ValueError, match=r"."):
        _call(told(value))


def test_names_of_arguments_are_names() -> None:
    given = {"receiver": None, "args": [], "kwargs": [["a=1, b", ["literal", "1"]]]}
    with pytest.raises(ValueError, match="a name that is none"):
        _call(given)
