"""What a module promises, read from its source: laws that its callables have to obey."""
