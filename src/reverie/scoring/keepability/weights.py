"""What each fact weighs: fitted by `python -m benchmarks.keepable calibrate`, copied from there."""

BIAS = 1.41
WEIGHTS = {
    "error": 0.69,
    "expectation": 0.59,
    "flags": 1.46,
    "foreign": 0.65,
    "fragments": 0.67,
    "muddle": 1.21,
    "name": 1.82,
    "noisiest_input": 1.14,
    "noisy_inputs": 1.11,
    "odd_kind": 0.94,
    "private": 1.05,
    "says_nothing": 1.01,
    "several": 0.84,
    "size": 0.99,
    "unchanged": 0.89,
    "wrong_type": 1.40,
}
