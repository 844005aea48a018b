"""From the network to clean items: fetching, parsing, dates, text, identity, stories, symbols.

The innermost package: it imports nothing of the other three.
"""
