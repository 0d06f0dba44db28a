from reverie.instruments.mutation.inside.children import LargePages


def test_what_a_process_holds_is_the_same_after_its_pages_are_joined() -> None:
    held = [bytes([number % 256]) * 997 for number in range(20_000)]
    before = hash(tuple(held))
    pages = LargePages()
    pages.before_fork()
    pages.join()
    assert hash(tuple(held)) == before
