"""The shape of a command: options accepted before or after its name, an example in its help."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from reverie.interfaces.cli.app import App

F = TypeVar("F", bound=Callable[..., Any])
if TYPE_CHECKING:
    _Text = click.ParamType[str]
else:
    _Text = click.ParamType  # before Click 8.2 it takes no type


def shared_options() -> list[click.Parameter]:
    """The options of every command, and of `reverie` itself. Fresh ones: Click binds them."""
    return [
        click.Option(
            ["--json"],
            is_flag=True,
            expose_value=False,
            callback=remember_switch,
            help="Print one JSON document on stdout.",
        ),
        click.Option(
            ["--repo"],
            metavar="DIR",
            expose_value=False,
            callback=_remember_repo,
            help="The repository; otherwise the one around the current folder.",
        ),
        click.Option(
            ["--log-level"],
            metavar="LEVEL",
            expose_value=False,
            callback=_remember_log_level,
            help="debug, info, warning, error or critical.",
        ),
        click.Option(
            ["--log-file"],
            metavar="FILE",
            expose_value=False,
            callback=_remember_log_file,
            help="Log to this file as well; a full one is kept beside it.",
        ),
        click.Option(
            ["--debug"],
            is_flag=True,
            expose_value=False,
            callback=remember_switch,
            help="Show a traceback when something fails.",
        ),
    ]


class Command(click.Command):
    """A command with the shared options and an example.

    With `logs=False` it starts logging itself, before it calls anything that logs. `paths` names
    the parameters that are paths: they hold from here and from the repository. One that takes no
    argument of its own takes the repository, as `--repo` does.
    """

    def __init__(
        self,
        *args: Any,
        example: str = "",
        logs: bool = True,
        paths: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.example = example
        self.logs = logs
        self.paths = paths
        if not any(isinstance(each, click.Argument) for each in self.params):
            self.params = [_repository_argument(), *self.params]
        _name_numbers(self.params)
        self.params = [*self.params, *shared_options()]

    def invoke(self, ctx: click.Context) -> Any:
        """Find the paths and the interpreter that were named, start logging, then run."""
        app = app_of(ctx)
        for each in self.params:
            _require_value(each, ctx.params.get(each.name or ""))
        if self.paths:
            from reverie.interfaces.cli.arguments import settle_places

            settle_places(app, ctx.params, self.paths)
        if ctx.params.get("python") is not None:
            from reverie.interfaces.cli.arguments import named_python

            where = app.repository.path
            ctx.params["python"] = named_python(ctx.params["python"], where, app.environ)
        if self.logs:
            app.start_logging()
        return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The example, as it would be typed."""
        _write_example(formatter, self.example)


