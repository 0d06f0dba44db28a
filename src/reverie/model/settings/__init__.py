"""The settings as values: what one setting is, and the sections that rooms receive."""
