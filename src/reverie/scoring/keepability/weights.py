"""What each fact weighs: fitted by `python -m benchmarks.keepable calibrate`, copied from there."""

BIAS = 1.14
WEIGHTS = {
    "aspect": 0.75,
    "error": 0.60,
    "expectation": 0.45,
    "flags": 1.29,
    "foreign": 0.28,
    "fragments": 0.40,
    "muddle": 1.04,
    "name": 1.54,
    "named_after": 1.20,
    "noisiest_input": 0.76,
    "noisy_inputs": 0.85,
    "odd_kind": 1.04,
    "private": 0.99,
    "says_nothing": 0.86,
    "several": 0.49,
    "size": 0.91,
    "unchanged": 0.99,
    "untouched": 0.93,
    "wrong_type": 1.02,
}
