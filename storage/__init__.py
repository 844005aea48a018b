"""Everything kept in SQLite. The only package that speaks SQL; one file per noun."""
