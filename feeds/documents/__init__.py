"""From the bytes of a feed document to clean entries, in a worker process that can be killed."""
