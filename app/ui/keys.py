"""Every key of the program with its id. The footer, the help and the palette are made from these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from textual.binding import Binding, BindingType

FEED_KEYS: list[BindingType] = [
    Binding("j", "move(1)", "move", id="feed.down", tooltip="To the next card", key_display="j k"),
    Binding("down", "move(1)", id="feed.down.arrow", tooltip="To the next card", show=False),
    Binding("k,up", "move(-1)", id="feed.up", tooltip="To the card before", show=False),
    Binding("pagedown,space", "page(1)", id="feed.page_down", tooltip="One page down", show=False),
    Binding("pageup,b", "page(-1)", id="feed.page_up", tooltip="One page up", show=False),
    Binding("enter", "open", "open", id="feed.open", tooltip="Open the selected card", key_display="enter"),
    Binding("g,home", "top", id="feed.top", tooltip="To the newest card; the list is live again", show=False),
    Binding("G,end", "bottom", id="feed.bottom", tooltip="To the oldest card", show=False),
]

ROW_KEYS: list[BindingType] = [
    Binding("j", "move(1)", "move", id="rows.down", tooltip="To the next thing that opens", key_display="j k"),
    Binding("down", "move(1)", id="rows.down.arrow", tooltip="To the next thing that opens", show=False),
    Binding("k,up", "move(-1)", id="rows.up", tooltip="To the one before", show=False),
    Binding("pagedown,space", "page(1)", id="rows.page_down", tooltip="One page down", show=False),
    Binding("pageup,b", "page(-1)", id="rows.page_up", tooltip="One page up", show=False),
    Binding("g,home", "edge(0)", id="rows.top", tooltip="To the beginning", show=False),
    Binding("G,end", "edge(1)", id="rows.bottom", tooltip="To the end", show=False),
    Binding("enter", "open", "open", id="rows.open", tooltip="Open what is under the cursor", key_display="enter"),
]

MONITOR_KEYS: list[BindingType] = [
    Binding("escape", "back", "back", id="monitor.back", tooltip="Back one level", key_display="esc"),
    Binding(
        "tab,right_square_bracket", "turn(1)", id="monitor.next_tab", tooltip="To the next tab of the card", show=False
    ),
    Binding(
        "shift+tab,left_square_bracket", "turn(-1)", id="monitor.tab_before", tooltip="To the tab before", show=False
    ),
    Binding(
        "a", "acknowledge", "acknowledge", id="monitor.acknowledge", tooltip="Acknowledge every FLASH in the banner"
    ),
    Binding(
        "exclamation_mark", "open_flash", id="monitor.open_flash", tooltip="Open the FLASH in the banner", show=False
    ),
    Binding("slash", "search", "search", id="monitor.search", tooltip="Search by words, company or ticker"),
    Binding(
        "1", "urgency('FLASH')", "urgency", id="monitor.flash", tooltip="Only FLASH, or FLASH too", key_display="1-4"
    ),
    Binding("2", "urgency('ALERT')", id="monitor.alert", tooltip="Only ALERT, or ALERT too", show=False),
    Binding("3", "urgency('NOTE')", id="monitor.note", tooltip="Only NOTE, or NOTE too", show=False),
    Binding("4", "urgency('FYI')", id="monitor.fyi", tooltip="Only FYI, or FYI too", show=False),
    Binding("w", "watchlist", "watchlist", id="monitor.watchlist", tooltip="Only what touches your watchlist"),
    Binding("F", "choose", "filter", id="monitor.choose", tooltip="Filter by time, ticker, event, source or agent"),
    Binding("v", "views", "views", id="monitor.views", tooltip="The saved views: recall one, or save what is shown"),
    Binding("u", "unread", "unread", id="monitor.unread", tooltip="Only what is unread"),
    Binding("s", "star", "star", id="monitor.star", tooltip="Star the selected card, or take the star off"),
    Binding("S", "starred", id="monitor.starred", tooltip="Only what is starred", show=False),
    Binding(
        "m", "mute", "mute", id="monitor.mute", tooltip="Mute a ticker, the story, its source or its kind of event"
    ),
    Binding("z", "snooze", id="monitor.snooze", tooltip="Silence everything for half an hour, or end that", show=False),
    Binding("n", "note", id="monitor.note_text", tooltip="Write a note on the selected card", show=False),
    Binding(
        "r", "toggle_read", id="monitor.toggle_read", tooltip="Mark the selected card as unread, or read", show=False
    ),
    Binding("R", "all_read", id="monitor.all_read", tooltip="Mark all that is listed as read", show=False),
    Binding("U", "undo", id="monitor.undo", tooltip="Take back what was done last", show=False),
    Binding("A", "alerts", "alerts", id="monitor.alerts", tooltip="The alerts: channels, dead letters, mutes"),
    Binding("t", "time_order", id="monitor.time_order", tooltip="Plain time order, or FYI at the bottom", show=False),
    Binding("i", "investigate", "why", id="monitor.investigate", tooltip="Investigate the move behind the card"),
    Binding(
        "I", "investigations", id="monitor.investigations", tooltip="Earlier investigations, or a new one", show=False
    ),
    Binding("o", "open_link", "link", id="monitor.open_link", tooltip="Open the link in the browser"),
]

APP_KEYS: list[BindingType] = [
    Binding("f", "feeds", "feeds", id="app.feeds", tooltip="The feeds: state, last error, next check"),
    Binding("c", "costs", "cost", id="app.costs", tooltip="Cost and latency, stage by stage"),
    Binding("p", "scorecard", "scorecard", id="app.scorecard", tooltip="Scores against what prices did afterwards"),
    Binding("comma", "settings", "settings", id="app.settings", tooltip="The settings and where each comes from"),
    Binding("question_mark", "help", "help", id="app.help", tooltip="Every key and what it does"),
    Binding("colon,ctrl+p", "command_palette", id="app.palette", tooltip="Every command by its name", show=False),
    Binding("ctrl+z", "suspend_process", id="app.suspend", tooltip="Into the background; fg comes back", show=False),
    Binding("q,ctrl+c", "quit", id="app.quit", tooltip="Leave", show=False),
]

COSTS_KEYS: list[BindingType] = [
    Binding("escape,c", "leave", "back", id="costs.leave", tooltip="Back to the monitor", key_display="esc"),
]

SCORECARD_KEYS: list[BindingType] = [
    Binding("escape,p", "leave", "back", id="scorecard.leave", tooltip="Back to the monitor", key_display="esc"),
    Binding("r", "again", "again", id="scorecard.again", tooltip="Reckon it up again"),
]

SETTINGS_KEYS: list[BindingType] = [
    Binding("escape,comma", "leave", "back", id="settings.leave", tooltip="Back to the monitor", key_display="esc"),
]

CHOOSING_KEYS: list[BindingType] = [
    Binding("escape,F", "leave", "back", id="choosing.leave", tooltip="Back one level", key_display="esc"),
    Binding("x", "clear", "show all", id="choosing.clear", tooltip="Let go of everything that restricts the list"),
]

VIEWS_KEYS: list[BindingType] = [
    Binding("escape,v", "leave", "back", id="views.leave", tooltip="Leave the list as it is", key_display="esc"),
    *(
        Binding(str(n), f"recall({n})", id=f"views.recall.{n}", tooltip="Show the view of that digit", show=False)
        for n in range(1, 10)
    ),
    Binding("n", "save", "save this", id="views.save", tooltip="Save what is shown under a name"),
    Binding("x", "remove", "take away", id="views.remove", tooltip="Take the view under the cursor away"),
]

FEEDS_KEYS: list[BindingType] = [
    Binding("escape,f", "leave", "back", id="feeds.leave", tooltip="Back to the monitor", key_display="esc"),
    Binding("r", "check", "check now", id="feeds.check", tooltip="Check the source under the cursor now"),
    Binding("R", "check_all", "check all", id="feeds.check_all", tooltip="Check every source now"),
]

INVESTIGATION_KEYS: list[BindingType] = [
    Binding("escape", "leave", "back", id="why.leave", tooltip="Back one level", key_display="esc"),
    Binding("n", "new", "new", id="why.new", tooltip="Investigate any symbol, near any time"),
    Binding("slash", "find", "find", id="why.find", tooltip="Search the earlier investigations"),
    Binding("r", "again", "again", id="why.again", tooltip="Ask the sources again and tell what changed"),
]

ALERTS_KEYS: list[BindingType] = [
    Binding("escape,A", "leave", "back", id="alerts.leave", tooltip="Back to the monitor", key_display="esc"),
    Binding("d", "dead", "dead letters", id="alerts.dead", tooltip="Only dead letters, or all alerts"),
    Binding("x", "lift", "lift mute", id="alerts.lift", tooltip="Lift the mute under the cursor"),
    Binding("r", "retry", "retry", id="alerts.retry", tooltip="Let dead letters wait again"),
]

MUTE_KEYS: list[BindingType] = [
    Binding("escape,m", "leave", "back", id="mute.leave", tooltip="Leave it as it is", key_display="esc"),
    Binding("right,l", "length(1)", "longer", id="mute.longer", tooltip="For a longer time", key_display="→"),
    Binding("left,h", "length(-1)", "shorter", id="mute.shorter", tooltip="For a shorter time", key_display="←"),
]

NOTE_KEYS: list[BindingType] = [
    Binding("escape", "leave", "back", id="note.leave", tooltip="Leave the note as it was", key_display="esc"),
]

HELP_KEYS: list[BindingType] = [
    Binding("escape,question_mark", "leave", "back", id="help.leave", tooltip="Back to the monitor", key_display="esc"),
]

Section: TypeAlias = tuple[str, Sequence[BindingType]]
SECTIONS: tuple[Section, ...] = (
    ("In the list", FEED_KEYS),
    ("Anywhere", [*MONITOR_KEYS, *APP_KEYS]),
    ("In a card that is open", ROW_KEYS),
    ("On the feeds screen", FEEDS_KEYS),
    ("In an investigation", INVESTIGATION_KEYS),
    ("On the alerts screen", ALERTS_KEYS),
    ("On the cost screen", COSTS_KEYS),
    ("On the scorecard", SCORECARD_KEYS),
    ("On the settings screen", SETTINGS_KEYS),
    ("When filtering", CHOOSING_KEYS),
    ("Among the views", VIEWS_KEYS),
    ("When muting", MUTE_KEYS),
    ("When writing a note", NOTE_KEYS),
    ("In this help", HELP_KEYS),
)
"""What the help shows, in its order."""

_NAMES = {
    "pagedown": "pgdn",
    "pageup": "pgup",
    "down": "↓",
    "up": "↑",
    "escape": "esc",
    "slash": "/",
    "question_mark": "?",
    "exclamation_mark": "!",
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "comma": ",",
    "colon": ":",
    "right": "→",
    "left": "←",
}


def bindings(keys: Sequence[BindingType]) -> list[Binding]:
    """The bindings of a group as objects."""
    return [binding for binding in keys if isinstance(binding, Binding)]


def keys_shown(binding: Binding) -> str:
    """The keys of a binding as a person reads them: "pgdn space"."""
    return " ".join(_NAMES.get(key.strip(), key.strip()) for key in binding.key.split(","))
