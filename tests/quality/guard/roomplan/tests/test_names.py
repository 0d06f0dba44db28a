from roomplan.names import initials, slug


def test_slug():
    assert slug("Big Room (2)") == "big-room-2"
    assert slug("--a") == "a"


def test_initials():
    assert initials("ada king lovelace") == "AKL"
