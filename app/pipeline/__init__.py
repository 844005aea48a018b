"""The pipeline: polls or replays, accepts, scores, saves and raises alerts. It knows no screen."""
