"""The mandatory evidence tools of the five agents: a file for each, named as the tool is.

`asking` is the one way to a public source, `sources` knows each source's addresses and answers, `sourced` makes a tool
of them, `archive` and `local` are the tools that need no network.
"""

from agents.tools.mandatory import build_tools

__all__ = ["build_tools"]
