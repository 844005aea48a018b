"""What can happen, as data: ten flash events and seven kinds of news, each with the words that report it.

A flash pattern is verb-driven: a named actor does it or a named target suffers it, now. Nouns alone ("trade war
fears", "bankruptcy lawyer") report nothing. `reading` adds negation, hedges, previews and the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from agents.models import FlashEvent, SignalType

_G: Final = r"[^.;:?!\n]{0,45}?"
"""A short gap inside one clause."""
_STATE: Final = (
    r"(?:US|U\.S\.?|United States|America|Washington|White House|Trump(?: administration)?|Biden(?: administration)?|Treasury|OFAC|EU|"
    r"European Union|Brussels|Council|UK|Britain|Canada|Japan|Australia|China|Beijing|MOFCOM|Russia|Moscow|Putin|Kremlin|India|Iran|Tehran|"
    r"Saudi(?: Arabia|s)?|Riyadh|Turkey|Mexico|Germany|France|Ukraine|Israel|North Korea|South Korea|Indonesia|Vietnam|Kazakhstan|"
    r"Argentina|Iraq|Libya|Venezuela|Qatar|Taiwan|Swiss|Switzerland|UN|G7|administration|government|State Department|Commerce)"
)
_REGULATOR: Final = (
    r"(?:SEC|Securities and Exchange Commission|DOJ|Justice (?:Department|Dept)|FTC|FCC|CFTC|FDIC|FDA|FAA|EASA|EPA|NHTSA|FINRA|OCC|CMA|FCA|BaFin|ASIC|ACCC|"
    r"regulators?|watchdog|antitrust|prosecutors?|European Commission|EU(?: Commission)?|attorney general|aviation (?:authority|regulator)|"
    r"competition authority|data protection|central bank|Fed|court|judge|authorit(?:y|ies)|Australia|Germany|France|Canada|China|Britain|India|"
    r"Belgium|Fiji|Bermuda|Singapore|Ethiopia|Norway|Japan|Brazil|Italy|Dutch|U\.S\.?|US)"
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to report a happening. `stems` are lower-case fragments one of which the text must hold (speed)."""

    label: str
    regex: re.Pattern[str]
    stems: tuple[str, ...]
    event: FlashEvent | None = None
    signal: SignalType = "routine_news"
    strength: float = 0.0


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern that matched, with its words and where."""

    pattern: Pattern
    quote: str
    start: int
    end: int


def _flash(event: FlashEvent, signal: SignalType, label: str, stems: str, regex: str, strength: float = 0.0) -> Pattern:
    return Pattern(label, re.compile(regex), tuple(stems.split("|")), event, signal, strength)


def _kind(signal: SignalType, label: str, stems: str, regex: str, strength: float = 0.0) -> Pattern:
    return Pattern(label, re.compile(regex, re.I), tuple(stems.split("|")), None, signal, strength)


FLASH: Final[tuple[Pattern, ...]] = (
    _flash(
        "bankruptcy", "routine_news", "bankruptcy", "bankrupt|insolven|chapter 11|chapter 7|administration|receivership|creditor|bust|liquidation|collapse|fails",
        rf"(?i:\b(?:file[sd]?|filing|seek[s]?|sought|enter(?:s|ed)?|begin[s]?|declare[sd]?|go(?:es)?|went|fall(?:s|en)?|fell|placed|slid(?:es)?|tips?|put|forced)"
        rf"{_G}\b(?:bankruptcy|bankrupt|chapter (?:11|7)\b|insolvency|into (?:administration|receivership|liquidation)|"
        rf"(?:creditor|bankruptcy|court) protection|protection (?:from|against) (?:its )?creditors|bust)\b)"
        r"|(?i:\b(?:brothers|bank|lender|exchange|retailer|airline|group|carrier) (?:collapses|fails)\b)",
    ),
    _flash(
        "sanctions", "policy_change", "sanctions", "sanction|embargo|blacklist|designat|freezes|seaborne|jcpoa|waiver|price cap|iran|russian|crude|imports",
        rf"(?i:\b(?:re-?impos|impos|slap|hit|announc|expand|tighten|plac|unveil|adopt|approv|levi|issu|widen|agree)(?:s|es|ed|e|y|ies)?\b{_G}\b(?:sanctions|embargo|oil ban|price cap)\b)"
        rf"|\b{_STATE} (?:sanctions|embargoes|blacklists|designates|freezes)\b {_G}[A-Z]"
        rf"|\b{_STATE} {_G}\b(?:bans?|barred|bars|banned|prohibit(?:s|ed)?)\b{_G}\b(?:Russian|Iranian|Venezuelan|North Korean|dealings|imports?|purchases)"
        rf"|(?i:\bsanctions\b{_G}\b(?:take|took|takes|go|come|snap back|kick) (?:in(?:to)?|effect|force|back)\b)"
        rf"|(?i:\b(?:ends?|revokes?|cancels?)\b{_G}\bwaivers?\b)|(?i:\bembargo on\b)|(?i:\bwithdraws from (?:the )?(?:JCPOA|iran|nuclear))"
        rf"|(?i:\b(?:financial|oil|new|fresh) sanctions on\b)|(?i:\bpackage with\b{_G}embargo)",
    ),
    _flash(
        "export_ban", "policy_change", "export ban", "export|blacklist|entity list|ban|shipment|huawei|cuts off|sales to",
        rf"(?i:\b(?:ban|restrict|halt|suspend|curb|block|limit|prohibit|impos|announc|tighten|control)(?:s|es|ed|ned|ped|bed)?\b{_G}\b(?:exports?|export (?:ban|controls?|curbs|quota|tax|restrictions|contracts|sales))\b)"
        rf"|(?i:\b(?:adds?|added|put|puts|placed|places)\b{_G}\b(?:entity list|trade blacklist|export blacklist|blacklist)\b)"
        rf"|\b{_STATE} (?i:blacklist(?:s|ed|ing)|blacklisting of)\b"
        rf"|(?i:\b(?:suspends?|halts?|halting|stops?|cuts? off|ends?|follows \w+ with)\b{_G}\b(?:business with|shipments to|shipments|sales to|ban)\b{_G}\b(?:huawei|zte|smic|china|russia|iran)|\b(?:suspends|halts|halting|stops|cuts off)\b{_G}\bhuawei\b)"
        rf"|(?i:\bexport (?:ban|controls?|curbs|quota|tax)s? (?:on|take|takes|enter|imposed|announced)\b)",
    ),
    _flash(
        "tariffs", "policy_change", "tariffs", "tariff|duties|levies|section 301",
        rf"(?i:\b(?:impos|slap|hit|rais|doubl|hik|announc|lev|set|increas|order|sign|retaliat|unveil|mak|start|implement|activat|trigger|extend|finaliz)(?:s|es|ed|e|ies|y|ts|ting|ing)?\b{_G}\b(?:tariffs?|duties)\b)"
        rf"|(?i:\btariffs?\b{_G}\b(?:take|takes|took|go|goes|went|kick|kicks|come|came) (?:in|into|effect|force)\b)"
        rf"|(?i:\btariff hikes? on\b)|(?i:\btariffs on [A-Z])(?=[^?\n]*\bwith\b)|(?i:\b(?:retaliatory|secondary|reciprocal) tariffs? on\b)",
    ),
    _flash(
        "rate_surprise", "policy_change", "surprise rate move", "rate|bps|hike|basis point|zero",
        rf"(?i:\b(?:surpris\w*|unexpected(?:ly)?|emergency|unscheduled|shock|inter-meeting)\b{_G}\b(?:rates?|rate (?:cut|hike|rise|increase)|hike|bps|basis[- ]point)\b)"
        rf"|(?i:\b(?:hikes?|cuts?|raises?|lowers?|slash(?:es|ed)?)\b{_G}\b(?:rates?|bps|basis points?)\b{_G}\b(?:in (?:a )?(?:surprise|shock)|unexpectedly|emergency|surprise|larger than expected|more than expected)\b)"
        rf"|(?i:\b(?:fed|federal reserve|central bank|ecb|boe|bank of \w+|boj)\b{_G}\bslash(?:es|ed)\b{_G}\b(?:rates?)\b)"
        rf"|(?i:\b(?:cuts?|slash(?:es|ed)?|lowers?)\b{_G}\brates?\b{_G}\bto (?:near |almost )?zero\b)"
        rf"|(?i:\b(?:surprises|surprised|shocks|shocked|stuns)\b{_G}\b(?:with|by)\b{_G}\b(?:hike|cut|bps|basis|rate)\b)",
    ),
    _flash(
        "trading_halt", "routine_news", "trading halt", "trading|circuit breaker|shares suspend|halt",
        rf"(?i:\btrading (?:in|of|on)?{_G}\b(?:is |was |has been |been )?(?:halted|suspended|paused|stopped)\b)"
        rf"|(?i:\b(?:halts|halted|suspends|suspended|pauses|stops|delists)\b {_G}\btrading (?:in|of|on)\b)"
        rf"|(?i:\b(?:shares|stock) (?:are |were )?(?:suspended|halted)\b)"
        rf"|(?i:\b(?:triggers?|triggered|trips|tripped|hits?)\b{_G}\bcircuit[- ]breakers?\b)|(?i:\bhalts? (?:all )?trading\b)",
    ),
    _flash(
        "geopolitical_conflict", "macro_event", "conflict", "invade|invasion|missile|airstrike|air strike|drone|strike|attack|war |bomb|coup|shells|seize|assassinat|shoot|shot down|clash|fighting|explosion|blockade|unrest|rebel|militant|troops|torch|air campaign|kills|ablaze|sinks|hit |captur|ransomware|protest|hits|mine",
        rf"(?i:\b(?:invades?|invaded|launch(?:es|ed)? (?:a |an |its |full-scale |first |direct |wide |large-scale |near-daily |more |new )*(?:full-scale )?(?:invasion|air ?strikes?|strikes?|missiles?|attack|offensive|air (?:war|campaign)|raid|operation))\b)"
        rf"|(?i:\b(?:full-scale invasion|declares? war|declared war|opens fire|act of war)\b)"
        rf"|(?i:\bwar (?:begins|onset|erupts|starts|breaks out)\b|\bonset of\b{_G}\bwar\b|-{_STATE} war\b)|\b[A-Z][a-z]+-[A-Z][a-z]+ war\b"
        rf"|(?i:\b(?:missile|drone|rocket|air)s?(?: and (?:missile|drone))? (?:strikes?|attacks?|hits?|barrage)\b{_G}\b(?:on|in|at|hits?|kills?|halts|near|targets?|damages?)\b)"
        rf"|(?i:\b(?:air ?strikes?|strikes?) (?:kills?|killed|hits?|on)\b {_G}[A-Z])"
        rf"|\b(?:Houthi|Israeli|Iranian|Russian|Ukrainian|US|U\.S\.|Saudi|Turkish|Chinese|Hamas|Hezbollah|Taliban|Iraqi|Syrian|militants?|rebels?|Rebels|Militants|Ijaw)\b {_G}\b(?i:attacks?|strikes?|bombs?|seize[sd]?|shells|captures?|shoots? down|sinks?|set fire|torch|kills?|raid|fires?|missiles?|hit|shut|blockade)\b"
        rf"|\b(?:US|U\.S\.|Russia|Israel|Iran|Turkey|China|Saudi Arabia|India|Pakistan|North Korea|Houthis|Hamas|Hezbollah|Ukraine)(?: and [A-Z]\w+)? (?:attacks|strikes|bombs|shells|seizes|invades|captures|fires|shoots down|launches)\b"
        rf"|(?i:\b(?:assassinat(?:ed|es|ion of)|shot down|shoots down|coup (?:in|topples|ousts)|seizes? (?:oil )?tankers?)\b)"
        rf"|(?i:\b(?:clashes|fighting|unrest|blockade|protesters|explosion|sabotage|attacks?|ransomware|militants?|avengers)\b{_G}\b(?:shut|shuts|halt|halts|halted|disrupts?|forces?|close[sd]?|hit)\b)"
        rf"|(?i:\b(?:ransomware|cyber ?attack)\b{_G}\b(?:shutdown|shuts?|halts?|cripples|hits)\b)|(?i:\bpipeline (?:explosion|attack|sabotage|blast)\b)"
        rf"|(?i:\b(?:escalat\w+)\b{_G}\b(?:attack|conflict|war)\b)|(?i:\b(?:mine|oil|blockade)\b{_G}\bblockade (?:halt|shut))",
    ),
    _flash(
        "fraud", "routine_news", "fraud", "fraud|fabricat|ponzi|embezzl|falsif|misappropriat|accounting scandal|insider trading|misconduct|phantom|bribery|laundering",
        rf"(?i:\b(?:charg|su|accus|arrest|convict|indict|prob|investigat|plead|sentenc|expos|uncover|admit|find|found)(?:es|ed|s|e|ing)?\b{_G}\b(?:fraud|fabricat\w+|embezzl\w+|ponzi|falsif\w+|insider trading|financial misconduct|bribery|money laundering)\b)"
        rf"|(?i:\b(?:fabricated|falsified|inflated)\b{_G}\b(?:sales|revenue|accounts|transactions|invoices)\b)"
        rf"|(?i:\b(?:indications|evidence) of fraud at\b)|(?i:\baccounting (?:fraud|scandal) (?:at|hits|engulfs|deepens)\b)",
    ),
    _flash(
        "earnings_shock", "earnings", "earnings shock", "profit|loss|earnings|sales|revenue|guidance|forecast|outlook|shares|stock",
        rf"(?i:\b(?:surprise|shock|unexpected) (?:quarterly |annual |first-quarter |full-year |net )?(?:loss|profit warning|drop in (?:profit|sales|revenue))\b)"
        rf"|(?i:\b(?:shares|stock)\b{_G}\b(?:plunge[sd]?|crash(?:es|ed)?|collapse[sd]?|plummet(?:s|ed)?|nosedive[sd]?)\b{_G}\b(?:earnings|results|outlook|forecast|guidance|profit|warning)\b)"
        rf"|(?i:\bshock(?:s|ing)? (?:profit|revenue|sales|earnings)\b)|(?i:\b(?:stuns|shocks|blindsides)\b{_G}\b(?:earnings|results|forecast|warning|loss)\b)",
    ),
    _flash(
        "regulatory_action", "policy_change", "regulatory action", "fine|sue|charge|ground|ban|block|order|revoke|suspend|penalt|antitrust|halts|shut|airspace|prohibit|raid",
        rf"\b{_REGULATOR}\b (?i:{_G}\b(?:fines|fined|sues|charges|charged|grounds|bans|blocks|blocked|revokes|orders|suspends|prohibits|shuts|seizes|raids|closes (?:its )?air ?space)\b) ?{_G}[A-Z0-9$€£]"
        rf"|(?i:\b(?:fined|charged by|sued by|hit with|ordered to pay|banned by|grounded by|blocked by)\b{_G}(?:[$€£]|\b(?:regulators?|SEC|EU|FTC|DOJ|FAA|antitrust|usd|billion|million|watchdog|justice)\b))",
    ),
)
"""The ten flash events."""

KINDS: Final[tuple[Pattern, ...]] = (
    _kind("m_and_a", "deal", "acqui|merge|takeover|buyout|buy |buys|to sell|stake|purchase|bid|combination|invest|spin|take-private|split|divest|tie-up|joint venture|breaking up|interest|deal|sells|sale|selling",
        r"\b(?:acquir\w+|acquisitions?|mergers?|merg(?:es?|ing) with|to merge|takeover|take[- ]?over bid|buyout|business combination|take-private|tie-up|spin-?offs?|spins? off|divest\w*|breaking up)\b"
        r"|\b(?:to buy|buys|bought|to sell|sells?|selling|sold|purchase of|takes?|exploring|sale of|raises? bid|rejects?|agrees? to)\b.{0,60}\b(?:stake|firm|company|business|unit|division|rival|bid|offer|interest|startup|start-up|bn|billion|portfolio|project|brand|assets|maker)\b"
        r"|\b(?:strategic|growth|minority|majority|equity|significant) (?:investment|stake|interest)\b|\binvests? (?:in|\$|£|€)|\bactivist investor\b|\bbidders?\b|\bfunding round\b|\bseries [a-e] (?:funding|round|financing)\b|\bstrategic options\b", 0.3),
    _kind("earnings", "results", "earning|results|profit|eps|revenue|quarter|q1|q2|q3|q4|conference call|net loss|sales",
        r"\b(?:first|second|third|fourth|1st|2nd|3rd|4th)[- ]quarter\b.{0,60}\b(?:results?|earnings|profits?|revenue|net|sales|conference call|loss)\b|\b(?:Q[1-4]|quarterly|half-year|full-year|fiscal)\b.{0,50}\b(?:results?|earnings|profits?|revenue|EPS|sales|commentary|loss)\b"
        r"|\b(?:earnings|results)\b.{0,30}\b(?:call|transcript|presentation|preview|release|beat|miss|season|report)\b|\bEPS of\b|\b(?:GAAP|Non-GAAP) EPS\b|\b(?:beats|misses) (?:by|on|estimates|expectations|forecasts)\b"
        r"|\b(?:profits?|revenues?|net income|sales|net loss|earnings)\b.{0,40}\b(?:rose|rises?|fell|falls?|jump(?:s|ed)?|drop(?:s|ped)?|plung\w+|surg\w+|slump\w*|beats?|misse[sd]|tops?|soar\w*|doubl\w+|halv\w+|climb\w*|declin\w+|narrow\w*|widen\w*)\b"
        r"|\b(?:posts?|reports?|reported|swings? to|announces?)\b.{0,40}\b(?:results|profit|loss|earnings)\b", 0.3),
    _kind("guidance_change", "guidance", "guidance|outlook|forecast|profit warning|guides|warns",
        r"\b(?:raises?|raised|cuts?|lowers?|lowered|slash(?:es|ed)?|withdraws?|withdrew|hikes?|boosts?|trims?|lifts?|narrows?|suspends?|reaffirms?|scraps?|pulls?|abandons?|ups)\b.{0,45}\b(?:guidance|outlook|forecasts?|targets? for|estimates for|view|dividend forecast)\b"
        r"|\bprofit warnings?\b|\bguides (?:Q[1-4]|FY|below|above|revs)|\bwarns?\b.{0,30}\b(?:profits?|revenue|sales|earnings|margins?|results)\b|\bsees (?:Q[1-4]|FY)", 0.35),
    _kind("policy_change", "central bank or rules", "fed|ecb|boj|boe|central bank|rate|bank of|lagarde|powell|monetary|hike|pboc|bps|basis point|quantitative|tender|repo|nationaliz|subsid|quota|reserve|amnesty|grain|closure|stockpile|auction|law|bill|rule|legislation|executive order|regulat|policy|treaty|export tax|fomc|beige|bullard|waller|swap|digitaleuro|rba|rbi",
        r"\b(?:Fed|Federal Reserve|FOMC|ECB|BOJ|BoE|RBA|RBI|PBOC|SNB|Bank of (?:England|Japan|Canada|Korea|Mexico|Israel)|European Central Bank|central banks?(?:er|ers)?|Lagarde|Powell|Kuroda|Bailey|Bullard|Waller|Barkin|Bostic|Mester|Daly|Beige Book|FedWatch|reverse repo|Eurosystem|digital ?euro|money supply)\b"
        r"|\b(?:interest rates?|policy rate|benchmark rate|loan prime rate|rate (?:hikes?|cuts?|rises?|increases?|decision)|monetary policy|basis[- ]points?|percentage[- ]point (?:hike|rate)|bps)\b", 0.35),
    _kind("policy_change", "government measure", "nationaliz|subsid|quota|reserve|amnesty|grain|closure|auction|export|stockpile|law|bill|rule|executive order|legislation|ban|tariff|waiver|care and maintenance|suspend|strategic|privatiz|windfall|tax|price cap|ruling|signed|moratorium|mothball|output|load-shedding",
        r"\b(?:government|president|minister|parliament|congress|senate|lawmakers|cabinet|state|china|beijing|india|russia|indonesia|chile|panama|nigeria|us|u\.s\.|eu|ministry|court)\b.{0,50}\b(?:nationali[sz]\w+|passes|approves|signs|bans?|lifts?|orders?|scraps|unveils|releases?|auctions?|sets?|eliminates?|suspends?|announces?|halts?|ends?|offers?|imposes?|tops up|repeals?|enacts?)\b"
        r"|\b(?:strategic (?:petroleum )?reserves?|SPR|export (?:quota|tax|ban)|executive order|new (?:law|rules)|state-controlled|care and maintenance|mothballs|load-shedding|cuts? \d+ .{0,20}output)\b", 0.2),
    _kind("macro_event", "macro data", "inflation|cpi|ppi|gdp|jobless|payroll|unemployment|recession|retail sales|trade deficit|housing|rent|economy|economic|pmi|consumer|mortgage|growth|demand|imf|home|wage|labor|labour|import|prices|copper|oil|stimulus|stagflation|gas|shortage|credit default|sanction|trade|chips|currency|zloty|supply chain|peso|lira|recover",
        r"\b(?:inflation|CPI|PPI|consumer prices?|producer prices?|GDP|jobless claims|(?:non-?farm )?payrolls|unemployment|recession|retail sales|trade (?:deficit|surplus|talks)|housing starts|home (?:sales|prices|supply)|rents?|stagflation|PMI|consumer (?:confidence|sentiment|spending)|mortgage (?:rates|demand)|economic (?:growth|activity|hit)|labou?r (?:market|shortage)s?|wage (?:growth|gains)|import prices|economy|growth (?:forecast|outlook)|world economic outlook|stimulus|demand (?:shock|destruction)|investor morale|economists)\b"
        r"|\b(?:oil|crude|copper|gas|gasoline|wheat|grain|food|energy|beef)\b.{0,30}\b(?:prices?|contract|futures)\b.{0,30}\b(?:rise|rose|fall|falls|fell|jump\w*|slump\w*|plung\w*|surg\w*|crash\w*|negative|below zero|soar\w*)\b", 0.3),
    _kind("supply_chain", "supply", "suppl|shortage|shipment|output|opec|production|strait|pipeline|port|canal|factory|plant|recall|shipping|tanker|refiner|mine|bpd|b/d|logistic|chokepoint|halts|outage|blackout|quota|barrel",
        r"\b(?:OPEC\+?|supply chains?|supplier|chip shortage|shortages? of|parts shortage|force majeure|shipping (?:lane|route|disruption)s?|chokepoint|Bab[- ]el[- ]Mandeb|Suez|Hormuz|Red Sea|Panama Canal)\b"
        r"|\b(?:halts?|suspends?|cuts?|shuts?|stops?|disrupts?|resumes?|raises?|delays?|reopens?|idles?|boosts?|hikes?|slash\w*|extends?|blocks?)\b.{0,40}\b(?:production|output|shipments?|deliveries|plant|factory|assembly|exports?|loadings|pipeline|port|refinery|mine|barrels|mb/d|bpd|supply|flows|transit|canal)\b", 0.35),
    _kind("sentiment_surge", "crowd", "reddit|wallstreetbets|meme stock|short squeeze|retail investors|retail traders|stocktwits|viral|frenzy|mania|social media|trending|boycott|backlash|hashtag",
        r"\b(?:wallstreetbets|reddit|meme[- ]stocks?|short[- ]squeeze|retail (?:investors|traders)|stocktwits|buying frenzy|mania|goes viral|viral|trending on|social media (?:frenzy|backlash|storm)|boycott|backlash|panic[- ](?:buying|selling))\b", 0.4),
)
"""The kinds of news besides flash events; `routine_news` is what remains."""


def find(text: str, patterns: Iterable[Pattern]) -> tuple[Found, ...]:
    """The first match of each pattern whose stems occur in the text."""
    low = text.lower()
    found = []
    for pattern in patterns:
        if any(stem in low for stem in pattern.stems):
            match = pattern.regex.search(text)
            if match:
                found.append(Found(pattern, match.group().strip(), match.start(), match.end()))
    return tuple(found)
