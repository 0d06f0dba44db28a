"""How a callable is reached: properties, stubs, classes that want to be derived from."""

from collections.abc import Callable
from typing import Any

from reverie.inputs import CallableKind, generate_calls, read
from reverie.model import codec
from reverie.model.call import Call, Expression

Perform = Callable[..., Any]
BOX = """
from functools import cached_property

class Box:
    def __init__(self, size: int = 3):
        self._size = size

    @property
    def size(self) -> int:
        return self._size

    @size.setter
    def size(self, value: int) -> None:
        self._size = value

    @size.deleter
    def size(self) -> None:
        self._size = 0

    @cached_property
    def area(self) -> int:
        return self._size ** 2
"""


def test_a_property_is_read_without_parentheses(perform: Perform) -> None:
    calls = generate_calls(BOX, "Box.area", count=5)
    assert read(BOX, "Box.area").kind is CallableKind.PROPERTY
    assert all(call.render("Box.area").endswith(").area") for call in calls)
    assert all(isinstance(perform(BOX, "Box.area", call), int) for call in calls)


def test_a_property_with_a_setter_is_read_and_set(perform: Perform) -> None:
    calls = generate_calls(BOX, "Box.size", count=10)
    assert {len(call.args) for call in calls} == {0, 1}
    for call in calls:
        outcome = perform(BOX, "Box.size", call)
        assert isinstance(outcome, int) if not call.args else outcome is None


def test_setting_a_property_is_an_expression() -> None:
    call = Call((Expression("7"),), receiver=Expression("Box()"), is_property=True)
    assert call.render("Box.size") == "setattr(Box(), 'size', 7)"
    assert codec.read(Call, codec.plain(call)) == call


def test_a_method_keeps_its_parentheses() -> None:
    assert Call(receiver=Expression("Box()")).render("Box.grow") == "Box().grow()"


def test_a_stub_speaks_where_the_source_is_silent() -> None:
    source = "def f(a, b: int): return a"
    stub = "def f(a: bytes, b: str) -> bytes: ..."
    shape = read(source, "f", stub=stub)
    assert shape.returns_source == "bytes"
    calls = generate_calls(source, "f", stub=stub, count=10)
    assert all(call.args[0].source.startswith("b") for call in calls)
    assert all(call.args[1].source.lstrip("-").isdigit() for call in calls)


def test_a_stub_that_does_not_know_the_function_says_nothing() -> None:
    assert read("def f(a: int): ...", "f", stub="x: int").returns is None


UNFINISHED = """
class Application:
    defaults: dict
    def __init__(self, name: str):
        self.name = name
        self.config = dict(self.defaults)

class Finished(Application):
    defaults = {"debug": False}

def run(app: Application): return app.config
"""


def test_a_class_that_lacks_what_it_declares_is_made_as_its_subclass(perform: Perform) -> None:
    for call in generate_calls(UNFINISHED, "run", count=5):
        assert perform(UNFINISHED, "run", call) == {"debug": False}


def test_the_subclass_is_found_at_the_front_of_the_package() -> None:
    base = UNFINISHED.partition("class Finished")[0]
    user = "from pack.base import Application\ndef run(app: Application): ..."
    modules = {
        "pack": "from pack.full import Finished",
        "pack.full": "from pack.base import Application\nclass Finished(Application):\n"
        "    defaults = {}",
        "pack.base": base,
    }
    for call in generate_calls(user, "run", module="pack.user", resolver=modules.get, count=3):
        assert call.args[0].source.startswith("pack.full.Finished(")


GENERIC = """
from abc import ABC, abstractmethod
from typing import Generic, TypeVar
T_co = TypeVar("T_co", covariant=True)
T_Item = TypeVar("T_Item")
class Receiver(ABC, Generic[T_co]):
    @abstractmethod
    def receive(self) -> T_co: ...
class Stream(Receiver[T_Item]):
    pass
def drain(stream: Stream[bytes]): return stream.receive()
"""


def test_type_variables_are_handed_on_to_the_bases(perform: Perform) -> None:
    for call in generate_calls(GENERIC, "drain", count=8):
        assert isinstance(perform(GENERIC, "drain", call), bytes)


def test_a_fill_character_is_one_character() -> None:
    calls = generate_calls("def pad(text: str, fillchar: str): ...", "pad", count=30)
    assert all(len(eval(call.args[1].source)) == 1 for call in calls)


def test_what_nobody_describes_is_left_out_of_a_constructor(perform: Perform) -> None:
    source = """
from typing import Any
class Signer:
    def __init__(self, key: str, codec: Any = None, salt: bytes = b"s"):
        self.codec = codec.dumps if codec is not None else None
    def sign(self, text: str) -> str: return text
"""
    for call in generate_calls(source, "Signer.sign", count=30):
        assert isinstance(perform(source, "Signer.sign", call), str)
