"""Would a maintainer keep the tests that Reverie writes? Judged blind, beside people's own."""
