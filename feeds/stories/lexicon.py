"""The words of financial headlines: other names of the same actor, events however they are worded, and what is common.

Data for `feeds.stories.terms`. Every line is `name: word, word, two words`; forms of a word (cuts, cutting) are found
by stem.
"""

from __future__ import annotations

PLACES = """
us: us, usa, america, american, united states, washington, white house, biden administration, trump administration,
 president trump, trump, donald trump, biden
china: china, chinese, beijing, xi jinping
japan: japan, japanese, tokyo
uk: uk, britain, british, united kingdom, london, downing street
eu: eu, european union, brussels, european commission, euro zone, eurozone, euro area
germany: germany, german, berlin
france: france, french, paris
italy: italy, italian, rome
spain: spain, spanish, madrid
russia: russia, russian, moscow, kremlin, putin
ukraine: ukraine, ukrainian, kyiv, kiev, zelenskiy, zelensky
iran: iran, iranian, tehran
israel: israel, israeli, jerusalem
india: india, indian, new delhi
korea: south korea, south korean, korea, korean, seoul
north korea: north korea, pyongyang
taiwan: taiwan, taiwanese, taipei
canada: canada, canadian, ottawa
mexico: mexico, mexican
brazil: brazil, brazilian
australia: australia, australian, canberra, sydney
switzerland: switzerland, swiss
turkey: turkey, turkish, turkiye, ankara
saudi: saudi arabia, saudi, riyadh
venezuela: venezuela, venezuelan, caracas
hong kong: hong kong
"""

AGENCIES = """
fed: fed, fomc, powell, fed's powell, federal reserve, us central bank, federal open market committee
ecb: ecb, lagarde, european central bank
boj: boj, ueda, bank of japan
boe: boe, bank of england
rba: rba, reserve bank of australia
pboc: pboc, people's bank of china
snb: snb, swiss national bank
boc: bank of canada
rbi: rbi, reserve bank of india
sec: sec, securities and exchange commission
doj: doj, justice department, department of justice
ftc: ftc, federal trade commission
cftc: cftc, commodity futures trading commission
fdic: fdic, federal deposit insurance corporation
asic: asic, australian securities and investments commission
fda: fda, food and drug administration
faa: faa, federal aviation administration
nhtsa: nhtsa, highway safety administration
opec: opec, opec+
treasury: treasury department, us treasury, ofac, treasury
commerce: commerce department, department of commerce, bureau of industry and security
imf: imf, international monetary fund
wall street: wall street, wall st, s&p 500, dow, nasdaq, us stocks
"""

SEATED = """
us: fed, sec, doj, ftc, cftc, fdic, fda, faa, nhtsa, treasury, commerce, wall street
eu: ecb
japan: boj
uk: boe
australia: rba, asic
china: pboc
switzerland: snb
canada: boc
india: rbi
"""

COMPANIES = """
alphabet: alphabet, google
meta: meta, facebook, meta platforms
gm: gm, general motors
ge: ge, general electric
jpmorgan: jpmorgan, jp morgan, jpm, jpmorgan chase
bofa: bofa, bank of america
goldman: goldman, goldman sachs
morgan stanley: morgan stanley
citi: citi, citigroup, citibank
tsmc: tsmc, taiwan semiconductor, taiwan semiconductor manufacturing
vw: vw, volkswagen
pg: p&g, procter & gamble, procter and gamble
jnj: j&j, johnson & johnson, johnson and johnson
att: at&t
berkshire: berkshire, berkshire hathaway
"""

EVENTS = """
ban: export ban, export control, export controls, export curbs, export blacklist, export restrictions
bankruptcy: bankrupt, bankruptcy, chapter 11, chapter 7, insolvency, insolvent, receivership, creditor protection,
 goes bust, liquidation, collapses into administration, enters administration
acquire: acquire, acquisition, buy, buyout, takeover, take over, purchase, merge, merger, combine, tie-up, snap
 up, swallow
sanctions: sanction, blacklist, entity list, asset freeze, freeze assets
tariffs: tariff, duty, duties, levy, levies
trading halt: trading halt, halt trading, suspend trading, trading suspension, circuit breaker, trading suspended
recall: recall, recalling
probe: probe, investigate, investigation, inquiry, raid, subpoena, scrutiny
charge: charge, indict, indictment, sue, lawsuit, accuse, fraud, allege, complaint
settle: settle, settlement, fine, penalty, fined
cpi: cpi, inflation, consumer price, consumer prices, price index
ppi: ppi, producer price, producer prices, wholesale prices
gdp: gdp, economic growth, economy grows, economy grew, economy shrinks, economy contracts
jobs: payroll, payrolls, jobs report, unemployment, jobless, nonfarm, job growth
pmi: pmi, factory activity, manufacturing activity
retail sales: retail sales, consumer spending
trade: trade deficit, trade surplus, trade balance
earnings: earnings, quarterly results, results, profit, revenue, eps, net income, quarterly loss
walkout: walkout, go on strike, workers strike, labor strike, labour strike, union strike
conflict: missile, airstrike, air strike, invade, invasion, bombing, military strike, drone attack, attack, war,
 shelling
truce: ceasefire, truce, peace deal, peace agreement
blast: explosion, blast, fire at, blaze
quake: earthquake, quake, tsunami
storm: hurricane, typhoon, cyclone
outage: outage, blackout, grounded flights
breach: hack, data breach, breach, cyberattack, cyber attack, ransomware, hackers
ipo: ipo, initial public offering, go public, public listing, stock market debut
buyback: buyback, share repurchase, repurchase
split: stock split, spin off, spinoff, spin-off
approval: approve, approval, clearance, green light, clears drug, wins clearance
rejection: reject drug, complete response letter, veto
default: default, misses bond payment, missed payment, miss interest payment
layoffs: layoff, lay off, laying off, job cuts, axes jobs, cut jobs, cutting jobs, slash jobs, redundancies, job
 losses
profit warning: profit warning, warns on profit, warns of lower
intervention: intervene, intervention, intervenes
"""

