"""The configuration: the file the user owns, read strictly, and what follows from it."""
