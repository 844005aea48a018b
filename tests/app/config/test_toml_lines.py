from __future__ import annotations

import pytest

from app.config.toml_lines import line_of

TEXT = '''\
engine = "rules"
"quoted" = 1
text = """
engine = 5
"""
[feeds]   # comment
builtin = true
[[feeds.source]]
url = "a"
[[feeds.source]]
tier = 1
  url = "b"
[tools]
base_urls.stocktwits = "x"
[tools.deep]
key = 1
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("engine",), 1),
        (("quoted",), 2),
        (("feeds", "builtin"), 7),
        (("feeds", "source", 0, "url"), 9),
        (("feeds", "source", 1, "url"), 12),
        (("feeds", "source", 1, "tier"), 11),
        (("feeds", "source", 1, "missing"), 10),
        (("tools", "base_urls", "stocktwits"), 14),
        (("tools", "deep", "key"), 16),
        (("feeds", "disabled"), 6),
        (("nowhere",), None),
    ],
)
def test_a_key_is_found_where_it_is_written(path: tuple[int | str, ...], line: int | None) -> None:
    assert line_of(TEXT, path) == line
