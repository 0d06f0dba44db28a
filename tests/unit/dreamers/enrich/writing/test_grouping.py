"""Which bodies become one test, and what the tests of a function are called."""

import ast

from reverie.dreamers.enrich.writing.wording.entries import Entry
from reverie.dreamers.enrich.writing.wording.grouping import Test, arrange
from reverie.dreamers.enrich.writing.wording.reasons import reasons_of
from reverie.dreamers.enrich.writing.wording.tables import parameters_of

_MODULE = """
def fine(loan, late, is_child=False):
    \"\"\"What is owed; 0 when it is not late.\"\"\"
    if late < 0:
        raise ValueError(f"late must be positive, not {late}")
    if late > LIMIT:
        return 5
    return 2 * late

class Loan:
    def __init__(self, isbn, weeks=4): ...
    def renew(self): ...
    def due(self): ...
"""
_TREE = ast.parse(_MODULE)
_REFUSING = 5
_LATE = frozenset({(4, 6), (6, 7)})
_IN_TIME = frozenset({(4, 6), (6, 8)})


def _entry(key: int, callee: str, *lines: str, **more: object) -> Entry:
    return Entry(key, callee, tuple(ast.parse("\n".join(lines)).body), **more)  # type: ignore[arg-type]


def _arranged(*entries: Entry) -> list[Test]:
    return arrange(entries, parameters_of(_TREE), {}, reasons_of(_TREE))


def _names(*entries: Entry) -> list[str]:
    return [test.name for test in _arranged(*entries)]


def _refusing(key: int, argument: str, line: int | None = _REFUSING) -> Entry:
    lines = ("with pytest.raises(ValueError):", f"    fine(1, {argument})")
    return _entry(key, "fine", *lines, raised_at=line)


def test_the_typical_use_comes_first_and_refusals_last() -> None:
    names = _names(
        _refusing(0, "-1"),
        _entry(1, "fine", "assert fine(1, 2, is_child=True) == 2"),
        _entry(2, "fine", "assert fine(1, 2) == 4"),
        _entry(3, "fine", "assert fine(1, 1) == 2"),
    )
    assert names == [
        "test_fine",
        "test_fine_for_a_child",
        "test_fine_requires_late_to_be_positive",
    ]


def test_one_example_is_told_by_the_docstring() -> None:
    assert _names(_entry(0, "fine", "assert fine(1, 0) == 0")) == [
        "test_fine_is_0_when_it_is_not_late"
    ]


def test_a_way_that_no_other_takes_names_a_test() -> None:
    usual = [_entry(n, "fine", f"assert fine(1, {n}) == {2 * n}", arcs=_IN_TIME) for n in (1, 2, 3)]
    other = _entry(9, "fine", "assert len(fine(*(1, 40))) == 5", arcs=_LATE)
    assert _names(*usual, other)[0] == "test_fine"
    assert _names(*usual, other)[1] == "test_fine_length"


def test_calls_that_make_their_arguments_differently_share_a_table() -> None:
    (test,) = _arranged(
        _entry(0, "fine", "assert fine(Loan('a'), 1) == 2"),
        _entry(1, "fine", "loan = Loan('b', weeks=3)", "assert fine(loan, 2) == 4"),
        _entry(2, "fine", "assert fine(None, 3) is None"),
    )
    assert test.table is not None
    assert test.table.names == ("loan", "late", "expected")
    assert [ast.unparse(row[0]) for row in test.table.rows] == [
        "None",
        "Loan('a')",
        "Loan('b', weeks=3)",
    ]
    assert [ast.unparse(each) for each in test.body] == ["assert fine(loan, late) == expected"]
    assert test.keys == (2, 0, 1)


def test_a_stream_is_no_cell_of_a_table() -> None:
    (test,) = _arranged(
        *(_entry(n, "fine", f"assert fine(io.StringIO('{n}'), {n}) == [{n}, x]") for n in range(3))
    )
    (line,) = test.body
    assert ast.unparse(line).startswith("assert fine(io.StringIO(")


def test_stories_are_told_by_what_was_done_before() -> None:
    first = _entry(0, "Loan.due", "loan = Loan('a')", "assert loan.due() == 4")
    later = _entry(1, "Loan.due", "loan = Loan('a')", "loan.renew()", "assert loan.due() == 8")
    assert _names(first, later) == ["test_due", "test_due_after_renew"]


