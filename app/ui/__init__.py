"""The screen: a view of the database. The only package that imports Textual."""
