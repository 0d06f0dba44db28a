"""Seeds that follow from a change and a key."""

from reverie.home.seal import Seal, seed_of

MINE, YOURS = Seal(b"m" * 32), Seal(b"y" * 32)


def test_one_change_has_one_seed_for_one_user() -> None:
    assert seed_of("old", "new", seal=MINE) == seed_of("old", "new", seal=MINE)


def test_another_change_or_another_user_has_another_seed() -> None:
    seeds = {
        seed_of("old", "new", seal=MINE),
        seed_of("ol", "dnew", seal=MINE),
        seed_of("old", "new", seal=YOURS),
    }
    assert len(seeds) == 3


def test_a_seed_is_never_the_one_that_asks_for_a_seed() -> None:
    assert all(seed_of(str(number), seal=MINE) > 0 for number in range(200))
