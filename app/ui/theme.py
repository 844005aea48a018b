"""The colours of the screen, named for what they mean. The only place that holds a colour value."""

from __future__ import annotations

from textual.theme import Theme

_DARK = {
    "ground": "#0c1016",
    "band": "#131a23",
    "lifted": "#1b2534",
    "line": "#1f2935",
    "strong": "#e9eff6",
    "ink": "#c9d1d9",
    "soft": "#98a3b0",
    "muted": "#7f8a9a",
    "faint": "#465264",
    "track": "#2a3340",
    "flash": "#ff5c5c",
    "alert": "#ff9e4a",
    "note": "#e3c567",
    "fyi": "#6f7c8e",
    "on-flash": "#14060a",
    "banner": "#7a1f24",
    "on-banner": "#ffffff",
    "impact-red": "#ff5c5c",
    "impact-amber": "#e3b341",
    "impact-blue": "#5aa9ff",
    "up": "#4ec98f",
    "down": "#ff6b6b",
    "symbol": "#8fb8ff",
    "good": "#4ec98f",
    "warn": "#ff9e4a",
    "bad": "#ff6b6b",
}

_LIGHT = {
    "ground": "#fbfaf7",
    "band": "#efede7",
    "lifted": "#e3e9f2",
    "line": "#dcd9d1",
    "strong": "#12161c",
    "ink": "#2b323b",
    "soft": "#4d5763",
    "muted": "#616b78",
    "faint": "#a3a9b1",
    "track": "#d3d2cc",
    "flash": "#c4161c",
    "alert": "#b04a00",
    "note": "#866100",
    "fyi": "#7a838e",
    "on-flash": "#ffffff",
    "banner": "#b3151b",
    "on-banner": "#ffffff",
    "impact-red": "#c4161c",
    "impact-amber": "#946500",
    "impact-blue": "#1a5fb4",
    "up": "#14743f",
    "down": "#c4161c",
    "symbol": "#1a4f9c",
    "good": "#14743f",
    "warn": "#b04a00",
    "bad": "#c4161c",
}

_CONTRAST = {
    "ground": "#000000",
    "band": "#000000",
    "lifted": "#00315f",
    "line": "#8a8a8a",
    "strong": "#ffffff",
    "ink": "#ffffff",
    "soft": "#e4e4e4",
    "muted": "#d0d0d0",
    "faint": "#a8a8a8",
    "track": "#6c6c6c",
    "flash": "#ff6e6e",
    "alert": "#ffb000",
    "note": "#ffff5f",
    "fyi": "#d0d0d0",
    "on-flash": "#000000",
    "banner": "#c00000",
    "on-banner": "#ffffff",
    "impact-red": "#ff6e6e",
    "impact-amber": "#ffd75f",
    "impact-blue": "#7fc4ff",
    "up": "#5fff87",
    "down": "#ff8787",
    "symbol": "#9fd0ff",
    "good": "#5fff87",
    "warn": "#ffb000",
    "bad": "#ff8787",
}

_MONO = _DARK | {
    "alert": "#e9eff6",
    "note": "#c9d1d9",
    "flash": "#ffffff",
    "banner": "#e9eff6",
    "on-banner": "#0c1016",
    "impact-red": "#ffffff",
    "impact-amber": "#c9d1d9",
    "impact-blue": "#7f8a9a",
    "up": "#c9d1d9",
    "down": "#e9eff6",
    "symbol": "#c9d1d9",
    "warn": "#e9eff6",
    "bad": "#ffffff",
}
"""Without colours what is loud must be bright: a red turned grey is darker than a yellow."""

DARK = "tape-dark"
LIGHT = "tape-light"
CONTRAST = "tape-contrast"
MONO = "tape-mono"


def _theme(name: str, palette: dict[str, str], *, dark: bool) -> Theme:
    return Theme(
        name=name,
        primary=palette["symbol"],
        secondary=palette["impact-blue"],
        accent=palette["alert"],
        warning=palette["warn"],
        error=palette["bad"],
        success=palette["good"],
        foreground=palette["ink"],
        background=palette["ground"],
        surface=palette["ground"],
        panel=palette["band"],
        dark=dark,
        variables={
            **palette,
            "input-cursor-background": palette["strong"],
            "input-cursor-foreground": palette["ground"],
        },
    )


THEMES = (
    _theme(DARK, _DARK, dark=True),
    _theme(LIGHT, _LIGHT, dark=False),
    _theme(CONTRAST, _CONTRAST, dark=True),
    _theme(MONO, _MONO, dark=True),
)

VARIABLE_DEFAULTS = dict(_DARK)
"""What a foreign theme falls back to for our own names."""