def test_what_neither_a_name_nor_a_message_explains_is_left_out() -> None:
    assert _names(_refusing(0, "'x'", None)) == []


def test_the_same_body_is_written_once() -> None:
    one = _entry(0, "fine", "assert fine(1, 2) == 4")
    (test,) = _arranged(one, _entry(1, "fine", "assert fine(1, 2) == 4"))
    assert test.keys == (0,)


def test_what_nothing_sets_apart_has_no_number_but_company() -> None:
    one = _refusing(0, "-1")
    other = _entry(
        1, "fine", "with pytest.raises(ValueError):", "    fine(*(1, -1))", raised_at=_REFUSING
    )
    (test,) = _arranged(one, other)
    assert test.name == "test_fine_requires_late_to_be_positive"
    assert (len(test.body), test.keys) == (2, (0, 1))


def test_a_name_that_tells_only_an_exception_and_an_argument_is_left_out() -> None:
    body = ("with pytest.raises(LookupError, match='gone'):", "    Loan('a', weeks=9)")
    refusal = _entry(1, "Loan.__init__", *body)
    assert _names(refusal) == []


def test_the_class_of_an_exception_names_a_refusal_where_its_message_is_torn() -> None:
    body = ("with pytest.raises(InvalidKeyError, match='bytes long, which is'):", "    fine(1, 2)")
    refusal = _entry(1, "fine", *body)
    assert _names(refusal) == ["test_fine_refuses_an_invalid_key"]


def test_a_single_option_in_a_dictionary_names_a_test() -> None:
    tree = ast.parse("def decode(token, options=None): ...")
    line = "assert decode('a', options={'verify': False}) == 'b'"
    found = arrange([_entry(1, "decode", line)], parameters_of(tree), {}, reasons_of(tree))
    assert [test.name for test in found] == ["test_decode_without_verify"]


def test_a_table_has_at_most_seven_rows_those_that_notice_most() -> None:
    left_out: dict[int, str] = {}
    entries = [
        _entry(late, "fine", f"assert fine(1, {late}) == {2 * late}", weight=late)
        for late in range(2, 14)
    ]
    (test,) = arrange(entries, parameters_of(_TREE), {}, reasons_of(_TREE), left_out)
    assert test.count == 7
    assert left_out == dict.fromkeys((2, 3, 4, 5, 6), "more rows than a reader takes in")


def test_what_a_method_of_the_class_has_made_is_an_object_like_any_other() -> None:
    tree = ast.parse(
        "class Version:\n    @classmethod\n    def parse(cls, text): ...\n    def bump(self): ...\n"
    )
    order = {"Version.parse": 2, "Version.bump": 4}
    line = "assert str(Version.parse('1.2').bump()) == '1.3'"
    (test,) = arrange(
        [_entry(1, "Version.bump", line)], parameters_of(tree), order, reasons_of(tree)
    )
    assert test.name == "test_bump"


def test_of_refusals_one_row_is_told_for_each_message() -> None:
    lines = ("with pytest.raises(ValueError, match='late must be positive'):", "    fine(1, {})")
    several = [
        _entry(at, "fine", lines[0], lines[1].format(late), raised_at=_REFUSING)
        for at, late in enumerate((-1, -2, -3))
    ]
    (test,) = _arranged(*several)
    assert test.count == 1


def test_a_story_is_about_the_method_that_its_last_line_calls() -> None:
    story = _entry(0, "Loan.renew", "loan = Loan('a')", "loan.renew()", "assert loan.due() == 8")
    order = {"Loan.renew": 1, "Loan.due": 2}
    (test,) = arrange([story], parameters_of(_TREE), order, reasons_of(_TREE))
    assert test.callee == "Loan.due"
    assert arrange([story], parameters_of(_TREE), {}, reasons_of(_TREE)) == []


def test_what_other_methods_have_made_is_not_looked_at() -> None:
    order = {"Loan.renew": 1, "Loan.due": 2}
    chain = _entry(0, "Loan.due", "assert Loan('a').renew().due() == 8")
    assert arrange([chain], parameters_of(_TREE), order, reasons_of(_TREE)) == []


