"""What a record says: which cause it reports, whose act, how close it stands to it, and what it may claim."""
