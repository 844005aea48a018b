"""The claude analyst: five agents that think with the Anthropic Messages API or a server that speaks it."""
