"""`python -m benchmarks.generate.mining FOLDER … > mined.jsonl`: specifications out of docstrings.

A folder holds packages as they are installed. Of every function with calls and their results in its
docstring, the first sentence, the signature and three calls become a specification; more calls
and what the real function answers are hidden. Run it where the packages may be imported: it runs
them. No code is taken.
"""

import ast
import copy
import doctest
import hashlib
import importlib
import inspect
import json
import random
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, KeysView, ValuesView
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

SHOWN = 3
_MOST_LINES, _MOST_HIDDEN, _LEAST_HIDDEN = 15, 10, 5
_MOST_OF_A_PACKAGE = 8
_TRIES, _LEAST_SAID = 150, 12
_MOST_ENTRIES, _TABLES = 12, (dict, list, tuple, set, frozenset)
_PLAIN_TYPE = re.compile(r"(str|int|float|bool|list|dict)(\[[a-z, \[\]]+\])?")
_WRAPPERS = ("list", "tuple", "sorted", "dict")
_SKIPPED = re.compile(r"tests?\b|test_|conftest|__main__|setup\b|_vendor|vendored|examples")
_UNFIT = frozenset(
    ("open", "exec", "eval", "input", "print", "random", "time", "datetime", "os", "sys", "np",
     "numpy", "subprocess", "socket", "urlopen", "globals", "warnings", "environ")
)  # fmt: skip


def half_of(package: str) -> str:
    """`first` is worked on, `kept` is only measured."""
    return "kept" if hashlib.sha256(package.encode()).digest()[0] % 2 else "first"


def mined(folder: Path) -> Iterator[dict[str, Any]]:
    sys.path.insert(0, str(folder))
    for package in sorted(folder.iterdir()):
        if (package / "__init__.py").is_file() or package.suffix == ".py":
            for path in [package] if package.is_file() else sorted(package.rglob("*.py")):
                relative = path.relative_to(folder)
                text = path.read_text("utf-8", "replace")
                if not _SKIPPED.search(str(relative)) and ">>>" in text:
                    yield from _of_module(package.stem, relative)


def _of_module(package: str, path: Path) -> Iterator[dict[str, Any]]:
    name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    try:
        module = _limited(20.0, importlib.import_module, name)
    except BaseException as error:  # noqa: BLE001  whatever somebody else's module does
        print(f"{name}: {type(error).__name__}", file=sys.stderr)
        return
    for function in list(vars(module).values()):
        if inspect.isfunction(function) and function.__module__ == module.__name__:
            row = _row(package, module, function)
            if row is not None:
                yield row


def _row(package: str, module: ModuleType, function: Callable[..., Any]) -> dict[str, Any] | None:
    said = inspect.getdoc(function) or ""
    if ">>>" not in said or function.__name__.startswith("_") or not _is_small(module, function):
        return None
    sentence = _first_sentence(said)
    calls = list(_calls(said, function.__name__))
    if len(calls) < 2 or len(sentence) < _LEAST_SAID or sentence.startswith(">>>"):
        return None
    try:
        signature, shown, wrapper = _bound(function, calls)
    except (ValueError, TypeError):
        return None
    rows = _answered(function, wrapper, shown)
    results = {json.dumps(each["result"]) for each in rows}
    if len(rows) < SHOWN + _LEAST_HIDDEN or len(results) < SHOWN - 1:
        return None
    if len({json.dumps(each["result"]) for each in rows[:SHOWN]}) < 2:
        return None
    return {
        "id": f"{package}.{function.__name__}", "half": half_of(package), "sentence": sentence,
        "signature": signature, "examples": rows[:SHOWN], "hidden": rows[SHOWN:],
    }  # fmt: skip


def _first_sentence(said: str) -> str:
    paragraph = re.split(r"\n\s*\n|\n\s*>>>|\n\s*(?:Args|:param|Parameters|Example)", said)[0]
    text = " ".join(re.sub(r"``?|\*\*?(?=\w)|:\w+:(?=`)", "", paragraph).split())
    first = re.match(r".*?[a-z)\]'\"]\.(?=\s+[A-Z]|$)", text)
    return (first[0] if first else text)[:300]


