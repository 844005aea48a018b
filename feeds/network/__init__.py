"""The one HTTP client: guarded, capped, polite; and what a poll of a feed gives."""
