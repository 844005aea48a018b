"""The ways to a person outside this terminal. Each takes a message and returns once the service has taken it."""
