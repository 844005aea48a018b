"""The investigation's engine that thinks with the Anthropic Messages API: readers of records, each bounded by code."""
