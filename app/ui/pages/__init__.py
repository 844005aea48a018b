"""What the detail pane can show of a card: pure functions from `CardDetail` to rows."""
