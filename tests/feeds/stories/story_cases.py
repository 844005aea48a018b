"""Headlines, all invented: those of one event, and pairs of two events that look alike."""

from __future__ import annotations

ONE_EVENT: dict[str, tuple[str, ...]] = {
    "export ban, seven outlets": (
        "US bans exports of advanced AI chips to China",
        "Washington blocks Nvidia AI chip sales to China",
        "White House halts semiconductor exports to Beijing",
        "U.S. Bars Advanced Chip Shipments to China in New Crackdown",
        "US curbs exports of advanced semiconductors to China, hitting Nvidia and AMD",
        "America prohibits AI chip exports to China",
        "Commerce Department adds chipmakers to export control list, curbing AI chip sales to China",
        "UPDATE 2-US restricts advanced chip exports to China",
    ),
    "rate cut": (
        "Fed cuts interest rates by quarter point",
        "Federal Reserve lowers rates by 25 basis points",
        "FOMC cuts rates 25 bps, signals more easing",
        "Fed Cuts Rates by a Quarter Point as Inflation Cools",
    ),
    "bankruptcy": (
        "Acme Robotics files for Chapter 11 bankruptcy",
        "Robot maker Acme seeks bankruptcy protection in Delaware",
        "Acme Robotics Goes Bust, Owing $2 Billion",
        "Acme Robotics collapses into bankruptcy with debts of $2.1 billion",
    ),
    "guidance": (
        "Meridian Steel cuts full-year guidance on weak demand",
        "Meridian lowers 2026 outlook, shares fall",
        "Steelmaker Meridian issues profit warning",
    ),
    "takeover": (
        "Silver Lake to buy Corvid Software for $4.2 billion",
        "Corvid Software agrees to $4.2 billion takeover by Silver Lake",
        "Silver Lake clinches $4.2bn Corvid buyout",
    ),
    "rumour, then confirmation, then denial": (
        "Orion Energy in talks to acquire Halcyon, sources say",
        "Orion Energy agrees to buy Halcyon in $9 billion deal",
        "Halcyon denies takeover talks with Orion Energy",
    ),
    "consumer prices": (
        "US CPI rises 3.1% in August",
        "US inflation at 3.1% in August, above forecasts",
        "Consumer prices in the US rose 3.1 percent in August",
    ),
    "sanctions": (
        "US imposes sanctions on Russian oil firm Rosneft",
        "Washington sanctions Rosneft over Ukraine war",
        "US blacklists Russia's Rosneft",
    ),
    "halt": (
        "Nasdaq halts trading in Zeta Pharma pending news",
        "Zeta Pharma shares suspended from trading",
        "Trading in Zeta Pharma halted",
    ),
    "new chief": (
        "Boeing CEO to step down at year end",
        "Boeing chief executive resigns",
        "Boeing's CEO quits after safety crisis",
    ),
    "recall": (
        "Toyota recalls 1.2 million cars over airbag defect",
        "Toyota to recall 1.2 million vehicles worldwide",
    ),
    "rate cut and its currency": (
        "Reserve Bank of Australia unexpectedly cuts cash rate by 50 basis points",
        "Australian dollar slides after surprise 50 basis point rate cut by RBA",
    ),
    "halted shares": (
        "Trading in Pellworm Biotech halted pending news",
        "Pellworm Biotech says trial failed; shares had been halted",
    ),
    "list of names": (
        "Commerce Department adds 14 chipmakers to export control list",
        "US bans AI chip exports to 14 companies; Nvidia, AMD products named",
    ),
    "probe": (
        "SEC investigates Nimbus Cloud over revenue accounting",
        "Nimbus Cloud under SEC probe on accounting",
        "SEC opens inquiry into Nimbus",
    ),
    "layoffs": (
        "Intel to cut 15,000 jobs in overhaul",
        "Intel plans 15,000 layoffs",
        "Intel slashes workforce by 15,000",
    ),
    "quake": (
        "Strong earthquake hits northern Japan, tsunami warning issued",
        "Japan quake: tsunami warning after 7.4 magnitude tremor",
    ),
    "tariffs": (
        "US slaps 50% tariffs on steel from Mexico",
        "Washington imposes 50% duties on Mexican steel",
    ),
    "breach": (
        "Hackers steal customer data from Vantage Bank",
        "Vantage Bank says data breach hit 3 million customers",
    ),
    "output": (
        "OPEC+ agrees to raise oil output from October",
        "OPEC to boost crude production in October",
    ),
}

