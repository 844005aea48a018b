"""The only place that builds things: everything below is given what it needs and makes nothing itself.

`monitor` is light, since the screen is painted from it; `pipeline` takes long to import and is built behind the paint.
"""
