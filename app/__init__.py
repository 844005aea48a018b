"""The program around the agents.

`cli` finds the command, `commands` holds one module for each, `config` reads what the user set, `lines` is the JSON
that scripts exchange, `pipeline` does the work, `alerts` delivers, `investigation` asks why a price moved, `ui` is the
screen, `headless` the monitor without one, `wiring` builds all of it.
"""