def test_nothing_is_named_after_what_does_not_stand_in_it() -> None:
    assert _names(_entry(1, "Loan.due", "loan = Loan('1')", "assert loan.weeks == 4")) == []


def test_one_row_shows_what_comes_of_nothing() -> None:
    entries = [_entry(late, "fine", f"assert fine({{}}, {late}) is False") for late in (1, 2, 3)]
    entries.append(_entry(4, "fine", "assert fine(1, 2) == 4", is_known=True))
    (test,) = _arranged(*entries)
    assert len(test.keys) == 2


def test_a_variable_of_the_functions_own_names_no_test() -> None:
    tree = ast.parse(
        "def find(key):\n    partial = 1\n    if partial is not None:\n        return 2\n"
    )
    assert reasons_of(tree).conditions["find"] == ()


def test_a_refusal_that_its_message_cannot_name_is_named_by_what_is_wrong_in_the_input() -> None:
    body = ("with pytest.raises(LookupError, match='gone'):", "    fine([], late=2)")
    assert _names(_entry(1, "fine", *body)) == ["test_fine_refuses_an_empty_loan"]


def test_what_an_operator_does_is_named_after_it() -> None:
    both = _entry(1, "Loan.__init__", "assert Loan('a') & Loan('b') == Loan('c')")
    back = _entry(2, "Loan.__init__", "assert list(reversed(Loan('ab'))) == ['b', 'a']")
    assert _names(both, back) == ["test_loan_intersecting", "test_loan_reversed"]


def test_lines_about_a_slice_and_a_number_are_not_one_test() -> None:
    lines = ("assert Loan('a')[1] == 'b'", "assert Loan('ab')[1:] == 'b'")
    (test,) = _arranged(*(_entry(at, "Loan.__getitem__", line) for at, line in enumerate(lines)))
    assert len(test.body) == 1


def test_an_object_does_not_come_by_the_way_of_another_behaviour() -> None:
    packed = ("loan = pickle.loads(pickle.dumps(Loan('a')))", "assert loan.due() == 4")
    assert _names(_entry(1, "Loan.due", *packed)) == []


def test_two_stories_are_not_one_test() -> None:
    one = _entry(0, "Loan.due", "loan = Loan('a')", "loan.renew()", "assert loan.due() == 4")
    other = _entry(1, "Loan.due", "loan = Loan('b', 2)", "loan.renew()", "assert loan.due() == 5")
    assert [test.keys for test in _arranged(one, other)] == [(0,)]


def test_a_refusal_is_about_the_method_that_refuses() -> None:
    body = ("with pytest.raises(ValueError, match='is late'):", "    fine('a', -1).due()")
    (test,) = arrange(
        [_entry(1, "fine", *body, raised_at=_REFUSING)],
        parameters_of(_TREE),
        {"fine": 0, "Loan.due": 1},
        reasons_of(_TREE),
    )
    assert (test.name, test.callee) == ("test_due_requires_late_to_be_positive", "Loan.due")


def test_an_object_is_told_by_what_it_is_made_with() -> None:
    line = "assert str(Loan('a', weeks=2)) == 'a for 2 weeks'"
    assert _names(_entry(1, "Loan.__str__", line)) == ["test_loan_str_with_weeks"]


def test_what_is_wrong_in_the_input_goes_before_a_vague_message() -> None:
    tree = ast.parse("def read(s):\n    if bad(s):\n        raise ValueError(f'Not valid: {s!r}')")
    body = ("with pytest.raises(ValueError):", "    read('')")
    (test,) = arrange(
        [_entry(1, "read", *body, raised_at=3)], parameters_of(tree), {}, reasons_of(tree)
    )
    assert test.name == "test_read_refuses_an_empty_text"


def test_a_pair_of_what_is_given_is_no_option() -> None:
    tree = ast.parse("def compose(query=None): ...")
    line = "assert compose(query={'name': 'ferret'}) == '?name=ferret'"
    found = arrange([_entry(1, "compose", line)], parameters_of(tree), {}, reasons_of(tree))
    assert [test.name for test in found] == ["test_compose_with_query"]
