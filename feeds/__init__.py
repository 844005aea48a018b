"""From the network to clean items.

`registry` names the feeds, `schedule` says when each is due, `network` fetches it, `documents` makes entries of what
came, `stories` tells which are new and which report the same event, `symbols` which companies a text names.

The innermost package: it imports nothing of the other three.
"""
