"""The callables of a module with what their source says of them; nothing is imported."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from reverie.syntax.nodes import Function
from reverie.syntax.parsing import parse_module
from reverie.syntax.unparsing import unparse

_WORDS = {
    "int": "int", "integer": "int", "integers": "int", "ints": "int", "float": "float",
    "floats": "float", "number": "float", "numbers": "float", "str": "str", "string": "str",
    "strings": "str", "strs": "str", "bool": "bool", "boolean": "bool", "bytes": "bytes",
    "list": "list", "lists": "list", "tuple": "tuple", "tuples": "tuple", "dict": "dict",
    "dictionary": "dict", "set": "set", "iterable": "list", "sequence": "list", "datetime": "datetime",
}  # fmt: skip
_MANY = frozenset({"list", "tuple", "set"})
_TYPE = r"[A-Za-z][\w\[\], ]*?(?: of \w+)?"
_GOOGLE = re.compile(rf"^\s+\*{{0,2}}(?P<name>\w+) \((?P<type>{_TYPE})\):", re.MULTILINE)
_NUMPY = re.compile(rf"^\s*(?P<name>\w+) ?: (?P<type>{_TYPE})\s*$", re.MULTILINE)
_SPHINX = re.compile(
    rf":type (?P<name>\w+): (?P<type>{_TYPE})\s*$|:param (?P<type2>\w+) (?P<name2>\w+):",
    re.MULTILINE,
)
_RETURNS = re.compile(
    rf"^\s*Returns?:?\n\s*(?:-{{3,}}|={{3,}})?\n?\s*(?:\w+ ?: )?(?P<type>{_TYPE})(?::| *$)"
    rf"|:rtype: (?P<type2>{_TYPE})\s*$",
    re.MULTILINE,
)
_OPENS = re.compile(
    r"\s*(?:Returns?|Gives?|Makes?) (?:an? |the )?(?:(?!(?:of|in|from|for|if|when|that|whether)\b)\w+ ){0,2}(?P<type>list|tuple|dict|string)\b",
    re.IGNORECASE,
)


def documented_types(docstring: str) -> dict[str, str]:
    """Annotations, as source, of the parameters whose type is written down."""
    found: dict[str, str] = {}
    for pattern in (_GOOGLE, _NUMPY, _SPHINX):
        for match in pattern.finditer(docstring):
            named = match.groupdict()
            name = named["name"] or named.get("name2") or ""
            made = annotation(named["type"] or named.get("type2") or "")
            if made is not None:
                found.setdefault(name, made)
    return found


def documented_result(docstring: str) -> str | None:
    """The annotation of the result, where it is written down."""
    opening = _OPENS.match(docstring)
    if opening is not None:
        return annotation(opening["type"])
    match = _RETURNS.search(docstring)
    return None if match is None else annotation(match["type"] or match["type2"])


def annotation(text: str) -> str | None:
    """`list of integers, optional` is `list[int]`; None for what is not plain."""
    text = re.sub(r",? *\(?optional\)?.*$|,? default.*$", "", text.strip(), flags=re.IGNORECASE)
    several = re.fullmatch(r"(?P<many>\w+)(?: of |\[)(?P<each>\w+)\]?", text)
    if several is not None:
        many, each = _WORDS.get(several["many"].lower()), _WORDS.get(several["each"].lower())
        if many not in _MANY:
            return None
        if each is None:
            return many
        return f"tuple[{each}, ...]" if many == "tuple" else f"{many}[{each}]"
    return _WORDS.get(text.lower())


_MOST_YIELDED = 1000
_QUOTED = re.compile(r"(?<!\w)(\"|')[^\"'\n]*\1(?!\w)")
_ERROR = re.compile(r"\b([A-Z]\w*(?:Error|Exception|Exit|Interrupt|Iteration|Warning))\b")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as written."""

    name: str
    annotation: str | None
    is_required: bool
    documented: str | None = None
    """The annotation that its documentation stands for, where it has none."""


