"""Words for the name of a test: what a message, a condition or a docstring says, as one phrase.

A phrase is the end of a sentence whose subject is the function under test: `refuses a reader who
is waiting already`, `when late is at most grace days`. What gives no sentence gives no phrase.
"""

import re
from collections.abc import Sequence


def vocabulary(words: str) -> frozenset[str]:
    """Words, written as one text."""
    return frozenset(words.split())


_MOST_WORDS = 11
_FINITE = vocabulary(
    "is are was were has have had does do did can cannot must should may might needs need will"
    " contains exceeds expects requires takes got"
)
_MODAL = vocabulary("must should")
_FORBIDDING = ("cannot be ", "can not be ", "must not be ", "may not be ", "should not be ")
FAULTS = vocabulary(
    "invalid unknown bad unsupported unexpected illegal missing duplicate duplicated empty negative"
    " malformed ambiguous unrecognized unrecognised wrong incorrect incompatible undefined"
    " inconsistent nonexistent improper unbalanced unterminated unclosed impossible incomplete"
    " conflicting insufficient non forbidden extra circular overlapping expired reserved"
)
_COMING = vocabulary("found received passed given specified provided available")
_UNABLE = (("cannot",), ("could", "not"), ("can", "not"), ("unable", "to"), ("failed", "to"))
_HANDING = vocabulary("pass give provide specify supply set have use contain")
_OWN_VERBS = vocabulary("expects requires takes needs accepts cannot only does")
_GRANTED = {"allowed": "allows", "accepted": "accepts", "supported": "supports"}
_IMPERSONAL = vocabulary("it this that these those you we i")
_BEGINNING = FAULTS | vocabulary("cannot could unable failed not no too expected")
_AFTER_VERB = vocabulary(
    "before after the a an its no in with to from on at more less too than not only both into"
    " past beyond out over under"
)
_PERSONS = vocabulary(
    "reader user person author customer member owner guest client employee student player"
    " admin visitor subscriber sender recipient borrower patient driver teacher child"
)
_SHORT = {
    "can't": "cannot", "isn't": "is not", "doesn't": "does not", "don't": "do not",
    "aren't": "are not", "won't": "will not", "wasn't": "was not", "couldn't": "could not",
    "hasn't": "has not", "mustn't": "must not", "shouldn't": "should not", "didn't": "did not",
    "there's": "there is", "it's": "it is", "that's": "that is",
}  # fmt: skip
_SIGNS = {
    " >= ": " at least ", " <= ": " at most ", " > ": " above ", " < ": " below ",
    " == ": " equal to ", " != ": " other than ",
}  # fmt: skip
_MARKS = {
    "/": "a slash", "\\": "a backslash", ".": "a dot", ",": "a comma", "-": "a hyphen",
    ":": "a colon", ";": "a semicolon", "_": "an underscore", "#": "a hash sign", "@": "an at sign",
    " ": "a blank", "+": "a plus sign", "*": "an asterisk", "%": "a percent sign",
    "=": "an equals sign", "$": "a dollar sign", "?": "a question mark", "!": "an exclamation mark",
    "&": "an ampersand", "|": "a bar", "~": "a tilde",
}  # fmt: skip
"""A mark that a message quotes, in words."""
_NO_SUBJECT = vocabulary("to in on at for if when please try use while from as and or by")
LOOSE_ENDS = vocabulary(
    "a an the of to in on at for with and or not but by from as is are was were be got that than"
    " when if unless while because its non no at one could would should must may might can will"
    " cannot has have had does do did been being which who this these your"
)
_MASS = vocabulary(
    "data metadata content info information text_data css html xml json yaml toml sql code markdown"
)
"""What has no plural, and no article."""
_CONSONANT = re.compile(r"uni(?!n)|us[aeu]|ut[fi]|uu|ur[il]|eu|one")
"""Words that begin like `you` or `won`."""
_OPEN, _CLOSING = vocabulary("either neither both between"), vocabulary("or nor and")
FIELD = "\0"
"""Marks a word of a template that stands for a value."""


def article(words: str) -> str:
    """`a` or `an`; nothing before a plural."""
    last = words.rpartition("_")[2]
    if last in _MASS:
        return ""
    if last.endswith("s") and not last.endswith(("ss", "us", "is")):
        return ""
    is_vowel = words[:1] in "aeiou" and not _CONSONANT.match(words)
    return "an_" if is_vowel or words.startswith(("hour", "honest")) else "a_"


