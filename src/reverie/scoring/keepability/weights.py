"""What each fact weighs: fitted by `python -m benchmarks.keepable calibrate`, copied from there."""

BIAS = 1.29
WEIGHTS = {
    "error": 0.68,
    "expectation": 0.58,
    "flags": 1.45,
    "foreign": 0.62,
    "fragments": 0.64,
    "muddle": 1.20,
    "name": 1.81,
    "noisiest_input": 1.21,
    "noisy_inputs": 1.14,
    "odd_kind": 0.94,
    "private": 1.04,
    "says_nothing": 0.98,
    "several": 0.84,
    "size": 1.00,
    "unchanged": 0.93,
    "wrong_type": 1.40,
}