TRANSITIVE = frozenset(
    {"acquire", "sanctions", "tariffs", "probe", "charge", "settle", "ban", "rating", "conflict", "truce"}
)
"""Events between two parties: another party on the other side is another event."""

BETWEEN_STATES = frozenset({"ban", "tariffs", "conflict", "truce"})
"""Acts of one country upon another, in which outlets name different companies that are hit."""

SERIES = frozenset({"cpi", "ppi", "gdp", "jobs", "pmi", "retail sales", "trade", "earnings"})
"""Events that come again and again with another figure."""

STAGES = """
talks: talks, consider, explore, near, nears, approach, weigh, mull, eye, interest in, rumor, rumour, reportedly,
 sources
agreed: agree, sign, seal, confirm, strike deal, clinch, definitive agreement, agreement
denied: deny, denies, dismiss, refute, no talks, not in talks, walks away, abandon, scrap, call off, calls off,
 terminate
completed: complete, finalize, finalise, closes deal, completes
"""

DOWN = """
cut, lower, slash, reduce, trim, pare, decrease, downgrade, scale back, withdraw, pull, suspend, halve
"""
UP = """
raise, hike, increase, lift, boost, hoist, upgrade, tighten, double
"""
HOLD = """
hold, keep, maintain, unchanged, steady, pause, stand pat, leave, affirm, reaffirm, reiterate
"""
STOP = """
ban, block, halt, bar, restrict, prohibit, curb, stop, limit, forbid, outlaw, restriction, cut off
"""

OBJECTS = """
guidance: guidance, outlook, forecast, profit view, earnings view, sales view
rate: rate, rates, interest rate, interest rates, borrowing costs, policy rate, cash rate, key rate, bank rate
dividend: dividend, payout
output: output, production, crude supply
rating: rating, buy rating, sell rating, overweight, underweight, price target
workforce: workforce, headcount, jobs, staff
"""

GOODS = """
oil: oil, crude, brent, wti
gas: gas, lng
gold: gold
silver: silver
copper: copper
aluminium: aluminum, aluminium
steel: steel
iron ore: iron ore
nickel: nickel
lithium: lithium
wheat: wheat
corn: corn
soy: soybean, soy
coffee: coffee
cocoa: cocoa
sugar: sugar
cotton: cotton
uranium: uranium
bitcoin: bitcoin
ether: ethereum, ether
yen: yen
euro: euro
sterling: pound, sterling
dollar: dollar, greenback
"""

BANNED = """
export, shipment, sale, chip, import, technology, ship
"""

OFFICES = """
ceo, chief executive, cfo, chief financial officer, chairman, chief, president, governor, boss, minister
"""
LEAVE = """
resign, quit, step down, depart, exit, oust, fire, retire, appoint, name, succeed, replace, hire, step aside,
 leave
"""

MOVES = """
fall, drop, slump, sink, tumble, plunge, slide, rise, jump, surge, soar, climb, gain, rally, plummet, decline,
 retreat, rebound, advance, crash, dip, edge, higher, lower, close, settle, open
"""

MARKETS = """
share, stock, stocks, shares, oil, crude, gold, dollar, yen, euro, bitcoin, yield, yields, treasuries, futures,
 index
"""

PREVIEW = """
to report, set to report, due to report, ahead of, preview, what to expect, expected to, seen, likely to, to
 watch, to announce, will report, week ahead, awaits, await, awaited, eyed, eyes on, braces for, before earnings,
 on deck, may, could, poised to, set to, scheduled, due, forecast to, should you buy, day ahead, countdown,
 expectations of, expectation of, hopes of, hopes for, bets on, odds of
"""

SAME = """
chip: semiconductor, chip, chips, chipmaker
car: car, auto, automaker, carmaker, vehicle
plane: plane, jet, aircraft, airliner
drug: drug, medicine, treatment, therapy
maker: maker, manufacturer, producer
firm: firm, company, group, business
ceo: chief executive, ceo, boss
deal: deal, agreement, pact, accord
billion: billion, bn, bln
oil: oil, crude
plant: plant, factory
"""

