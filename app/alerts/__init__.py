"""Alerts: which signals make one, and how it reaches a person."""
