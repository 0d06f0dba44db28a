"""Whatever symbols say, a sheet finds the same ones by the same stems."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.index import ProcessMemory
from reverie.index.remembering.sheet import Sheet
from reverie.index.remembering.sheet_laying import filled
from reverie.index.search import Question
from reverie.index.search.ranking import Shape
from reverie.model.repository.indexed import FileOutline, FileRecord
from reverie.model.repository.symbol import SymbolRecord

TEXTS = st.text(st.sampled_from("aé\x1e\x1f\n\\enu|\ud800"), max_size=6)
WORDS = st.text(st.sampled_from("abé |"), min_size=1, max_size=6)
SYMBOLS = st.builds(
    SymbolRecord,
    qualname=TEXTS,
    line=st.integers(1, 9),
    kind=st.just("function"),
    signature=TEXTS,
    summary=TEXTS,
    words=WORDS,
    shape=TEXTS,
)
EMPTY = Sheet(*[b""] * len(Sheet._fields))


@settings(max_examples=300, deadline=None)
@given(
    st.dictionaries(TEXTS, st.lists(SYMBOLS, max_size=5), max_size=3),
    st.lists(st.text(st.sampled_from("abé"), min_size=1, max_size=3), max_size=3),
    st.booleans(),
)
def test_a_sheet_finds_what_memory_finds(
    files: dict[str, list[SymbolRecord]], words: list[str], is_shape: bool
) -> None:
    memory = ProcessMemory()
    memory.save_files([_file(path, symbols) for path, symbols in files.items()])
    asked = Question(tuple(words), Shape((), "") if is_shape else None)
    sheet = filled(EMPTY, memory)
    found = sheet.candidates(asked)
    assert [found.read(at) for at in range(len(found.words))] == memory.find_symbols(
        asked.stems, only_shaped=is_shape
    )
    assert sheet.module_names(files) == memory.module_names(files)


def _file(path: str, symbols: list[SymbolRecord]) -> FileRecord:
    return FileRecord(FileOutline(path, 1, 1, 0, 0, None, ""), "", "", "", tuple(symbols))
