from roomplan.times import busiest, count_clashes, merge, overlaps


def test_overlaps():
    assert overlaps((0, 10), (5, 15))
    assert not overlaps((0, 10), (10, 20))


def test_merge():
    assert merge([(5, 7), (1, 3), (3, 4)]) == [(1, 4), (5, 7)]
    assert merge([]) == []


def test_count_clashes():
    assert count_clashes([(0, 10), (5, 15), (9, 12)]) == 3
    assert count_clashes([(0, 1), (1, 2)]) == 0


def test_busiest():
    assert busiest(["mon", "tue", "tue", "wed", "wed"]) == ["tue", "wed", "mon"]
