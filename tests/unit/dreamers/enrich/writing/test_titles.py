"""The subject of a commit that adds tests."""

from reverie.dreamers.enrich.writing.wording.naming import title_of

TESTS = """
def test_reserve_refuses_a_reader_who_is_waiting_already(): Waiting().reserve("a", "b")
def test_next_reader_after_reserve(): Waiting().next_reader("a")
def test_weeks_to_wait(): weeks_to_wait(1, 2)
"""


def test_a_title_names_the_functions_that_are_tested() -> None:
    wanted = "Test reserve, next_reader and weeks_to_wait in shop.waiting"
    assert title_of("shop.waiting", TESTS) == wanted


def test_a_title_has_as_many_names_as_a_subject_holds() -> None:
    module = "shop.reservations.waiting_lists.of_readers"
    assert title_of(module, TESTS) == f"Test reserve and 2 others in {module}"
    assert title_of("a" * 80, TESTS) == f"Test {'a' * 80}"
    assert title_of("shop.waiting", "def test_nothing(): pass") == "Test shop.waiting"