@dataclass(frozen=True)
class Subject:
    """A function, or a method of a class."""

    qualname: str
    node: Function
    parameters: tuple[Parameter, ...]
    """Those that can be given by place; without `self`."""
    calls: frozenset[str] = field(default_factory=frozenset)
    """Names that its body calls."""
    is_plain: bool = True
    """Neither async, nor with `*args`."""
    is_lazy: bool = False
    """A generator: its results are what it yields."""

    @property
    def name(self) -> str:
        """The last part of its name."""
        return self.qualname.rpartition(".")[2]

    @cached_property
    def doc(self) -> str:
        """Its docstring on one line for each sentence, doctests left out."""
        return prose(ast.get_docstring(self.node) or "")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of its parameters."""
        return tuple(each.name for each in self.parameters)

    @property
    def required(self) -> tuple[Parameter, ...]:
        """The parameters that a call must give."""
        return tuple(each for each in self.parameters if each.is_required)

    @property
    def returns(self) -> str | None:
        """The annotation of the result, as written."""
        return None if self.node.returns is None else unparse(self.node.returns)

    @cached_property
    def result(self) -> str:
        """What the result is: by its annotation, or else by the documentation."""
        if self.is_lazy:
            return "list"
        return self.returns or documented_result(ast.get_docstring(self.node) or "") or ""

    @property
    def is_public(self) -> bool:
        """Whether others may call it."""
        return not self.name.startswith("_")

    def call(self, *args: str) -> str:
        """A call, with its own parameters unless others are given; what it yields, as a list."""
        made = f"{self.qualname}({', '.join(args or self.names)})"
        return f"list(itertools.islice({made}, {_MOST_YIELDED}))" if self.is_lazy else made


@dataclass(frozen=True)
class ClassSubject:
    """A class: its constructor and methods."""

    name: str
    node: ast.ClassDef
    methods: tuple[Subject, ...]

    @cached_property
    def doc(self) -> str:
        """The docstring of the class."""
        return prose(ast.get_docstring(self.node) or "")

    @cached_property
    def by_name(self) -> dict[str, Subject]:
        """Its methods."""
        return {each.name: each for each in self.methods}

    @property
    def constructor(self) -> tuple[Parameter, ...]:
        """What its instances are made with."""
        found = self.by_name.get("__init__")
        return () if found is None else found.parameters


@dataclass(frozen=True)
class Reading:
    """A module's callables by name."""

    doc: str
    functions: dict[str, Subject]
    classes: dict[str, ClassSubject]
    names: frozenset[str]
    """Everything that its top level binds."""
    module: str = ""

    def related(self, name: str) -> tuple[str, ...]:
        """The functions that a function calls, however far; the nearest first."""
        found: dict[str, None] = {}
        waiting = [name]
        while waiting:
            node = self.functions.get(waiting.pop(0))
            for each in sorted(node.calls) if node is not None else ():
                if each in self.functions and each not in found and each != name:
                    found[each] = None
                    waiting.append(each)
        return tuple(found)

    def callers(self, name: str) -> tuple[str, ...]:
        """The functions that call a function or class themselves."""
        return tuple(each.qualname for each in self.functions.values() if name in each.calls)


def read_module(source: str, module: str = "") -> Reading:
    """All top-level functions and classes of a module."""
    tree = parse_module(source)
    functions: dict[str, Subject] = {}
    classes: dict[str, ClassSubject] = {}
    names: set[str] = set()
    for node in tree.body:
        names |= set(_bound(node))
        if isinstance(node, Function):
            functions[node.name] = _subject(node.name, node)
        elif isinstance(node, ast.ClassDef):
            methods = tuple(
                _subject(f"{node.name}.{each.name}", each, skip=_skipped(each))
                for each in node.body
                if isinstance(each, Function)
            )
            classes[node.name] = ClassSubject(node.name, node, methods)
    return Reading(
        prose(ast.get_docstring(tree) or ""), functions, classes, frozenset(names), module
    )


def errors_named(text: str) -> frozenset[str]:
    """Names of exceptions that a text mentions; what stands in quotes is somebody's value."""
    return frozenset(_ERROR.findall(_QUOTED.sub("", text)))


def prose(docstring: str) -> str:
    """A docstring without its doctests, line breaks within sentences undone."""
    kept: list[str] = []
    is_example = False
    for line in docstring.splitlines():
        stripped = line.strip()
        if stripped.startswith(">>>"):
            is_example = True
        elif not stripped:
            is_example = False
            kept.append("\n")
        if not is_example:
            kept.append(stripped)
    return re.sub(r" *\n[ \n]*", "\n", " ".join(kept)).strip()


