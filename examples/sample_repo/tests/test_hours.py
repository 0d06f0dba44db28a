from lendery.hours import is_open, parse_hours


def test_a_week():
    hours = parse_hours("Mon-Fri 9:00-18:00")
    assert is_open(hours, "Tue", 600)
