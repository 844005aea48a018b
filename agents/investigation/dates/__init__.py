"""When things happen and come out: timing against the onset, calendars, holidays, confirmations."""
