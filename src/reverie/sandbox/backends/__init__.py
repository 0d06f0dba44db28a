"""How isolation is brought about. With `promotion/git.py` the only place that starts processes."""
