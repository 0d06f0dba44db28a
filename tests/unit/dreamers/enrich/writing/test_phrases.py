"""What messages, conditions and docstrings say in the name of a test."""

import ast

import pytest

from reverie.dreamers.enrich.writing.wording.clauses import condition, promised, warned
from reverie.dreamers.enrich.writing.wording.phrases import refusal
from reverie.dreamers.enrich.writing.wording.reasons import reasons_of


def _refused(body: str) -> str | None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    reasons = reasons_of(ast.parse(f"def f(width, user, self):\n{lines}"))
    return next(iter(reasons.refusals.values()), None)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("f'{user} is waiting already'", "refuses_a_user_who_is_waiting_already"),
        ("f'{width} has no unit'", "refuses_a_width_that_has_no_unit"),
        ("f'not a day: {width!r}'", "refuses_what_is_not_a_day"),
        ("'Invalid wheel filename: %s' % width", "refuses_an_invalid_wheel_filename"),
        ("'unexpected arguments: {}'.format(width)", "refuses_unexpected_arguments"),
        ("f'f() got an unexpected argument {width}'", "refuses_an_unexpected_argument"),
        ("'Invalid name (wrong number of parts)'", "refuses_a_wrong_number_of_parts"),
        ("'width must be positive'", "requires_width_to_be_positive"),
        ("'label must not end with a hyphen'", "requires_label_not_to_end_with_a_hyphen"),
        ("'index cannot be negative'", "refuses_an_index_that_is_negative"),
        ("f'Cannot restore from {width}'", "cannot_restore_from_width"),
        ("'expected start >= 0'", "expects_start_at_least_0"),
        ("'Label too long'", "refuses_a_label_that_is_too_long"),
        ("'another user is waiting'", "refuses_when_another_user_is_waiting"),
        ("'closes before it opens'", "refuses_what_closes_before_it_opens"),
        ("'overdue: bring it back'", "refuses_when_overdue"),
        ("'f: not a time'", "refuses_what_is_not_a_time"),
        ("'Issuer (iss) must be a string.'", "requires_issuer_to_be_a_string"),
        ("'When alg = \"none\", key value must be None.'", "requires_key_value_to_be_none"),
        ("'Must pass either `left` or `right`.'", "requires_either_left_or_right"),
        ("'You must specify the width'", "requires_width"),
        ("'Signature verification failed'", "refuses_when_signature_verification_fails"),
        ("'It is required that you pass in a value'", None),
        ("'pop(): cache is empty'", "refuses_when_cache_is_empty"),
        ("'missed a spot'", None),
        ("f'{width}'", None),
        ("'42'", None),
    ],
)  # fmt: skip
def test_a_message_is_a_refusal_in_words(message: str, expected: str | None) -> None:
    assert _refused(f"raise ValueError({message})") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if width < 1:\n    raise ValueError(width)", "refuses_a_width_below_1"),
        ("if user.visits >= MOST:\n    raise ValueError", "refuses_when_visits_are_at_least_most"),
        ("if ok(user):\n    pass\nelse:\n    raise ValueError", None),
        ("if not user:\n    raise ValueError", "refuses_when_there_is_no_user"),
        ("if SIZE != len(user):\n    raise ValueError", "refuses_a_user_of_the_wrong_length"),
        ("if len(user) > MOST:\n    raise ValueError", "refuses_a_user_that_is_too_long"),
        ("if len(user) < 1:\n    raise ValueError", "refuses_an_empty_user"),
        ("message = f'{user} is gone'\nraise ValueError(message)", "refuses_a_user_who_is_gone"),
        ("raise UnknownUnitError", "refuses_an_unknown_unit"),
    ],
)  # fmt: skip
def test_where_the_message_says_nothing_the_condition_does(body: str, expected: str | None) -> None:
    assert _refused(body) == expected


@pytest.mark.parametrize(
    ("source", "holds", "expected"),
    [
        ("late <= GRACE_DAYS", True, "late_is_at_most_grace_days"),
        ("late <= GRACE_DAYS", False, "late_is_above_grace_days"),
        ("is_reserved", True, "reserved"),
        ("not self.is_open", True, "not_open"),
        ("len(items) == 0", True, "items_is_empty"),
        ("unit is None", False, "unit_is_given"),
        ("isinstance(value, str)", False, "value_is_no_str"),
        ("text.startswith('v')", True, "text_starts_with_v"),
        ("a + b > c * d", True, None),
    ],
)  # fmt: skip
def test_a_condition_is_a_clause(source: str, holds: bool, expected: str | None) -> None:
    assert condition(ast.parse(source, mode="eval").body, holds=holds) == expected


def test_a_docstring_says_when_a_result_comes() -> None:
    document = "The reader whose turn it is; None when nobody waits."
    assert promised(document, "None") == "when_nobody_waits"
    assert promised(document, "0") is None


def test_a_docstring_says_when_an_exception_comes() -> None:
    document = "Look up.\n\n:raises KeyError: if the name is unknown\n:return: a number"
    assert warned(document, "KeyError") == "if_name_is_unknown"
    assert warned(document, "ValueError") is None


def test_what_must_not_be_there_is_refused_by_its_name() -> None:
    assert refusal("no negative counts") == "refuses_negative_counts"
    assert refusal("start or end required") == "requires_start_or_end"
    assert refusal("only start or end allowed") == "allows_only_start_or_end"
    assert refusal("no such unit") == "refuses_when_there_is_no_such_unit"


@pytest.mark.parametrize(
    ("message", "function", "expected"),
    [
        ("zip_values expects at least one argument", "zip_values", "expects_at_least_one_argument"),
        ("Scheduling .sunday() jobs is only allowed for weekly jobs", "sunday",
         "is_only_allowed_for_weekly_jobs"),
        ("width must be even", "resize", "requires_width_to_be_even"),
    ],
)  # fmt: skip
def test_a_rule_of_the_function_itself_needs_no_second_subject(
    message: str, function: str, expected: str
) -> None:
    assert refusal(message, function) == expected


def test_a_message_whose_point_is_behind_a_comma_gives_no_half_of_it() -> None:
    assert refusal("Parameter 'how' must be either None, 'text' or 'emoji'") is None
    assert refusal("size must be between 1 and 8") == "requires_size_to_be_between_1_and_8"
    told = refusal("yaml data not returned as a list but rather a dict")
    assert told == "refuses_when_yaml_data_is_not_returned_as_a_list"
    assert refusal("file not found in the archive") == "refuses_when_file_is_not_found"
