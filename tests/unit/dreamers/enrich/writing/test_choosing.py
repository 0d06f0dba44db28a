from dataclasses import replace

from reverie.dreamers.enrich.writing.selecting.choosing import Offer, choose


def _offer(candidate: int, number: int, kills: int, steps: int = 0, **more: object) -> Offer:
    shape, lines, oddness = (more.get(name) for name in ("shape", "lines", "oddness"))
    return Offer(candidate, number, kills, steps, str(shape or number), int(str(lines or 1)),
                 float(str(oddness or 0)))  # fmt: skip


def test_nothing_is_chosen_of_nothing() -> None:
    assert choose([]) == {}


def test_one_that_notices_all_is_enough() -> None:
    assert choose([_offer(0, 0, 0b001), _offer(1, 1, 0b111), _offer(2, 2, 0b110)]) == {1: (1,)}


def test_every_kill_and_every_step_is_kept() -> None:
    offers = [_offer(0, 0, 0b01, 0b01), _offer(1, 1, 0b10, 0b01), _offer(2, 2, 0, 0b10)]
    assert choose(offers) == {0: (0,), 1: (1,), 2: (2,)}


def test_a_row_of_a_table_that_is_there_is_cheaper_than_another_test() -> None:
    offers = [
        _offer(0, 0, 0b0111, shape="table"),
        _offer(1, 1, 0b1000, shape="other"),
        _offer(2, 2, 0b1000, shape="table"),
    ]
    assert choose(offers) == {0: (0,), 2: (2,)}


def test_another_line_in_a_test_that_is_there_is_cheaper_than_another_test() -> None:
    offers = [_offer(0, 0, 0b011, lines=4), _offer(0, 1, 0b100, lines=4), _offer(1, 2, 0b100)]
    assert choose(offers) == {0: (0, 1)}


def test_what_is_odd_to_read_loses() -> None:
    assert choose([_offer(0, 0, 1, oddness=5), _offer(1, 1, 1)]) == {1: (1,)}


def test_what_later_choices_make_superfluous_goes() -> None:
    offers = [
        _offer(0, 0, 0b001110),
        _offer(1, 1, 0b000111, lines=2),
        _offer(2, 2, 0b111000, lines=2),
    ]
    assert set(choose(offers)) in ({1, 2}, {0, 1, 2})
    kept = choose(offers)
    kills = 0
    for place in kept:
        kills |= offers[place].kills
    assert kills == 0b111111


def test_the_typical_use_of_a_function_is_chosen_before_what_notices_more() -> None:
    offers = [_offer(0, 0, 0b111), replace(_offer(1, 1, 0b001, 0b1), is_typical=True)]
    assert choose(offers) == {0: (0,), 1: (1,)}
    assert choose(offers[:1]) == {0: (0,)}


def test_of_two_typical_uses_the_one_that_shows_more_for_its_lines() -> None:
    one, two = (replace(_offer(at, at, 0b11, 0b1), is_typical=True) for at in (0, 1))
    assert choose([replace(one, oddness=2.0), two]) == {1: (1,)}
