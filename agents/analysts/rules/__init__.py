"""The built-in analyst: deterministic rules over one reading of the item, one module per agent's domain.

`reading` says what the item reports, the domain modules say what it is worth to their agent, `arithmetic` keeps every
score a sum a reader can check. Text that gives orders to its reader is cut out before anything is read
(`agents.orders`).
"""
