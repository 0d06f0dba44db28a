"""Listens to the strings of a syntax tree: which of them stand for modules.

A string counts by what it is given to. To a logger, a comparison or a docstring it is only text;
to `import_module`, `pytest_plugins` or `INSTALLED_APPS` it is an import; anywhere else it counts
when it is a dotted name or the path of a Python file.
"""

import ast
import re
from dataclasses import dataclass, field
from itertools import pairwise

from reverie.index.orphans.composed import composed_name
from reverie.index.orphans.mention import (
    HOLE,
    Mention,
    MentionKind,
    entry_points_in,
    imports_in_code,
    imports_of_program,
    is_word,
    mention_of,
    mentions_in_command,
)

_IMPORTERS = {
    "import_module", "__import__", "import_string", "import_by_path", "find_spec", "resolve_name",
    "run_module", "load_module", "import_object", "import_item", "import_from_string", "locate",
    "symbol_by_name", "import_class", "import_from_path", "load_object", "import_attribute",
    "import_path", "import_name", "load_class", "dynamic_import", "lazy_import", "LazyLoader",
    "spec_from_file_location", "run_path", "importorskip", "import_file", "attach", "LazyModule",
    "_LazyModule", "autodiscover_modules",
}  # fmt: skip
_GIVEN_NAMES = re.compile(
    r"include|autodiscover\w*|load_plugins?|register_plugin\w*|load_extensions?|add_url_rule"
    r"|\w*import\w*|config_from_object|from_object|scan"
)
_ONLY_TEXT = {
    "getLogger", "get_logger", "getChild", "filterwarnings", "simplefilter", "startswith",
    "endswith", "removeprefix", "removesuffix", "get_distribution", "version", "print", "debug",
    "info", "warning", "error", "exception", "critical", "warn", "TypeVar", "NewType",
    "namedtuple", "skipUnless", "skipIf", "skip", "xfail",
}  # fmt: skip
_MODULE_VARIABLE = re.compile(
    r"pytest_plugins|extensions|py_modules|handler|include|imports|plugins|modules|"
    r"\w*_(APPS|PLUGINS|MODULES|MIDDLEWARES?|EXTENSIONS|URLCONF|MODULE|BACKENDS|IMPORTS|CLASSES)|"
    r"MIDDLEWARES?|\w+_(plugins|modules|extensions|apps)"
)
_SCANNERS = {"iter_modules", "walk_packages"}
_LISTERS = {"glob", "rglob", "iterdir", "listdir", "scandir", "walk", "iglob"}
_PYTHON_FILES = re.compile(r"[\w*!/\[\]]*\.py")
_WHOLE_PACKAGES = re.compile(r"\w*(MODULES|PACKAGES|_packages)|FORMAT_MODULE_PATH")
_INTERPRETERS = {"exec", "run_string", "runsource", "runcode", "timeit", "Timer"}
_WALKERS = re.compile(
    r"(?:scan|autodiscover)|\w*(?:scan|walk|discover|iter|load|find|import)\w*_"
    r"(?:modules|packages|plugins|commands|submodules|handlers)\w*"
)
_LOGGERS = "loggers"
_ATTRIBUTE_OF = re.compile(r"\w\.[^:]*:[A-Za-z_]\w*$")
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
    imports_dynamically: bool = False
    scans: bool = False
    lists: bool = False
    walks: bool = False
    """Whether it calls something that walks a package whose name it is given."""
    seeks_python_files: bool = False
    knows_its_place: bool = False
    walks_itself: bool = False
    """Whether it speaks of its own `__path__`."""
    is_lazy: bool = False
    changes_path: bool = False
    """Whether it touches `sys.path`: what it imports may lie anywhere in the repository."""

    def mentions(self) -> tuple[Mention, ...]:
        """Everything that counts, as far as the file alone can tell."""
        found = [*self.direct, *self.exported]
        if self.imports_dynamically or self.is_lazy:
            found += [*self.patterns, *self.words]
        lists_modules = self.lists and self.seeks_python_files and self.imports_dynamically
        if self.scans or lists_modules:
            folders = [Mention(MentionKind.FOLDER, name) for name in self.scanned]
            folders += [
                Mention(MentionKind.FOLDER, "./" + word.text)
                for word in self.words
                if self.knows_its_place and not word.text.startswith(".")
            ]
            if self.walks_itself:
                folders.append(Mention(MentionKind.FOLDER, "."))
            elif self.knows_its_place or (self.scans and not folders):
                folders.append(Mention(MentionKind.BESIDE, "."))
            found += folders
        if self.walks:
            named = (each for each in self.direct if each.kind is not MentionKind.FILE)
            found += [Mention(MentionKind.FOLDER, each.text) for each in named if "." in each.text]
        return tuple(dict.fromkeys(found))


