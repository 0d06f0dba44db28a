"""Code that stands in two places, also when its names were changed.

Every file becomes a row of tokens in which one name is like another; comments, docstrings, layout
and imports are no part of it. Of every run of `k` tokens a hash is taken and of every window of
hashes one is kept (winnowing), so any repetition as long as asked for shares a kept hash. A shared
hash is then verified token by token and grown to its full length.
"""

import io
import keyword
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reverie.model.repository.quality import Block, Duplicate

_MAX_BYTES = 2 << 20
_NEIGHBOURS = 8
"""How many of the next places with the same hash each place is compared with."""
_SHORT_RUN, _MIN_VARIETY = 6, 3
"""In code that says something, at least one in three of the short runs is new."""
_BASE, _MODULUS = 1_000_003, (1 << 61) - 1
_LAYOUT = frozenset(
    {
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
        *(tokenize.ENCODING, tokenize.ENDMARKER),
    }
)


@dataclass(frozen=True, slots=True)
class Row:
    """The tokens of one file as numbers, and the line of each."""

    path: str
    symbols: tuple[int, ...]
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    row: int
    position: int


def find_duplicates(sources: Mapping[str, bytes], min_tokens: int) -> tuple[Duplicate, ...]:
    """Pairs of places with at least that many tokens in common, in the order of the files."""
    symbols: dict[str, int] = {}
    rows = [_read(path, source, symbols) for path, source in sources.items()]
    kept = max(10, min_tokens // 2)
    window = max(1, min_tokens - kept + 1)
    places: defaultdict[int, list[_Place]] = defaultdict(list)
    for number, row in enumerate(rows):
        for position, value in winnow(_hashes(row.symbols, kept), window):
            places[value].append(_Place(number, position))
    return tuple(sorted(_grow(rows, places, min_tokens), key=_order))


def _order(found: Duplicate) -> tuple[str, int, str, int]:
    first, second = found.first, found.second
    return first.path, first.first_line, second.path, second.first_line


def duplicated_lines(duplicates: Sequence[Duplicate]) -> dict[str, set[int]]:
    """The lines of every file that also stand somewhere else."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for each in duplicates:
        for block in (each.first, each.second):
            found[block.path].update(range(block.first_line, block.last_line + 1))
    return dict(found)


def winnow(hashes: Sequence[int], window: int) -> Iterator[tuple[int, int]]:
    """Of every window the smallest hash, the last of equals, with its position; each once."""
    last = -1
    best = -1
    for end in range(len(hashes)):
        start = end - window + 1
        if best < start:
            first = max(start, 0)
            best = max(range(first, end + 1), key=lambda at: (-hashes[at], at))
        elif hashes[end] <= hashes[best]:
            best = end
        if (start >= 0 or end == len(hashes) - 1) and best != last:
            last = best
            yield best, hashes[best]


def _read(path: str, source: bytes, symbols: dict[str, int]) -> Row:
    found: list[int] = []
    lines: list[int] = []
    if len(source) <= _MAX_BYTES:
        for text, line in _significant(source):
            found.append(symbols.setdefault(text, len(symbols)))
            lines.append(line)
    return Row(path, tuple(found), tuple(lines))


def _significant(source: bytes) -> Iterator[tuple[str, int]]:
    """The tokens that say something; of a file that cannot be read, those before the mistake."""
    statement: list[tokenize.TokenInfo] = []
    try:
        for token in tokenize.tokenize(io.BytesIO(source).readline):
            if token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
                yield from _normalised(statement)
                statement = []
            elif token.type not in _LAYOUT:
                statement.append(token)
    except (SyntaxError, tokenize.TokenError, ValueError, RecursionError):
        return


def _normalised(statement: Sequence[tokenize.TokenInfo]) -> Iterator[tuple[str, int]]:
    if not statement or statement[0].string in ("import", "from", "@"):
        return
    if all(token.type == tokenize.STRING for token in statement):
        return
    for token in statement:
        is_name = token.type == tokenize.NAME and not keyword.iskeyword(token.string)
        yield "a name" if is_name else token.string, token.start[0]
    yield "the end of a statement", statement[-1].start[0]


def _hashes(symbols: Sequence[int], length: int) -> list[int]:
    """A rolling hash of every run of `length` symbols."""
    if len(symbols) < length:
        return []
    power = pow(_BASE, length - 1, _MODULUS)
    value = 0
    for symbol in symbols[:length]:
        value = (value * _BASE + symbol + 1) % _MODULUS
    found = [value]
    for gone, come in zip(symbols, symbols[length:], strict=False):
        value = ((value - (gone + 1) * power) * _BASE + come + 1) % _MODULUS
        found.append(value)
    return found


def _grow(
    rows: Sequence[Row], places: Mapping[int, Sequence[_Place]], min_tokens: int
) -> Iterator[Duplicate]:
    """Every shared hash grown to its full length; what lies within a known pair is passed over."""
    known: defaultdict[tuple[int, int, int], list[range]] = defaultdict(list)
    for first, second in _pairs(places):
        shift = second.position - first.position
        diagonal = (first.row, second.row, shift)
        if any(first.position in run for run in known[diagonal]):
            continue
        run = _common_run(rows, first, second)
        known[diagonal].append(run)
        if first.row == second.row:  # a place does not repeat itself
            run = run[: abs(shift)]
        if len(run) >= min_tokens and not _is_table(rows[first.row], run):
            yield _duplicate(rows, diagonal, run)


def _pairs(places: Mapping[int, Sequence[_Place]]) -> Iterator[tuple[_Place, _Place]]:
    for shared in places.values():
        for at, first in enumerate(shared):
            for second in shared[at + 1 : at + 1 + _NEIGHBOURS]:
                yield first, second


def _common_run(rows: Sequence[Row], first: _Place, second: _Place) -> range:
    """The positions in the first file around a shared place up to where the two differ."""
    left, right = rows[first.row].symbols, rows[second.row].symbols
    shift = second.position - first.position
    low, high = max(0, -shift), min(len(left), len(right) - shift)
    begin = end = first.position
    while begin > low and left[begin - 1] == right[begin - 1 + shift]:
        begin -= 1
    while end < high and left[end] == right[end + shift]:
        end += 1
    return range(begin, end)


def _is_table(row: Row, run: range) -> bool:
    """Whether a run repeats itself over and over: one row of a table is like any other."""
    short_runs = {row.symbols[at : at + _SHORT_RUN] for at in run}
    return len(short_runs) * _MIN_VARIETY < len(run)


def _duplicate(rows: Sequence[Row], diagonal: tuple[int, int, int], run: range) -> Duplicate:
    first, second, shift = diagonal
    moved = range(run.start + shift, run.stop + shift)
    return Duplicate(_block(rows[first], run), _block(rows[second], moved), len(run))


def _block(row: Row, run: range) -> Block:
    """The lines that are part of the run as a whole; all that it touches if none is."""
    touched = range(row.lines[run[0]], row.lines[run[-1]] + 1)
    begins_within = run[0] > 0 and row.lines[run[0] - 1] == touched[0]
    ends_within = run[-1] + 1 < len(row.lines) and row.lines[run[-1] + 1] == touched[-1]
    whole = touched[begins_within : len(touched) - ends_within] or touched
    return Block(row.path, whole[0], whole[-1])
