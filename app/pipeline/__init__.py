"""The pipeline: polls, accepts, scores, saves and raises alerts. It knows no screen."""

from app.pipeline.pipeline import Pipeline

__all__ = ["Pipeline"]
