"""Fakes: small real parts that stand where the network or an engine would."""
