"""Cases of tests whose names change from one collection to the next are the same cases."""

from reverie.instruments.mutation.inside.items import known_names


def test_a_test_with_the_same_name_is_itself() -> None:
    assert known_names(["a.py::t", "a.py::u[1]"], ["a.py::t", "a.py::u[1]"]) == {
        "a.py::t": "a.py::t",
        "a.py::u[1]": "a.py::u[1]",
    }


def test_cases_that_are_named_anew_are_known_in_their_order() -> None:
    found = known_names(["a.py::t[12:01]", "a.py::t[x]", "a.py::t[12:02]"],
                        ["a.py::t[11:58]", "a.py::t[x]", "a.py::t[11:59]"])  # fmt: skip
    assert found == {
        "a.py::t[12:01]": "a.py::t[11:58]",
        "a.py::t[x]": "a.py::t[x]",
        "a.py::t[12:02]": "a.py::t[11:59]",
    }


def test_nothing_is_guessed_where_the_number_of_cases_differs() -> None:
    assert known_names(["a.py::t[3]"], ["a.py::t[1]", "a.py::t[2]"]) == {"a.py::t[3]": "a.py::t[3]"}


def test_nothing_is_guessed_where_a_case_that_must_not_run_is_missing() -> None:
    found = known_names(["a.py::t[3]", "a.py::t[4]"], ["a.py::t[1]"], ["a.py::t[2]"])
    assert found == {"a.py::t[3]": "a.py::t[3]", "a.py::t[4]": "a.py::t[4]"}
