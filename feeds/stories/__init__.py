"""Telling items apart: the same item again, and the same event from several outlets."""
