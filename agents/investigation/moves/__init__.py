"""The move itself: series, onset and size, what else moved, and how it splits up."""