def listen(tree: ast.Module) -> Speech:
    """The speech of one file."""
    listener = _Listener()
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
                listener.constants[name] = text
            case ast.FunctionDef(name="__getattr__"):
                listener.speech.is_lazy = True
    listener.visit(tree)
    return listener.speech


class _Listener(ast.NodeVisitor):
    """Walks a tree; `_imports`: what is heard now is given to something that imports."""

    def __init__(self) -> None:
        self.speech = Speech()
        self.constants: dict[str, str] = {}
        self._imports = False
        self._takes_all = False

    def _within(self, given_to: str, imports: bool, *nodes: ast.AST) -> None:
        before = self._imports, self._takes_all
        self._imports = imports
        self._takes_all |= bool(_WHOLE_PACKAGES.fullmatch(given_to))
        for node in nodes:
            self.visit(node)
        self._imports, self._takes_all = before

    def visit_Call(self, node: ast.Call) -> None:
        name = _last_name(node.func)
        self.visit(node.func)
        if name in _ONLY_TEXT:
            self.speech.seeks_python_files |= any(_is_python_suffix(each) for each in node.args)
            return
        if name in _IMPORTERS:
            self.speech.imports_dynamically = True
        self.speech.scans |= name in _SCANNERS
        self.speech.lists |= name in _LISTERS
        self.speech.walks |= bool(_WALKERS.fullmatch(name))
        if name.startswith("autodiscover"):
            self._autodiscovered(node, name)
        if self._composed(node):
            return
        if name in _INTERPRETERS:
            self._handed_code(*node.args)
        imports = name in _IMPORTERS or bool(_GIVEN_NAMES.fullmatch(name))
        self._within(name, imports, *node.args)
        for keyword in node.keywords:
            is_given = bool(_MODULE_VARIABLE.fullmatch(keyword.arg or ""))
            self._within(keyword.arg or "", imports or is_given, keyword.value)

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
        if "__all__" in names:
            self.speech.exported += [
                Mention(MentionKind.WORD, each.value, each.lineno)
                for each in ast.walk(value)
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            if not isinstance(value, ast.List | ast.Tuple):  # perhaps whatever lies there
                self.speech.imports_dynamically = True
                self.visit(value)
            return
        imports = any(_MODULE_VARIABLE.fullmatch(name) for name in names)
        self._within(names[0], imports, value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # docstrings are only text
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        """A name that is compared is not loaded."""

    def visit_Dict(self, node: ast.Dict) -> None:
        takes_all, self._takes_all = self._takes_all, False
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == _LOGGERS:
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
            self.speech.scanned.append(ast.unparse(node.value))
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
        text = composed_name(node, self.constants)
        if text is None:
            return False
        if HOLE in text:
            if self._imports or _ATTRIBUTE_OF.search(text):
                self.speech.direct.append(Mention(MentionKind.PATTERN, text, node.lineno))
            else:
                self.speech.patterns.append(Mention(MentionKind.LOOSE_PATTERN, text, node.lineno))
        else:
            self._heard(text, node.lineno)
        return True

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
        self.speech.seeks_python_files |= bool(_PYTHON_FILES.fullmatch(text))
        if is_word(text):
            self.speech.words.append(Mention(MentionKind.WORD, text, line))
        elif text.endswith(".") and is_word(text[:-1]):
            self.speech.patterns.append(Mention(MentionKind.LOOSE_PATTERN, text + HOLE, line))


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
