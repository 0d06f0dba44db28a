"""Which ends of names can be read as sentences."""

import pytest

from reverie.dreamers.enrich.writing.wording.phrases import refusal
from reverie.dreamers.enrich.writing.wording.sentences import is_sentence


@pytest.mark.parametrize(
    "end",
    [
        "",
        "refuses_a_reader_who_is_waiting_already",
        "requires_width_to_be_positive",
        "refuses_an_empty_list",
        "refuses_when_length_of_array_is_not_row_size",
        "refuses_when_headers_are_not_supported_in_batch_mode",
        "when_late_is_at_most_grace_days",
        "raises_key_error_if_name_is_unknown",
        "round_trip",
        "refuses_what_is_nested_too_deeply",
    ],
)
def test_whole_sentences_are_names(end: str) -> None:
    assert is_sentence(end)


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ("requires_location_to_start", "with what"),
        ("requires_both_to", "a loose end"),
        ("raises_value_error_when_array_should_contain_either_one", "the opposite"),
        ("refuses_when_argument_needs_to_be_an_iterable", "the opposite"),
        ("refuses_when_iterable_is_required", "the opposite"),
        ("cannot_specify_both_unique_and_unique", "twice the same"),
        ("refuses_when_nexttok_is_not_n", "a letter"),
        ("refuses_a_self_that_is_closed", "nobody knows self"),
        ("cannot_sync", "sync what"),
        ("expects_one_of_1", "of 1 and what else"),
        ("cannot_compare_version_1_0_and_none", "a value in pieces"),
        ("requires_cutoff_to_be_in_0_0", "numbers in pieces"),
        ("refuses_when_there_is_no_found", "no thing"),
        ("refuses_what_is_truncated_header", "no article"),
        ("refuses_a_name_that_is_not_the_one_which_the_other_side_expects", "too long"),
    ],
)
def test_half_of_a_sentence_is_no_name(end: str, why: str) -> None:
    assert not is_sentence(end), why


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("location must start with '/'", "requires_location_to_start_with_a_slash"),
        ("path must not end with a '.'", "requires_path_not_to_end_with_a_dot"),
        ("array should contain \0row elements", None),
        ("argument needs to be an iterable", "requires_argument_to_be_an_iterable"),
        ("`out` kwarg not supported", "refuses_when_out_kwarg_is_not_supported"),
        ("no objects to join", "refuses_when_there_are_no_objects_to_join"),
        ("no request line received", "refuses_when_there_is_no_request_line"),
        ("places cannot be negative", "refuses_places_that_are_negative"),
        ("invalid metadata", "refuses_invalid_metadata"),
        ("name or path is required", "requires_name_or_path"),
        ("a and b must both ...", None),
    ],
)  # fmt: skip
def test_a_message_is_said_whole_or_not_at_all(message: str, expected: str | None) -> None:
    told = refusal(message)
    assert (told if told and is_sentence(told) else None) == expected
