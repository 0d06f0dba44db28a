"""Laws that results may keep: found by trial, then written as tests."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Law:
    """What holds for every call, and when that tells anything; of `function` and `args`."""

    name: str
    holds: str
    tells: str
    arity: int = 1

    def test_line(self, function: str, parameters: tuple[str, ...]) -> str:
        """The law as the condition of a test."""
        text = self.holds.replace("function", function).replace("*args", ", ".join(parameters))
        for number, parameter in enumerate(parameters):
            text = text.replace(f"args[{number}]", parameter)
        return text


LAWS = (
    Law(
        "is_settled_after_once",
        "function(function(args[0])) == function(args[0])",
        "function(args[0]) != args[0]",
    ),
    Law(
        "undoes_itself",
        "function(function(args[0])) == args[0]",
        "function(args[0]) != args[0]",
    ),
    Law(
        "only_rearranges",
        "sorted(function(args[0])) == sorted(args[0])",
        "function(args[0]) != args[0]",
    ),
    Law(
        "keeps_the_length",
        "len(function(args[0])) == len(args[0])",
        "len(args[0]) > 1 and function(args[0]) != args[0]",
    ),
    Law(
        "does_not_depend_on_the_order",
        "function(args[0][::-1]) == function(args[0])",
        "args[0][::-1] != args[0]",
    ),
    Law(
        "does_not_depend_on_which_is_first",
        "function(args[1], args[0]) == function(*args)",
        "args[0] != args[1]",
        arity=2,
    ),
)
