"""The second function: what was that price move? Order and end are code; only the steps inside a role are free."""
