"""Companies and markets: which a text names, and why it is taken for that one."""
