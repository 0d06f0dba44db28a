"""Listens to the strings of a syntax tree: which of them stand for modules.

A string counts by what it is given to. To a logger, a comparison or a docstring it is only text;
to `import_module`, `pytest_plugins` or `INSTALLED_APPS` it is an import; anywhere else it counts
when it is a dotted name or the path of a Python file.
"""

import ast
import re
from collections.abc import Container
from dataclasses import dataclass, field
from itertools import pairwise

from reverie.index.orphans.bindings import ScopedVisitor, concerned_lines
from reverie.index.orphans.mention import (
    HOLE,
    Mention,
    MentionKind,
    composed_texts,
    entry_points_in,
    imports_in_code,
    imports_of_program,
    is_name_like,
    is_word,
    mention_of,
    mentions_in_command,
)
from reverie.syntax.unparsing import unparse

IMPORTERS = {
    "import_module", "__import__", "import_string", "import_by_path", "find_spec", "resolve_name",
    "run_module", "load_module", "import_object", "import_item", "import_from_string", "locate",
    "symbol_by_name", "import_class", "import_from_path", "load_object", "import_attribute",
    "import_path", "import_name", "load_class", "dynamic_import", "lazy_import", "LazyLoader",
    "spec_from_file_location", "run_path", "importorskip", "import_file", "attach", "LazyModule",
    "_LazyModule", "autodiscover_modules",
}  # fmt: skip
GIVEN_NAMES = re.compile(
    r"include|autodiscover\w*|load_plugins?|register_plugin\w*|load_extensions?|add_url_rule"
    r"|\w*import\w*|config_from_object|from_object|scan"
)
ONLY_TEXT = {
    "getLogger", "get_logger", "getChild", "filterwarnings", "simplefilter", "startswith",
    "endswith", "removeprefix", "removesuffix", "get_distribution", "version", "print", "debug",
    "info", "warning", "error", "exception", "critical", "warn", "TypeVar", "NewType",
    "namedtuple", "skipUnless", "skipIf", "skip", "xfail",
}  # fmt: skip
MODULE_VARIABLE = re.compile(
    r"pytest_plugins|extensions|py_modules|handler|include|imports|plugins|modules|"
    r"\w*_(APPS|PLUGINS|MODULES|MIDDLEWARES?|EXTENSIONS|URLCONF|MODULE|BACKENDS|IMPORTS|CLASSES)|"
    r"MIDDLEWARES?|\w+_(plugins|modules|extensions|apps)"
)
SCANNERS = {"iter_modules", "walk_packages"}
LISTERS = {"glob", "rglob", "iterdir", "listdir", "scandir", "walk", "iglob"}
PYTHON_FILES = re.compile(r"[\w*!/\[\]]*\.py")
WHOLE_PACKAGES = re.compile(r"\w*(MODULES|PACKAGES|_packages)|FORMAT_MODULE_PATH")
INTERPRETERS = {"exec", "run_string", "runsource", "runcode", "timeit", "Timer"}
WALKERS = re.compile(
    r"(?!find_(?:namespace_)?packages$)(?:(?:scan|autodiscover)|\w*(?:scan|walk|discover|iter|load|find|import)\w*_"
    r"(?:modules|packages|plugins|commands|submodules|handlers)\w*)"
)
LOGGERS = "loggers"
ATTRIBUTE_OF = re.compile(r"\w\.[^:]*:[A-Za-z_]\w*$")
"""What is taken out of a module that a pattern names: `app.commands.{}:main`."""


