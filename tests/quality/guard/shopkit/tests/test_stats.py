from shopkit.stats import common, histogram, median, moving_sums, rank


def test_median():
    assert median([3, 1, 2]) == 2
    assert median([4, 1, 2, 3]) == 2.5


def test_moving_sums():
    assert moving_sums([1, 2, 3, 4], 2) == [3, 5, 7]


def test_common():
    assert common(["a", "b", "a"], ["a"]) == ["a", "a"]


def test_histogram():
    assert histogram(["b", "a", "b"]) == {"b": 2, "a": 1}


def test_rank():
    assert rank([5, 9, 5]) == [2, 1, 2]
