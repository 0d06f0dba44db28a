from lendery import Book, Catalogue


def test_search_needs_every_word():
    catalogue = Catalogue()
    catalogue.add(Book("0306406152", "Chemical Physics", "Author One", 1980))
    catalogue.add(Book("9783161484100", "Celestial Physics", "Author Two", 1999))
    assert [book.author for book in catalogue.search("physics one")] == ["Author One"]


def test_authors_come_once():
    catalogue = Catalogue()
    catalogue.add(Book("0306406152", "Chemical Physics", "Author One", 1980))
    catalogue.add(Book("9783161484100", "More Chemical Physics", "Author One", 1999))
    assert catalogue.authors() == ["Author One"]