def _is_small(module: ModuleType, function: Callable[..., Any]) -> bool:
    """Whether it fits on half a page with all that it calls, and rests on no tables."""
    lines, waiting, seen = 0, [function], set()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        code = getattr(one, "__code__", None)
        if not isinstance(code, CodeType) or getattr(one, "__wrapped__", None):
            return False
        lines += _lines_of(one)
        for each in _names(code):
            if each in _UNFIT:
                return False
            value = one.__globals__.get(each)
            if inspect.isfunction(value):
                waiting += [value] if _is_foreign(value) else []
            elif inspect.isclass(value):
                if _is_foreign(value):
                    return False
            elif isinstance(value, _TABLES) and len(value) > _MOST_ENTRIES:
                return False
    return lines <= _MOST_LINES


def _is_foreign(value: Callable[..., Any]) -> bool:
    """Whether a function or class is of neither the language nor its library."""
    module = str(getattr(value, "__module__", ""))
    return module.partition(".")[0] not in sys.stdlib_module_names


def _names(code: CodeType) -> set[str]:
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return {*code.co_names, *(name for each in inner for name in _names(each))}


def _lines_of(function: Callable[..., Any]) -> int:
    try:
        node = ast.parse(inspect.cleandoc("\n" + inspect.getsource(function))).body[0]
    except (OSError, SyntaxError, IndexError):
        return 1000
    if not isinstance(node, ast.FunctionDef):
        return 1000
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return len([each for part in body for each in ast.unparse(part).splitlines()])


Call = tuple[str, list[Any], dict[str, Any]]


def _calls(said: str, name: str) -> Iterator[Call]:
    """The calls with plain arguments: how the result is wrapped, and what is handed over."""
    try:
        parts = doctest.DocTestParser().get_examples(said)
    except ValueError:
        return
    for part in parts:
        try:
            node = ast.parse(part.source.strip(), mode="eval").body
            wrapper = ""
            match node:
                case ast.Call(func=ast.Name(name_of), args=[inner]) if name_of in _WRAPPERS:
                    wrapper, node = name_of, inner
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == name:
                args = [_plain(each) for each in node.args]
                yield wrapper, args, {str(each.arg): _plain(each.value) for each in node.keywords}
        except (SyntaxError, ValueError, TypeError, MemoryError):
            continue


def _plain(node: ast.expr) -> Any:
    value = ast.literal_eval(node)
    json.dumps(value, allow_nan=False)
    return json.loads(json.dumps(value)) if not isinstance(value, str) else value


def _bound(function: Callable[..., Any], calls: list[Call]) -> tuple[str, list[list[Any]], str]:
    """The signature with the parameters that a call uses, and the arguments in their order."""
    signature = inspect.signature(function)
    bound = [signature.bind(*args, **named).arguments for _, args, named in calls]
    used = [each for each in signature.parameters if any(each in one for one in bound)]
    kept = []
    for each in used:
        parameter = signature.parameters[each]
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise ValueError(each)
        if parameter.default is parameter.empty and not all(each in one for one in bound):
            raise ValueError(each)
        if parameter.default is not parameter.empty:
            json.dumps(parameter.default)
        kept.append(parameter)
    if used != list(signature.parameters)[: len(used)]:
        raise ValueError("a parameter between is left out")
    args = [[one.get(each.name, each.default) for each in kept] for one in bound]
    named = ", ".join(f"{each.name}{_annotation(each)}" for each in kept)
    return f"def {function.__name__}({named})", args, max(each[0] for each in calls)


def _annotation(parameter: inspect.Parameter) -> str:
    kind = parameter.annotation
    shown = kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))
    is_plain = kind is not parameter.empty and _PLAIN_TYPE.fullmatch(shown)
    return f": {shown}" if is_plain else ""


def _answered(
    function: Callable[..., Any], wrapper: str, shown: list[list[Any]]
) -> list[dict[str, Any]]:
    """Each call once with its result, the shown ones first."""
    dice = random.Random(function.__name__)
    found: dict[str, dict[str, Any]] = {}
    for number in range(_TRIES):
        args = shown[number] if number < len(shown) else _varied(dice, shown)
        key = json.dumps(args)
        if key in found or len(found) >= SHOWN + _MOST_HIDDEN:
            continue
        try:
            results = [_asked(function, wrapper, copy.deepcopy(args)) for _ in range(2)]
        except BaseException:  # noqa: BLE001  not for these arguments
            continue
        if results[0] == results[1] and len(results[0]) < 400:
            found[key] = {"args": args, "result": json.loads(results[0])}
    return list(found.values())


