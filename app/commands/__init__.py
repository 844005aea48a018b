"""One module per command of the command line; each is imported only when its command runs."""