DATES = """
january, february, march, april, may, june, july, august, september, october, november, december
"""

SMALL = """
corrected, correction, refile, alert, shareholder,
 a, an, the, of, in, on, at, to, for, and, as, by, with, from, its, it, is, are, was, be, been, has, have, had,
 that, this, will, would, his, her, their, he, she, they, we, you, i, or, but, not, no, after, amid, over, into,
 up, down, out, off, about, than, more, most, says, say, said, new, his, who, what, how, why, when, which, where,
 all, some, if, so, do, does, did, can, usd, eur, gbp, jpy, mr, ms, inc, corp, ltd, plc, co, llc, sa, ag, nv,
 holdings, corporation, limited, incorporated, report, reports, update, news, breaking, exclusive, us$, vs, via,
 per, s
"""

COMMON = """
share, stock, market, company, firm, group, business, year, quarter, month, week, day, time, percent, point,
 price, cost, sale, growth, demand, supply, chain, plan, deal, talk, bid, offer, investor, analyst, trader, fund,
 bank, central, economy, economic, policy, government, minister, president, official, court, judge, law, rule,
 regulator, agency, department, court, trade, trading, export, import, oil, gas, energy, gold, silver, copper,
 metal, steel, dollar, yen, euro, pound, bond, yield, debt, loan, credit, tax, budget, bill, vote, election, war,
 peace, world, global, international, national, federal, state, local, first, second, third, fourth, last, next,
 top, big, bigger, biggest, large, largest, major, high, higher, highest, low, lowest, record, strong, stronger,
 weak, weaker, good, better, best, bad, worse, worst, early, late, late, key, main, full, half, quarterly, annual,
 annually, full-year, net, total, core, chief, executive, officer, head, boss, chairman, director, worker, staff,
 job, union, people, consumer, customer, product, service, technology, tech, software, chip, ai, artificial,
 intelligence, data, cloud, internet, online, digital, car, auto, electric, vehicle, battery, plane, airline,
 ship, rail, drug, health, medical, food, retail, store, restaurant, hotel, house, home, housing, property,
 estate, insurance, pension, media, film, phone, device, maker, manufacturer, producer, supplier, plant, factory,
 power, grid, rise, fall, drop, gain, jump, surge, slump, tumble, climb, slide, plunge, sink, soar, rally, beat,
 miss, top, expect, expectation, estimate, forecast, outlook, result, profit, loss, revenue, income, earning,
 margin, cash, dividend, buyback, cut, raise, hike, hold, keep, lower, increase, reduce, boost, lift, slash, trim,
 warn, warning, see, show, make, take, give, get, go, come, set, put, help, hit, hurt, face, seek, file, filing,
 filer, form, statement, announce, announcement, launch, start, begin, end, stop, halt, open, close, expand, move,
 turn, return, push, pull, back, ahead, near, amid, despite, due, since, still, now, again, may, could, likely,
 possible, potential, risk, concern, fear, worry, hope, crisis, problem, issue, threat, pressure, impact, effect,
 change, decision, meeting, conference, call, review, probe, case, claim, order, contract, agreement, partnership,
 partner, venture, joint, stake, unit, division, asset, investment, invest, capital, equity, private, public,
 security, securities, exchange, index, board, shareholder, holder, buyer, seller, target, rate, interest,
 inflation, price, wage, spending, income, recession, slowdown, recovery, mortgage, lending, lender, financial,
 finance, monetary, fiscal, minute, speech, testimony, release, data, figure, number, survey, index, sentiment,
 confidence, activity, million, billion, trillion, thousand, hundred, dozen, basis, protection, bankruptcy, ban,
 block, curb, restriction, limit, sanction, tariff, advanced, military, nuclear, oilfield, crude, barrel, output,
 production, pipeline, mine, miner, farm, crop, wheat, corn, soybean, weather, robot, machine, equipment, design,
 research, development, test, trial, approval, vaccine, patient, hospital, safety, recall, defect, crash,
 accident, fire, attack, strike, cyber, breach, hack, outage, network, system, platform, app, user, subscriber,
 advertising, ad, stores, giant, leader, rival, peer, startup, conglomerate, developer, operator, owner, player,
 industry, sector, street, wall, city, country, nation, region, area, north, south, east, west, european, asian,
 asia, europe, africa, monday, tuesday, wednesday, thursday, friday, saturday, sunday, today, tomorrow, yesterday,
 morning, evening, night, weekend, hour, minute, live, watch, video, analysis, opinion, column, explainer,
 factbox, brief, summary, wrap, instant, view, quick, take, letter, note, item, round, funding, raise, series,
 value, valuation, worth, ceo, cfo, coo, ipo, etf, gdp, cpi, pmi, eps, q1, q2, q3, q4, h1, h2, fy
"""
