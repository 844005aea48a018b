"""One module per public source: pure questions, and pure readers of its answers."""