@dataclass(slots=True)
class Speech:
    """What was heard in one file."""

    direct: list[Mention] = field(default_factory=list)
    patterns: list[Mention] = field(default_factory=list)
    """They count if the file imports dynamically."""
    words: list[Mention] = field(default_factory=list)
    """Likewise; and each only inside the file's own package."""
    exported: list[Mention] = field(default_factory=list)
    scanned: list[str] = field(default_factory=list)
    """What stands before `.__path__`."""
    walked: list[Mention] = field(default_factory=list)
    """Names of packages given to something that walks them."""
    imports_at: list[int] = field(default_factory=list)
    """Lines that import dynamically, or look for what to import."""
    imports_dynamically: bool = False
    scans: bool = False
    lists: bool = False
    walks_unknown: bool = False
    """Whether something walks a package that is named elsewhere."""
    seeks_python_files: bool = False
    knows_its_place: bool = False
    walks_itself: bool = False
    """Whether it speaks of its own `__path__`."""
    is_lazy: bool = False
    changes_path: bool = False
    """Whether it touches `sys.path`: what it imports may lie anywhere in the repository."""

    def mentions(self, concerned: Container[int]) -> tuple[Mention, ...]:
        """Everything that counts; of loose words and patterns, those on concerned lines."""
        words = [each for each in self.words if each.line in concerned]
        found = [*self.direct, *self.exported, *self.walked]
        if self.imports_dynamically or self.is_lazy:
            found += [each for each in self.patterns if each.line in concerned] + words
        lists_modules = self.lists and self.seeks_python_files and self.imports_dynamically
        if self.scans or lists_modules:
            found += self._folders(words)
        if self.walks_unknown:
            named = (each for each in self.direct if each.kind is not MentionKind.FILE)
            found += [
                Mention(MentionKind.FOLDER, each.text)
                for each in named
                if "." in each.text and each.line in concerned
            ]
        return tuple(dict.fromkeys(found))

    def _folders(self, words: list[Mention]) -> list[Mention]:
        folders = [Mention(MentionKind.FOLDER, name) for name in self.scanned]
        if self.knows_its_place:
            folders += [
                Mention(MentionKind.FOLDER, "./" + word.text)
                for word in words
                if not word.text.startswith(".")
            ]
        if self.walks_itself:
            folders.append(Mention(MentionKind.FOLDER, "."))
        elif self.knows_its_place:
            folders.append(Mention(MentionKind.BESIDE, "."))
        return folders


@dataclass(frozen=True, slots=True)
class Heard:
    """What one file says about modules that it does not import."""

    mentions: tuple[Mention, ...]
    imports_dynamically: bool
    changes_path: bool