def be(thing: str, verb: str = "is") -> str:
    """A verb as the thing wants it: `places are`."""
    head = re.split("_(?:to|of|in|for|with|from|on|at)_", thing)[0]
    is_one = bool(article(head)) or head.rpartition("_")[2] in _MASS
    return verb if is_one else {"is": "are", "was": "were", "has": "have"}.get(verb, verb)


def joined(words: Sequence[str]) -> str:
    """Words as a part of a name, of a bearable length, without a loose end."""
    kept = [word for word in words if word][:_MOST_WORDS]
    while kept and kept[-1] in LOOSE_ENDS:
        kept.pop()
    return "_".join(kept)


def whole(words: Sequence[str]) -> str | None:
    """Words as a part of a name; None where some would be cut off, and the rest be half of it."""
    kept = [word for word in words if word]
    return "_".join(kept) if kept and joined(kept) == "_".join(kept) else None


def words_of(text: str) -> list[str]:
    """The words of a text in small letters; those of a field keep their mark."""
    plain = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    for short, long in (*_SHORT.items(), *_SIGNS.items()):
        plain = plain.replace(short, long)
    return re.findall(rf"{FIELD}?[a-z0-9]+", plain.replace("_", " "))


def _marked(found: re.Match[str]) -> str:
    return _MARKS.get(found[2], found[0])


# -- what is refused ----------------------------------------------------------------------------


def refusal(message: str, function: str = "") -> str | None:
    """What a function does that raises with this message; None when no sentence comes of it.

    `FIELD` stands in front of every word that the message is filled with.
    """
    aside = re.search(r"\(([a-z][a-z ]+[a-z'.]*)\)", message)
    if aside is not None and (told := refusal(aside[1])):
        return told
    message = re.sub(r"^[\w.]+\(\): ", "", message)  # which function speaks
    message = re.sub(r"(?<=\w) \([^()]{1,24}\)(?= [a-z])", "", message)  # `Issuer (iss) must be`
    message = re.sub(r"^(?:when|if|for)\b[^,.;]*, (?=\w)", "", message, flags=re.IGNORECASE)
    clause = _first_clause(message)
    words = _once(words_of(clause))
    got = words.index("got") if "got" in words else -1
    words = words[got + 1 :] if got >= 0 and len(words) > got + 1 else words
    if words[:1] in (["you"], ["we"], ["i"]) and words[1:2] in (["must"], ["cannot"]):
        words = words[1:]
    while words[:1] in (["a"], ["an"], ["the"]):
        words = words[1:]
    is_filled = any(word.startswith(FIELD) for word in words)
    words = _lean(words)
    if any(map(_is_counted, words[1:], words[2:])):
        return None
    plain = [word.lstrip(FIELD) for word in words]
    if not plain or all(word.startswith(FIELD) for word in words):
        return None
    if _OPEN & set(plain) and not _CLOSING & set(plain):
        return None  # `must be either none`: the rest is behind a comma
    return (
        _of_rule(plain, function)
        or _of_field(words, plain)
        or _of_fault(plain)
        or _of_duty(plain)
        or _of_clause(plain, is_all=clause.strip() == message.strip(), is_filled=is_filled)
    )


def _of_rule(plain: Sequence[str], function: str) -> str | None:
    """`zip_values expects two`: expects two. `x is only allowed for y`: is only allowed for y.

    `start or end required`: requires start or end. `only dates allowed`: allows only dates.
    """
    own = words_of(function)
    rest = list(plain[len(own) :])
    if own and list(plain[: len(own)]) == own and rest[:1] and rest[0] in _OWN_VERBS:
        return joined(rest)
    if len(plain) > 1 and plain[-1] == "required" and not _FINITE & set(plain):
        return joined(["requires", *plain[:-1]])
    if len(plain) > 2 and plain[0] == "only" and plain[-1] in _GRANTED:
        return joined([_GRANTED[plain[-1]], "only", *plain[1:-1]])
    for place in range(len(plain) - 2):
        if plain[place] in ("is", "are") and plain[place + 1] == "only":
            told = joined(["is", *plain[place + 1 :]])
            return told if place and len(plain) > place + 3 else None
    return None


