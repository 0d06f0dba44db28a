"""Choice of the scenarios and checks that become tests: sifted, taken apart, weighed."""
