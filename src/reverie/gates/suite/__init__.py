"""What a change does to the tests: those it adds have to look, those it finds have to stay."""
