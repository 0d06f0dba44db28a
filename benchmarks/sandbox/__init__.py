"""What isolation costs: ours and its peers, interleaved in one run, on the same payload."""
