"""Figures beside their floors; each module prints its own: `python -m tests.benchmarks.bench_desk`."""