def listen(tree: ast.Module) -> Heard:
    """What one file says about modules."""
    listener = _Listener()
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[target], value=value):
                listener.bindings.bind(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                listener.bindings.bind(target, value)
            case ast.FunctionDef(name="__getattr__", lineno=line):
                listener.speech.is_lazy = True
                listener.speech.imports_at.append(line)
                listener.speech.words += _compared_words(statement)
    listener.visit(tree)
    speech = listener.speech
    concerned = concerned_lines(tree, speech.imports_at)
    return Heard(speech.mentions(concerned), speech.imports_dynamically, speech.changes_path)


class _Listener(ScopedVisitor, ast.NodeVisitor):
    """Walks a tree; `_imports`: what is heard now is given to something that imports."""

    def __init__(self) -> None:
        super().__init__()
        self.speech = Speech()
        self._imports = False
        self._takes_all = False

    def _within(self, given_to: str, imports: bool, *nodes: ast.AST) -> None:
        before = self._imports, self._takes_all
        self._imports = imports
        self._takes_all |= bool(WHOLE_PACKAGES.fullmatch(given_to))
        for node in nodes:
            self.visit(node)
        self._imports, self._takes_all = before

    def visit_Call(self, node: ast.Call) -> None:
        name = _last_name(node.func)
        self.visit(node.func)
        if name in ONLY_TEXT:
            self.speech.seeks_python_files |= any(_is_python_suffix(each) for each in node.args)
            return
        self._noticed(node, name)
        if name.startswith("autodiscover"):
            self._autodiscovered(node, name)
        if self._composed(node):
            return
        if name in INTERPRETERS:
            self._handed_code(*node.args)
        imports = name in IMPORTERS or bool(GIVEN_NAMES.fullmatch(name))
        self._within(name, imports, *node.args)
        for keyword in node.keywords:
            is_given = bool(MODULE_VARIABLE.fullmatch(keyword.arg or ""))
            self._within(keyword.arg or "", imports or is_given, keyword.value)

    def _noticed(self, node: ast.Call, name: str) -> None:
        """Whether a call imports, or looks for what to import."""
        walks = bool(WALKERS.fullmatch(name))
        self.speech.imports_dynamically |= name in IMPORTERS
        self.speech.scans |= name in SCANNERS
        self.speech.lists |= name in LISTERS
        if walks or name in IMPORTERS or name in SCANNERS or name in LISTERS:
            self.speech.imports_at.append(node.lineno)
        if walks:
            given = [self.bindings.texts_of(each) for each in node.args]
            self.speech.walked += [
                Mention(MentionKind.FOLDER, text, node.lineno)
                for texts in given
                for text in texts
                if "." in text and is_word(text)
            ]
            self.speech.walks_unknown |= not any(given)

    def _autodiscovered(self, node: ast.Call, name: str) -> None:
        """Django's and Celery's way: a module of this name in every application."""
        words = [str(each.value) for each in node.args if isinstance(each, ast.Constant)]
        for word in ["tasks"] if name == "autodiscover_tasks" else words:
            pattern = Mention(MentionKind.PATTERN, f"{HOLE}.{word}", node.lineno)
            self.speech.direct.append(pattern)

    def visit_Assign(self, node: ast.Assign) -> None:
        self._assigned(node.targets, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assigned([node.target], node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._assigned([node.target], node.value)

    def _assigned(self, targets: list[ast.expr], value: ast.expr) -> None:
        names = [_last_name(target) for target in targets]
        for target in targets:
            self.bindings.bind(target, value)
        if "__all__" in names:
            self.speech.exported += [
                Mention(MentionKind.WORD, each.value, each.lineno)
                for each in ast.walk(value)
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            if not isinstance(value, ast.List | ast.Tuple):  # perhaps whatever lies there
                self.speech.imports_dynamically = True
                self.speech.imports_at.append(value.lineno)
                self.visit(value)
            return
        imports = any(MODULE_VARIABLE.fullmatch(name) for name in names)
        self._within(names[0], imports, value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # docstrings are only text
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        """A name that is compared is not loaded; what else is done there may load some."""
        for each in (node.left, *node.comparators):
            if not isinstance(each, ast.Constant | ast.List | ast.Tuple | ast.Set):
                self.visit(each)

    def visit_Dict(self, node: ast.Dict) -> None:
        takes_all, self._takes_all = self._takes_all, False
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == LOGGERS:
                continue
            if key is not None:
                self.visit(key)
            self._takes_all = takes_all and isinstance(value, ast.Constant)
            self.visit(value)
        self._takes_all = takes_all

    def visit_Name(self, node: ast.Name) -> None:
        self.speech.knows_its_place |= node.id in ("__path__", "__file__")
        self.speech.walks_itself |= node.id == "__path__"

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr == "path" and _last_name(node.value) == "sys":
            self.speech.changes_path = True
        if node.attr == "__path__":
            self.speech.scanned.append(unparse(node.value))
        self.visit(node.value)

    def visit_List(self, node: ast.List | ast.Tuple) -> None:
        """In an argument vector, what follows `-c` is a program."""
        for before, after in pairwise(node.elts):
            if isinstance(before, ast.Constant) and before.value == "-c":
                self._handed_code(after)
        self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        self.visit_List(node)

    def _handed_code(self, *nodes: ast.expr) -> None:
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                self.speech.direct += imports_in_code(node.value, node.lineno)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        if not self._composed(node):
            self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if not self._composed(node):
            self.generic_visit(node)

    def _composed(self, node: ast.expr) -> bool:
        """Whether this makes a name out of parts; if so, it was heard."""
        is_name = False
        for text in composed_texts(node, self.bindings):
            if is_name_like(text):
                is_name = True
            if not is_name_like(text) or HOLE not in text:
                self._heard(text, node.lineno)
            elif self._imports or ATTRIBUTE_OF.search(text):
                self.speech.direct.append(Mention(MentionKind.PATTERN, text, node.lineno))
            else:
                self.speech.patterns.append(Mention(MentionKind.LOOSE_PATTERN, text, node.lineno))
        return is_name

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._heard(node.value, node.lineno)

    def _heard(self, text: str, line: int) -> None:
        mention = mention_of(text, line, imported=self._imports)
        if mention is not None:
            self.speech.direct.append(mention)
        elif " " in text or "=" in text:
            self.speech.direct += imports_of_program(text, line)
            self.speech.direct += mentions_in_command(text, line)
            self.speech.direct += entry_points_in(text, line)
        if self._takes_all and "." in text and is_word(text):
            self.speech.direct.append(Mention(MentionKind.FOLDER, text, line))
        self.speech.seeks_python_files |= bool(PYTHON_FILES.fullmatch(text))
        if is_word(text):
            self.speech.words.append(Mention(MentionKind.WORD, text, line))
        elif text.endswith(".") and is_word(text[:-1]):
            self.speech.patterns.append(Mention(MentionKind.LOOSE_PATTERN, text + HOLE, line))


def _compared_words(function: ast.FunctionDef) -> list[Mention]:
    """What a module may be asked for: `if name in {"tables"}` of its `__getattr__`."""
    compared = (node for node in ast.walk(function) if isinstance(node, ast.Compare))
    return [
        Mention(MentionKind.WORD, part.value, part.lineno)
        for node in compared
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and is_word(part.value)
    ]


def _is_python_suffix(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == ".py"


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return _last_name(value)
    return ""
