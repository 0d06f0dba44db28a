"""Survivors that a person has looked at, with the reason why no test can notice them."""

_NO_COMMENTS = "ast.parse is not asked for type comments: the field is never filled"
_HEALTH = "src/reverie/scoring/procedures.py"
_COLLECT = "src/reverie/scoring/procedures.py::_collect"

LOOKED_AT: dict[str, str] = {
    f"{_COLLECT}::string_affix::2": _NO_COMMENTS,
    f"{_COLLECT}::string_affix::4": _NO_COMMENTS,
    f"{_COLLECT}::string_upper::2": _NO_COMMENTS,
    f"{_COLLECT}::string_upper::4": _NO_COMMENTS,
    f"{_COLLECT}::continue_break": "the fields that are passed over are the last of their node",
    f"{_HEALTH}::measure_health::number_up::1": "one match is as far from two as none",
    f"{_HEALTH}::measure_health::number_down::1": "fewer than no matches are no matches",
    f"{_HEALTH}::_efficiency::compare_lte_lt::1": "at the bound both ways say 1",
}
"""By a mutant's id, or by the beginning of it up to a `::`."""


def reason_for(mutant: str) -> str | None:
    parts = mutant.split("::")
    starts = ("::".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((LOOKED_AT[start] for start in starts if start in LOOKED_AT), None)
