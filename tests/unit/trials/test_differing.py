"""A refusal for other behaviour reads as Python: the call, what it does, what it did."""

import base64
import pickle

from reverie.instruments.calls.inside import _source
from reverie.instruments.calls.instrument import _call
from reverie.model.call import Call, Expression
from reverie.model.measurements.equivalence import (
    Counterexample,
    DifferenceKind,
    Equivalence,
    EquivalenceVerdict,
    Observation,
)
from reverie.trials.differing import shown_difference, shown_objects


class Cart:
    """Without a `repr` of its own."""

    def __init__(self) -> None:
        self.items = ["pen"]


def different(
    expression: str, kind: DifferenceKind, old: Observation, new: Observation
) -> Equivalence:
    found = Counterexample(expression, kind, old, new, "")
    return Equivalence(EquivalenceVerdict.DIFFERENT, 3, counterexample=found)


def test_a_recorded_object_reads_as_its_attributes_and_not_as_bytes() -> None:
    call = _call({"receiver": _source(Cart()), "args": [["literal", "2"]], "kwargs": []})
    answer = different(
        call.render("Cart.total"),
        DifferenceKind.VALUE,
        Observation("returned", "4"),
        Observation("returned", "5"),
    )
    said = shown_difference("Cart.total", answer, shown_objects([call]))
    assert said == "Cart(items=['pen']).total(2) returns 5; before: returns 4"


def test_a_large_object_leaves_room_for_the_arguments() -> None:
    cart = Cart()
    cart.items = ["pen"] * 50
    call = _call({"receiver": _source(cart), "args": [["literal", "'Ink'"]], "kwargs": []})
    answer = different(
        call.render("Cart.find"),
        DifferenceKind.VALUE,
        Observation("returned", "[1]"),
        Observation("returned", "[]"),
    )
    said = shown_difference("Cart.find", answer, shown_objects([call]))
    assert said.endswith("….find('Ink') returns []; before: returns [1]")


def test_bytes_that_nobody_has_words_for_are_left_out() -> None:
    packed = f"pickle.loads({pickle.dumps(Cart(), 4)!r})"
    call = Call((Expression(packed),))
    answer = different(
        call.render("pay"),
        DifferenceKind.EXCEPTION,
        Observation("raised", "ValueError", "too late"),
        Observation("returned", "None"),
    )
    said = shown_difference("pay", answer, shown_objects([call]))
    assert said == "pay(…) returns None; before: raises ValueError: too late"


def test_what_is_left_behind_is_said_where_the_result_is_the_same() -> None:
    answer = different(
        "pay([1])",
        DifferenceKind.ARGUMENTS,
        Observation("returned", "1", arguments=("[1]",)),
        Observation("returned", "1", arguments=("[]",)),
    )
    assert (
        shown_difference("pay", answer, {}) == "pay([1]) now has other arguments: []; before: [1]"
    )


def test_an_address_is_no_part_of_how_an_object_reads() -> None:
    kind, data, shown = _source([Cart()])
    assert (kind, type(pickle.loads(base64.b64decode(data))[0])) == ("pickle", Cart)  # noqa: S301
    assert "0x" not in shown
    assert "Cart object" in shown
