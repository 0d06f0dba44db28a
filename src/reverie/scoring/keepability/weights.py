"""What each fact weighs: fitted by `python -m benchmarks.keepable calibrate`, copied from there."""

BIAS = 2.0
WEIGHTS = {
    "noisiest_input": 1.5,
    "noisy_inputs": 1.5,
    "fragments": 1.0,
    "odd_kind": 1.0,
    "type_ignored": 1.5,
    "private": 1.5,
    "name": 1.0,
    "several": 0.8,
    "size": 0.5,
    "expectation": 0.8,
    "says_nothing": 1.5,
    "error": 1.0,
    "foreign": 0.8,
    "unchanged": 0.5,
}
