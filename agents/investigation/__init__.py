"""The second function: what was that price move? Order and end are code; only the steps inside a role are free.

`graph` is the order, `state` what it carries. `moves` measures the move, `collectors` go through the `checklist` and
its sources (`sources`, `official`), `readings` or `claude` say what records mean, `dates` times them, `evidence` ranks
them, `adjudicator` and `certainty` judge, `answer` tells. `bound` holds all of it to the stated worst case.
"""
