"""What is counted while one function is read."""

from collections.abc import Collection


class Frame:
    """The function being read, or the module itself. Counts grow as its body is walked."""

    __slots__ = (
        "cognitive",
        "cyclomatic",
        "hidden",
        "is_generator",
        "is_recursive",
        "name",
        "nesting",
        "prefix",
        "qualname",
        "sensitive",
    )

    def __init__(self, name: str, qualname: str, prefix: str, hidden: Collection[str] = ()) -> None:
        self.name = name
        self.qualname = qualname
        self.prefix = prefix
        """What the `qualname` of a definition inside starts with."""
        self.hidden = hidden
        """Parameters: inside, these names are not the module's."""
        self.cyclomatic = 1
        self.cognitive = 0
        self.sensitive = 0
        """Those of the cognitive points that would count more one level deeper."""
        self.nesting = 0
        self.is_generator = False
        self.is_recursive = False

    def break_flow(self) -> None:
        """A break in the flow that weighs more the deeper it is."""
        self.cognitive += 1 + self.nesting
        self.sensitive += 1

    def take_in(self, inner: "Frame") -> None:
        """Add a function that is defined inside this one."""
        self.cyclomatic += inner.cyclomatic
        self.cognitive += inner.cognitive + inner.sensitive * (self.nesting + 1)
        self.sensitive += inner.sensitive
