"""The mandatory evidence tools of the five agents."""