class CommandGroup(click.Group):
    """A command of several, with the shared options and an example."""

    def __init__(self, *args: Any, example: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.example = example
        self.params = [*self.params, *shared_options()]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Of the group alone: its commands are said, in one line."""
        if not args and not ctx.resilient_parsing:
            names = ", ".join(self.commands)
            raise click.UsageError(f"`{ctx.command_path}` goes with one of: {names}")
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that a line goes on with; a word that is none gets the nearest one said."""
        name, path = args[0], ctx.command_path
        if name.startswith("-") or name in self.commands:
            return super().resolve_command(ctx, args)
        near = nearest(name, self.commands)
        advice = f"did you mean `{path} {near}`?" if near else f"`{path} --help` lists them"
        raise click.UsageError(f"No such command {name!r} of `{path}`: {advice}")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The example, as it would be typed."""
        _write_example(formatter, self.example)


def _name_numbers(params: Iterable[click.Parameter]) -> None:
    """Call a number in the help by a letter, where Click would say INTEGER RANGE."""
    for each in params:
        if isinstance(each.type, click.IntRange | click.FloatRange):
            each.metavar = each.metavar or "N"


def _require_value(param: click.Parameter, value: object) -> None:
    """`UsageError` for an argument of nothing but spaces, and for a number that is none."""
    several = value if isinstance(value, tuple) else (value,)
    is_argument = isinstance(param, click.Argument) and value != param.default
    if is_argument and any(isinstance(each, str) and not each.strip() for each in several):
        raise click.UsageError(f"{param.human_readable_name} is empty")
    if any(isinstance(each, float) and math.isnan(each) for each in several):
        raise click.UsageError(f"{param.opts[0]}: nan is not a number")
    if any(isinstance(each, int) and abs(each) > _LARGEST for each in several):
        raise click.UsageError(f"{param.opts[0]}: at most {_LARGEST:,}")


_LARGEST = 1 << 40
"""Of whole numbers that have no bound of their own: larger ones are no count of anything."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The name that somebody most likely meant; None: none is near."""
    import difflib

    return next(iter(difflib.get_close_matches(name.lower(), list(known), n=1)), None)


class NewFile(_Text):
    """A file that a command writes: whether it can is said before any time is spent."""

    name = "file"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path as it was given; `UsageError` where nothing can be written there."""
        from reverie.interfaces.cli.output import require_place

        require_place(_called(param), value)
        return value


class NewFolder(_Text):
    """A folder that a command writes into, or makes."""

    name = "folder"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path as it was given; `UsageError` where it is no folder and can be none."""
        from reverie.interfaces.cli.output import require_place

        require_place(_called(param), value, is_folder=True)
        return value


def _called(param: click.Parameter | None) -> str:
    return "" if param is None else param.opts[0]


def _write_example(formatter: click.HelpFormatter, example: str) -> None:
    with formatter.section("Example"):
        for line in example.strip().splitlines():
            formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


def app_of(ctx: click.Context) -> App:
    """The invocation a context belongs to."""
    app = ctx.find_object(App)
    if app is None:
        raise TypeError("a command was called without its App")
    return app


def setting_option(key: str, also: Sequence[str] = ()) -> Callable[[F], F]:
    """A flag that overrides one setting; name, help and bounds are the setting's own.

    `also`: other names of the flag.
    """
    from reverie.settings import flag_of, known_setting

    about = known_setting(key)
    flag = flag_of(key)

    def remember(ctx: click.Context, _: click.Parameter, value: str | bool | None) -> None:
        if value is not None:
            app_of(ctx).overrides[key] = str(value)

    if about.reader.bounds == "true or false":
        return click.option(
            *(f"{each}/--no-{each[2:]}" for each in (flag, *also)),
            default=None,
            expose_value=False,
            callback=remember,
            help=about.doc,
        )
    is_time = key.endswith(".budget_seconds")
    is_number = about.reader.bounds.startswith(("a number", "a whole number"))
    return click.option(
        flag,
        *also,
        metavar="TIME" if is_time else "N" if is_number else "VALUE",
        expose_value=False,
        callback=remember,
        help=f"{about.doc} Such as 90s, 10m or 1h." if is_time else about.doc,
    )


def _repository_argument() -> click.Argument:
    return click.Argument(
        ["repository"],
        metavar="[REPO]",
        required=False,
        expose_value=False,
        callback=_remember_argument,
    )


def remember_switch(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Note in the app that a switch was given."""
    if value and param.name is not None:
        setattr(app_of(ctx), param.name, True)


def _remember_repo(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        app_of(ctx).repo = _named(value)


def _remember_argument(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is None:
        return
    value = _named(value)
    app = app_of(ctx)
    if app.repo not in (None, value):
        raise click.UsageError(f"two repositories are named: {value!r} and --repo {app.repo!r}")
    app.repo = value


def _named(repository: str) -> str:
    """What was given as a repository; nothing is no name for the current folder."""
    if not repository.strip():
        raise click.UsageError("the repository has no name: `.` is the current folder")
    return repository


def _remember_log_level(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        app_of(ctx).overrides["logging.level"] = value


def _remember_log_file(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        app_of(ctx).overrides["logging.file"] = value
