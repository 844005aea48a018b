"""How a public source is asked: limits, breaker, memory, keys, and what is known of how it is doing."""
