"""Five specialists judge an item at once; their reports become one signal by fixed rules.

Sees only `feeds`. What it needs from outer layers it declares as a Protocol (`agents.tools.protocol.Archive`).
"""
