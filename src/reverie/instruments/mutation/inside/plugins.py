"""Installed plugins of pytest, loaded as they were compiled."""

from typing import Any


class PluginsAsTheyAre:
    """A plugin of a session: assertions of other plugins' own code are not rewritten.

    Files of tests are, as ever. pytest would rewrite each module of a plugin's distribution and
    keep it beside the source, where nothing is kept here: every session would do it again, and half
    of its time went into that.
    """

    def pytest_cmdline_parse(self, pluginmanager: Any) -> None:
        """Before plugins are looked for; the session is parsed by whoever is asked next."""
        config = pluginmanager.get_plugin("pytestconfig")

        def mark_none(hook: Any, *_: Any) -> None:
            config.pluginmanager.rewrite_hook = hook

        config._mark_plugins_for_rewrite = mark_none
