"""The whole judgement on labelled changes: frauds and their honest twins, and maintainers' work."""
