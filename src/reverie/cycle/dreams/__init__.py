"""The dream journal at work: imagining, evaluating, testing, learning, and how healthy it is."""
