"""Official records as sources of an investigation: each says what it holds near a move, or that it cannot know."""