def _lean(words: Sequence[str]) -> list[str]:
    """Without the fields that only follow the noun which says what they are."""
    found: list[str] = []
    for place, word in enumerate(words):
        before = found[-1] if found else ""
        after = words[place + 1] if place + 1 < len(words) else ""
        is_said = place > 0 and before not in (*_FINITE, *LOOSE_ENDS, "") and FIELD not in before
        is_said = is_said and (not after or FIELD in after or after in (*_FINITE, *LOOSE_ENDS))
        if not (word.startswith(FIELD) and is_said):
            found.append(word)
    return found


def _is_counted(word: str, after: str) -> bool:
    """Whether a value tells how many, or which: `should contain {size} elements`."""
    return FIELD in word and not (FIELD in after or after in (*_FINITE, *LOOSE_ENDS))


def _once(words: Sequence[str]) -> list[str]:
    """Without the words of a field that the text in front of it has said already."""
    found: list[str] = []
    for place, word in enumerate(words):
        count = place
        while count < len(words) and words[count].startswith(FIELD):
            count += 1
        filled = [each.lstrip(FIELD) for each in words[place:count]]
        if filled and found[-len(filled) :] == filled:
            found = [*found[: -len(filled)], *(f"{FIELD}{each}" for each in filled)]
        elif not (word.startswith(FIELD) and word in found[-3:]):
            found.append(word)
    return found


def _first_clause(message: str) -> str:
    """Up to the first stop that has words before it, without quotes and brackets."""
    text = message.replace("(s)", "s").replace("()", "")
    text = re.sub(r"(?:\b(?:an? |the )(?:single )?)?(['\"`])([^\w\s]|_| )\1", _marked, text)
    text = re.sub(r"[\"'`(\[<](?=\0|[^\w])|(?<=[^\s])[\"`)\]>]", " ", text)
    for piece in re.split(r"[:;,.!?\n(](?=\s|$)|\s-+\s|\s\(", text):
        if re.search(r"[A-Za-z]{2}", piece):
            return piece
    return ""


def _of_field(words: Sequence[str], plain: Sequence[str]) -> str | None:
    """`{reader} is waiting already`: refuses a reader who is waiting already."""
    count = 0
    while count < len(words) and words[count].startswith(FIELD):
        count += 1
    if not count or count == len(words):
        return None
    who, rest = plain[:count], plain[count:]
    if rest[0] not in _FINITE:
        return None
    if rest[0] in (*_MODAL, "cannot", "can", "may", "will"):
        return _of_duty(plain)
    which = "who" if who[-1] in _PERSONS else "that"
    name, told = "_".join(who), whole([be("_".join(who), rest[0]), *rest[1:]])
    return None if told is None else f"refuses_{article(name)}{name}_{which}_{told}"


def _wanted(rest: Sequence[str]) -> list[str]:
    """`must be positive`: to be positive."""
    return ["not", "to", *rest[2:]] if rest[1:2] == ["not"] else ["to", *rest[1:]]


def _of_fault(plain: Sequence[str]) -> str | None:
    """`not a day`, `invalid version`, `no such unit`, `too short`: what is wrong comes first."""
    first, rest = plain[0], list(plain[1:])
    if first == "not" and rest and not rest[0].endswith("ing"):
        return f"refuses_what_is_{joined(plain)}"
    if first == "no" and rest and rest[0] in FAULTS:
        return f"refuses_{joined(rest)}"
    if first == "no" and rest:
        ends = [at for at, word in enumerate(rest) if at and word in _COMING]
        thing = joined(rest[: ends[0]] if ends else rest)
        return f"refuses_when_there_{be(thing)}_no_{thing}" if thing else None
    if first == "too" and rest:
        return f"refuses_{'' if rest[0] in ('many', 'few') else 'what_is_'}{joined(plain)}"
    if first in FAULTS:
        if not rest or rest[0] in _FINITE:
            return f"refuses_what_is_{first}"
        if _FINITE & set(rest):
            return None  # a sentence, whose subject it is
        place = next((at for at, word in enumerate(plain) if at and word in LOOSE_ENDS), len(plain))
        head = "_".join(plain[:place])
        return f"refuses_{article(head)}{joined(plain)}"
    if first == "must" and len(rest) > 1 and rest[0] in _HANDING:
        return f"requires_{joined(rest[2:] if rest[1] in ('in', 'the') else rest[1:])}"
    if first == "expected" and rest:
        cut = next((at for at, word in enumerate(rest) if word in ("got", "but", "not")), None)
        told = whole(rest[:cut])
        return None if told is None else f"expects_{told}"
    for unable in _UNABLE:
        if tuple(plain[: len(unable)]) == unable and len(plain) > len(unable):
            return f"cannot_{joined(plain[len(unable) :])}"
    return None


