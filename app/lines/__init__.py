"""What scripts and people exchange with the program: one item a line in, one signal a line or a text out."""
