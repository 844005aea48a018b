"""The mandatory evidence tools of the five agents."""

from agents.tools.mandatory import build_tools

__all__ = ["build_tools"]
