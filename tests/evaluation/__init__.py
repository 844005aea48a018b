"""How well the rules analyst judges, measured on real labelled text: `python -m tests.evaluation`.

It is how one works on the rules, not a test with thresholds, so pytest does not collect it.
"""
