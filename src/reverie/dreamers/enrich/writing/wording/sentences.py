"""Whether the end of a test's name is a sentence: whole, short, and not turned around.

What a message says can be half of it once values and marks are gone: `requires array to contain
elements`. Such an end is no name, however right each of its words is.
"""

import re

from reverie.dreamers.enrich.writing.wording.phrases import FIELD, LOOSE_ENDS, vocabulary

_MOST_WORDS = 10
_NEEDING = vocabulary(
    "contain contains start starts begin begins end ends match matches include includes have"
    " support supports require requires provide provides specify specifies exceed exceeds return"
    " returns take takes become use uses define defines expect expects accept accepts either"
    " neither both only also such each every any some other very between above below"
    " before after into under over against within without about make need needs exactly same equal"
    " following"
)
"""What needs a word behind it."""
_TURNED = re.compile(
    r"_(?:when|if|where)_(?:\w+_)?"
    r"(?:should|must|needs?(?=_to)|requires|required|only|expects|expected|accepted|supported|allowed)"
    r"(?=_|$)"
)
"""`refuses when index must be positive` says the opposite of what it does."""
_DENIED = re.compile(r"_(?:not|no|cannot|never|non)_")
_TWICE = re.compile(r"(?:^|_)(\w+)_(?:(?:and|or|is|are)_)?\1(?:_|$)")
_NO_THING = re.compile(r"_there_is_(?:an?|no)_(?:\w*(?:ed|found|valid|ing)|self|value|result)$")
_NO_NOUN = re.compile(
    r"_what_is_(?!(?:not|no|too|at|above|below|already)_)[a-z]+_(?!(?:too|in|with|by|twice|as)_)\w+"
)
_HALF = re.compile(
    r"^cannot_(?:be_\w+|[a-z]+)$|_\d+_\d+(?:_|$)|_of_(?:type|\d+)$|_in_(?:range_)?\d+(?:_\d+)?$|^requires_\d|_at_(?:most|least)$|(?:^|_)self(?:_|$)"
    r"|^refuses_when_[a-z]+_(?:is|are)_not_[a-z]$"
)


def is_sentence(end: str) -> bool:
    """Whether these words behind a function's name can be read, and say what it does."""
    words = end.split("_")
    if not end:
        return True
    if not all(words) or FIELD in end or len(words) > _MOST_WORDS:
        return False
    if words[-1] in LOOSE_ENDS or words[-1] in _NEEDING:
        return False
    if any(len(word) == 1 and word.isalpha() and word != "a" for word in words):
        return False
    said = f"_{end}"
    if _TURNED.search(said) and not _DENIED.search(said):
        return False
    poor = (_TWICE, _HALF, _NO_THING, _NO_NOUN)
    return not any(each.search(said if each in (_NO_THING, _NO_NOUN) else end) for each in poor)
