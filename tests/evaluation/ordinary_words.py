"""Makes the list of listed names that are ordinary words: `python -m tests.evaluation.ordinary_words`.

A one-word name counts as an ordinary word where the MIT-licensed training set writes it in small letters inside a
sentence. The list stands in `feeds/symbols/ordinary.txt`; names we know to be traps are in `names.toml`.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from feeds.symbols.data import one_word_names
from tests.evaluation.corpus import rows

TARGET = Path(__file__).resolve().parents[2] / "feeds/symbols/ordinary.txt"
HEADER = (
    "# Listed one-word names that are also ordinary words: written in small letters in a set of market tweets under "
    "the MIT",
    "# licence. Made by `python -m tests.evaluation.ordinary_words`.",
)
_SMALL = re.compile(r"(?<=[a-z,] )[a-z]{3,}(?![\w@.])")
_ADDRESS = re.compile(r"https?://\S+|[#@$]\w+")


def main() -> None:
    seen: Counter[str] = Counter()
    for row in rows("event_tfnt_train_safe.jsonl.gz"):
        seen.update(set(_SMALL.findall(_ADDRESS.sub(" ", row["text"]))))
    words = sorted(one_word_names() & set(seen))
    TARGET.write_text("\n".join([*HEADER, *words]) + "\n", encoding="utf-8")
    print(f"{len(words)} words in {TARGET.name}")


if __name__ == "__main__":
    main()