TWO_EVENTS: tuple[tuple[str, str], ...] = (
    ("Acme cuts full-year guidance", "Borealis cuts full-year guidance"),
    ("Meridian Steel cuts guidance on weak demand", "Corvid Software cuts guidance on weak demand"),
    ("Borealis cuts guidance, following Acme", "Acme cuts guidance as orders dry up"),
    ("US CPI rises 3.1% in August", "US CPI rises 2.9% in September"),
    ("US CPI 3.1%", "US CPI 3.4%"),
    ("US inflation slows to 2.9%", "UK inflation slows to 2.9%"),
    ("Fed cuts rates by 25 basis points", "ECB cuts rates by 25 basis points"),
    ("Fed cuts interest rates", "Fed holds interest rates steady"),
    ("Fed raises interest rates", "Fed cuts interest rates"),
    ("Fed expected to cut rates next week", "Fed cuts rates"),
    ("Dollar falls on hopes of Fed rate cut", "Fed cuts rates"),
    ("Apple to report quarterly earnings on August 9", "Apple quarterly earnings beat estimates"),
    ("Acme Q2 profit rises 10%", "Acme Q3 profit rises 10%"),
    ("Acme second-quarter revenue climbs", "Acme third-quarter revenue climbs"),
    ("Acme files for bankruptcy", "Acme CEO steps down"),
    ("Apple sues Samsung over patents", "Apple sues Google over patents"),
    ("Goldman Sachs upgrades Apple to buy", "Morgan Stanley upgrades Apple to buy"),
    ("US imposes tariffs on Mexico", "US imposes tariffs on Canada"),
    ("US sanctions Rosneft", "US sanctions Huawei"),
    ("Orion Energy to buy Halcyon", "Orion Energy to buy Tidewater"),
    ("Toyota recalls 1.2 million cars", "Honda recalls 1.2 million cars"),
    ("Nasdaq halts trading in Zeta Pharma", "Nasdaq halts trading in Kappa Bio"),
    ("8-K - Biohaven Ltd. (0001935979) (Filer)", "8-K - First Watch Restaurant Group, Inc. (0001789940) (Filer)"),
    ("US SEC charges Alpha Capital with fraud", "US SEC charges Omega Advisors with fraud"),
    ("SEC charges Alpha Capital with fraud", "SEC charges Omega Advisors with fraud"),
    ("Earthquake hits Japan", "Earthquake hits Turkey"),
    ("Boeing wins order from Delta", "Airbus wins order from Delta"),
    ("Tesla raises prices in China", "Tesla recalls cars in China"),
    ("Wall Street ends higher as tech gains", "Tech shares fall in Tokyo"),
    ("Pfizer drug wins FDA approval", "Merck drug wins FDA approval"),
    ("FDA approves Pfizer vaccine", "Pfizer raises dividend"),
    ("Intel to cut 15,000 jobs", "Cisco to cut 4,000 jobs"),
    ("Bank of Japan holds rates", "Bank of England holds rates"),
    ("Gold hits record high", "Oil hits record high"),
    ("Acme declares dividend of $0.25 per share", "Acme declares dividend of $0.30 per share"),
    ("Rosen Law Firm reminds Acme investors of deadline", "Rosen Law Firm reminds Borealis investors of deadline"),
    ("China GDP grows 5.0% in first quarter", "China GDP grows 4.7% in second quarter"),
    ("Germany's factory activity shrinks", "France's factory activity shrinks"),
    (
        "China's daily steel output climbs to an all-time record, bureau calculations show",
        "China's daily aluminium output climbs to an all-time record, bureau calculations show",
    ),
    ("Five stocks to watch on Monday", "Five stocks to watch on Tuesday"),
)