def _subject(qualname: str, node: Function, skip: int = 0) -> Subject:
    given = [*node.args.posonlyargs, *node.args.args]
    optional = len(node.args.defaults)
    told = documented_types(ast.get_docstring(node) or "")
    parameters = [
        Parameter(
            each.arg,
            None if each.annotation is None else unparse(each.annotation),
            place < len(given) - optional,
            None if each.annotation is not None else told.get(each.arg),
        )
        for place, each in enumerate(given)
    ]
    inner = list(ast.walk(node))
    is_generator = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in _own(node))
    is_open = node.args.vararg is not None or any(
        default is None for default in node.args.kw_defaults
    )
    calls = {
        each.func.id
        for each in inner
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
    }
    is_plain = not (is_open or isinstance(node, ast.AsyncFunctionDef))
    kept = tuple(parameters[skip:])
    return Subject(qualname, node, kept, frozenset(calls), is_plain, is_generator)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What belongs to a function itself, and not to one that it defines."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, Function | ast.Lambda | ast.ClassDef | ast.GeneratorExp):
            yield each
            yield from _own(each)


def _skipped(node: Function) -> int:
    marks = {unparse(each) for each in node.decorator_list}
    return 0 if "staticmethod" in marks else 1


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, Function | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for each in node.names:
            yield (each.asname or each.name).partition(".")[0]


_NAMED = re.compile(r"^(?:ordered|sorted|ascending)(?:_|$)|_(?:sorted|ordered)$")
_TOLD = re.compile(
    r"(?<!returns a )(?<!return a )(?<!as a )(?<!into a )(?<!a new )(?<!returns the )"
    r"\b(?:sorted|ordered|ascending) (?:lists?|sequences?|arrays?|inputs?|values|numbers|items|iterables?)\b"
    r"|\b(?:must be|is|are|assumed(?: to be)?|already|kept|keeping the list) (?:sorted|in ascending order)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?:inputs|arguments|values|floats|coordinates|components)\b[^.;]{0,60}?"
    r"(?:\[0(?:\.0)?(?:\.\.\.|, ?|-)1(?:\.0)?\]|between 0(?:\.0)? and 1(?:\.0)?\b|from 0(?:\.0)? to 1(?:\.0)?\b)",
    re.IGNORECASE,
)
_LIST = re.compile(r"^(?:list|tuple|Sequence|Iterable)\b")


def ordered_parameters(reading: Reading) -> Iterator[str]:
    """Parameters whose values have to be sorted, as `function:parameter`."""
    for subject in reading.functions.values():
        for name in _ordered(subject, reading):
            yield f"{subject.qualname}:{name}"


def _ordered(subject: Subject, reading: Reading) -> Iterator[str]:
    is_told = bool(_TOLD.search(subject.doc) or _TOLD.search(reading.doc))
    for each in subject.parameters:
        is_list = each.annotation is None or bool(_LIST.match(each.annotation))
        if is_list and (_NAMED.search(each.name) or (is_told and each.annotation is not None)):
            yield each.name


def positive_parameters(reading: Reading) -> Iterator[str]:
    """Parameters that are said to take positive numbers, as `function:parameter`."""
    for subject in reading.functions.values():
        doc = ast.get_docstring(subject.node) or ""
        for each in subject.parameters:
            name = re.escape(each.name)
            if re.search(
                rf"^\s*\**{name}\b[^\n]{{0,20}}:\s+[^.\n]{{0,40}}\bpositive\b"
                rf"|\bpositive (?:integers?|numbers?|ints?)\s+\(?[`*]*{name}\b", doc,
                re.MULTILINE,
            ):  # fmt: skip
                yield f"{subject.qualname}:{each.name}"


def is_unit(subject: Subject, reading: Reading) -> bool:
    """Whether its numbers lie between 0 and 1, by what the documentation says of all inputs."""
    return bool(_UNIT.search(subject.doc) or _UNIT.search(reading.doc))


_COSTLY = re.compile(
    r"\bcubic\b|\bexponential|\bfactorial time|\bbrute[- ]force|\bpower ?set\b|\bpermutations?\b"
    r"|\bcombinations\b|\ball subsets\b|\bbacktrack|\bNP-|O\((?:n|N|V|m|k)\s*(?:\^|\*\*)\s*[3-9]"
    r"|O\((?:n|N)[³⁴]|O\(\d\s*(?:\^|\*\*)|O\((?:n|N)!|\bslow(?:ly)? for (?:large|long)|\bexpensive\b"
    r"|\b(?:recursively|recursion depth)\b",
    re.IGNORECASE,
)


def measured_callables(name: str, reading: Reading) -> tuple[str, ...]:
    """The function itself, when it is one and its documentation does not speak of a high cost."""
    subject = reading.functions.get(name)
    if subject is None or not subject.is_plain or _COSTLY.search(subject.doc):
        return ()
    return (name,)
