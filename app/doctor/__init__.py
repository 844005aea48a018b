"""What works here and what does not: findings for `tapewatch doctor`, each with what to do. Nothing is written."""