def _asked(function: Callable[..., Any], wrapper: str, args: list[Any]) -> str:
    def call() -> Any:
        result = function(*args)
        is_lazy = hasattr(result, "__next__") or isinstance(result, KeysView | ValuesView)
        if wrapper == "sorted":
            return sorted(result)
        return list(result) if is_lazy else result

    result = _limited(1.0, call)
    _check(result)
    return json.dumps(result, allow_nan=False)


def _check(value: Any) -> None:
    if type(value) not in (int, float, str, bool, type(None), list, tuple, dict):
        raise TypeError(type(value))
    for each in value if isinstance(value, list | tuple) else ():
        _check(each)
    if isinstance(value, dict):
        for key, each in value.items():
            if type(key) is not str:
                raise TypeError(key)
            _check(each)


def _limited(seconds: float, call: Callable[..., Any], *args: Any) -> Any:
    def stop(number: int, frame: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return call(*args)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _varied(dice: random.Random, shown: list[list[Any]]) -> list[Any]:
    """A call beside those that are shown: arguments swapped between them, then changed a little."""
    args = [copy.deepcopy(dice.choice(shown)[at]) for at in range(len(shown[0]))]
    if dice.random() < 0.7:
        args = copy.deepcopy(dice.choice(shown))
    for at in range(len(args)):
        if len(args) == 1 or dice.random() < 0.5:
            args[at] = _changed(dice, args[at])
    return args


_WORDS = (
    "apple", "Tree", "blue sky", "a-b", "x_y", "Hello World", "zebra", "I", "two  words", "NASA",
    "e1",
)  # fmt: skip


def _changed(dice: random.Random, value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return not value if isinstance(value, bool) else value
    if isinstance(value, int):
        more = value + dice.randint(1, 12)
        return dice.choice((value + 1, value - 1, value * 2, abs(value) // 2, more, value * 3 + 1))
    if isinstance(value, float):
        return round(dice.choice((value + 1, value / 2, value * 3, value - 0.25)), 4)
    if isinstance(value, str):
        return _changed_text(dice, value)
    if isinstance(value, list):
        return _changed_list(dice, value)
    if isinstance(value, dict) and value:
        key = dice.choice(list(value))
        kept = {each: one for each, one in value.items() if each != key or dice.random() < 0.5}
        return {each: _changed(dice, one) if each == key else one for each, one in kept.items()}
    return value


def _changed_text(dice: random.Random, text: str) -> str:
    if re.fullmatch(r"[01]+", text) and len(text) > 1:
        return "".join(dice.choice("01") for _ in text)
    if text.isdigit():
        return "".join(dice.choice("123456789") for _ in text)
    if len(text) < 2:
        return dice.choice((*"abXz", text))
    at, other = sorted((dice.randrange(len(text)), dice.randrange(len(text))))
    words = text.split(" ")
    dice.shuffle(words)
    word = dice.choice(_WORDS)
    swapped = text[:at] + text[at].swapcase() + text[at + 1 :]
    ways = (text[:at] + text[other:], text[at:], " ".join(words), text + text[at:other], swapped,
            word, f"{text} {word}")  # fmt: skip
    return dice.choice(ways)


def _changed_list(dice: random.Random, items: list[Any]) -> list[Any]:
    if not items:
        return items
    made = list(items)
    match dice.randrange(5):
        case 0:
            dice.shuffle(made)
        case 1:
            made.append(copy.deepcopy(dice.choice(made)))
        case 2:
            del made[dice.randrange(len(made))]
        case 3:
            made = made[dice.randrange(len(made)) :]
        case _:
            made = [_changed(dice, each) if dice.random() < 0.5 else each for each in made]
    return made


def main() -> None:
    warnings.simplefilter("ignore")
    out, sys.stdout = sys.stdout, sys.stderr
    counts: dict[str, list[dict[str, Any]]] = {}
    for folder in map(Path, sys.argv[1:]):
        for row in mined(folder):
            counts.setdefault(row["id"].partition(".")[0], []).append(row)
    for rows in counts.values():
        rows.sort(key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest())
        for row in rows[:_MOST_OF_A_PACKAGE]:
            out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
