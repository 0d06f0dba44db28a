from lendery.isbn import is_valid_isbn10, is_valid_isbn13, to_isbn13


def test_valid_numbers():
    assert is_valid_isbn10("0-306-40615-2")
    assert is_valid_isbn13("978-0-306-40615-7")


def test_wrong_check_digit():
    assert not is_valid_isbn13("978-0-306-40615-8")


def test_conversion():
    assert to_isbn13("0306406152") == "9780306406157"
