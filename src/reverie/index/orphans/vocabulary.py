"""The words by which code imports, scans, lists and names modules."""

import re

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