def _of_duty(plain: Sequence[str]) -> str | None:
    """`width must be even`: requires width to be even. `width cannot be 0`: a width that is 0."""
    said = f"{' '.join(plain)} ".replace(" needs to ", " must ").replace(" need to ", " must ")
    plain = said.split()
    for forbidding in _FORBIDDING:
        who, is_there, what = said.partition(f" {forbidding}")
        if is_there and what.strip():
            subject = [each for each in who.split() if each not in ("the", "a", "an")]
            rest = whole([be(joined(subject)), *what.split()])
            thing = joined(subject)
            return None if rest is None else f"refuses_{article(thing)}{thing}_that_{rest}"
    for place, word in enumerate(plain):
        subject = [each for each in plain[:place] if each not in ("the", "a", "an")]
        if not subject or place + 1 == len(plain):
            continue
        if word in _MODAL:
            told = whole([*subject, *_wanted(plain[place:])])
            return None if told is None else f"requires_{told}"
        if word == "expected":
            return f"requires_{joined([*subject, 'to', 'be', *plain[place + 1 :]])}"
        if word == "too" and not subject[-1].endswith("ed"):
            thing = joined([each for each in subject if each not in ("is", "are", "was", "were")])
            return f"refuses_{article(thing)}{thing}_that_{be(thing)}_{joined(plain[place:])}"
    return None


def _of_clause(plain: Sequence[str], *, is_all: bool, is_filled: bool) -> str | None:
    """A sentence with a verb of its own, or a single word that is the whole of a clause."""
    if plain[0] in _NO_SUBJECT | _IMPERSONAL:
        return None
    if plain[-1] == "failed" and len(plain) > 1:
        return f"refuses_when_{joined([*plain[:-1], 'fails'])}"
    if plain[-2:] in (["is", "required"], ["are", "required"]) and len(plain) > 2:
        return f"requires_{joined(plain[:-2])}"
    if any(word in _FINITE for word in plain[1:]):
        told = whole(plain)
        return None if told is None else f"refuses_when_{told}"
    place = next((at for at, word in enumerate(plain) if at and plain[at - 1] == "not"), 0)
    if place > 1 and plain[place].endswith(("ed", "found", "known", "given")):
        end = place + 1
        if end < len(plain) and plain[end] in ("as", "like"):  # `not returned as a list but a dict`
            stops = (at for at in range(end, len(plain)) if plain[at] in ("but", "got"))
            end = next(stops, len(plain))
        thing = joined(plain[: place - 1])
        return f"refuses_when_{thing}_{be(thing)}_{joined(plain[place - 1 : end])}"
    is_verb = len(plain) > 2 and plain[1].endswith("s") and not plain[0].endswith("ed")
    if is_verb and plain[2] in _AFTER_VERB - {"not"}:
        told = whole(plain[1:])
        return None if told is None else f"refuses_{article(plain[0])}{plain[0]}_that_{told}"
    if len(plain) > 1 and plain[0].endswith("s") and plain[1] in _AFTER_VERB:
        return f"refuses_what_{joined(plain)}"
    is_told = len(plain) > 1 and plain[1] not in ("a", "an", "the")  # not `missed a spot`
    if is_told and plain[0].endswith("ed") and not is_filled:
        return f"refuses_what_is_{joined(plain)}"
    if len(plain) == 1 and not is_all and len(plain[0]) > 3:
        return f"refuses_when_{plain[0]}"
    return None


def is_begun(text: str) -> bool:
    """Whether a piece of a message begins where its sentence does, as far as it shows."""
    words = words_of(text)
    return text[:1].isupper() or (bool(words) and words[0] in _BEGINNING)
