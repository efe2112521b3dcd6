//! Names and nouns that rules look for: times, places, and what looks like a verb or a singular.
//!
//! Decides which words they are. Refuses people's names: a name is told by its capital.

use super::WordList;

/// Months.
pub static MONTHS: WordList = WordList::of(
    "january february march april may june july august september october november december jan feb mar \
    apr jun jul aug sept sep oct nov dec jan. feb. mar. apr. aug. sept. sep. oct. nov. dec.",
);

/// Days of the week.
pub static DAYS: WordList = WordList::of(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays \
    fridays saturdays sundays mon tue tues wed thu thurs fri",
);

/// Nouns of time.
pub static TIME_NOUNS: WordList = WordList::of(
    "second seconds minute minutes hour hours day days night nights week weeks weekend month months \
    year years season decade decades century time times morning afternoon evening summer winter spring \
    autumn fall today yesterday tomorrow tonight term",
);

/// Words that make a noun of time a time: "last year".
pub static TIME_OPENERS: WordList = WordList::of("last this next each every that");

/// Words that move a time: "a week ago", "earlier this week".
pub static TIME_SHIFTS: WordList = WordList::of("ago later earlier previously");

/// Nouns that are a time by themselves.
pub static NAMED_DAYS: WordList = WordList::of("tonight today yesterday tomorrow");

/// States, countries and counties that may stand behind a town: "Paris, Texas".
pub static REGIONS: WordList = WordList::of(
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii \
    idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan \
    minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee \
    texas utah vermont virginia washington wisconsin wyoming england scotland wales ireland france \
    germany spain italy portugal greece turkey russia ukraine poland sweden norway denmark finland \
    iceland netherlands belgium switzerland austria hungary romania bulgaria serbia croatia china \
    japan india pakistan bangladesh nepal thailand vietnam indonesia malaysia philippines australia \
    canada mexico brazil argentina chile peru colombia venezuela cuba egypt libya tunisia algeria \
    morocco nigeria ghana kenya ethiopia somalia sudan yemen iran iraq syria israel lebanon jordan \
    afghanistan uk usa us u.s. u.k. d.c. ontario quebec alberta queensland victoria nsw kent essex \
    surrey sussex devon cornwall norfolk suffolk yorkshire lancashire cheshire derbyshire cumbria \
    dorset somerset wiltshire hampshire berkshire oxfordshire hertfordshire bedfordshire \
    cambridgeshire lincolnshire nottinghamshire staffordshire shropshire worcestershire warwickshire \
    gloucestershire merseyside london",
);

/// Regions of two words, joined by a hyphen here.
pub static REGION_PAIRS: WordList = WordList::of(
    "new-hampshire new-york new-jersey new-mexico new-zealand south-carolina north-carolina \
    south-dakota north-dakota west-virginia rhode-island sri-lanka south-africa south-korea \
    north-korea saudi-arabia costa-rica new-south south-australia western-australia british-columbia \
    nova-scotia northern-ireland south-wales north-wales west-yorkshire north-yorkshire \
    south-yorkshire east-sussex west-sussex west-midlands greater-manchester west-mids isle-of",
);

/// Small words inside names.
pub static NAME_PARTICLES: WordList = WordList::of("van von de der den del di da la le bin al du dos el ter");

/// Plural nouns without an -s.
pub static PLURALS: WordList = WordList::of("police people men women children staff");

/// Persons by their time of life: "as a child" says when.
pub static AGES: WordList = WordList::of(
    "adult adults baby boy boys child children girl girls kid kids schoolboy schoolgirl teenager teenagers youngster",
);

/// People whose noun no ending shows.
pub static PERSONS: WordList = WordList::of(
    "actress adult agent aide ambassador applicant assistant athlete attorney aunt author baby boss boy \
    boyfriend bride brother candidate captain champion chef chief child children citizen civilian client \
    coach colleague convict couple cousin dad daughter deputy diplomat doctor executive expert father \
    female fiance friend girl girlfriend graduate groom guest guide head heir hero hostage host husband \
    immigrant infant inmate judge kid king lawyer male mayor migrant militant minister model mother mum \
    nephew niece nurse official parent partner passenger patient pensioner people person pilot president \
    prince princess prisoner professor pupil queen rebel recruit refugee relative resident rival sailor \
    senator sister soldier son spokesperson star student suspect teenager terrorist thief toddler tourist \
    twin uncle veteran victim widow wife witness woman women youngster",
);

/// Nouns that "to" goes on with: "a visit to Rome".
pub static WITH_GOAL: WordList = WordList::of(
    "access answer approach attention damage exposure flight journey key response return road route \
    threat tour trip visit",
);

/// Nouns of change, which "in" goes on with: "a drop in sales".
pub static CHANGES: WordList = WordList::of(
    "change changes confidence cut cuts decline decrease drop fall growth improvement increase interest \
    jump reduction rise slump surge",
);

/// Nouns that say nothing without what is intended: "in a bid to win".
pub static INTENTS: WordList = WordList::of(
    "ability attempt bid desire effort failure inability intention move order refusal right willingness",
);

/// Nouns that are nothing without the phrase behind them: "in connection with".
pub static CONNECTIONS: WordList = WordList::of(
    "accordance addition charge collaboration conjunction connection contrast favour favor line partnership \
    relation response search terms",
);

/// Nouns that say nothing without the clause behind them: "in the hope he can win".
pub static CONTENTS: WordList =
    WordList::of("belief claim claims fact fear fears hope hopes idea moment news way");

/// Nouns that say how much there is of what is behind them.
pub static SHARES: WordList = WordList::of("amount majority number percentage portion proportion share");

/// Nouns that end as persons do.
pub static NO_PERSONS: WordList = WordList::of(
    "billboard career counter cover disorder error factor floor folder letter list matter mirror motor \
    number order poster quarter shelter shoulder shower tower trailer twist waist",
);

/// Nouns in -ly.
pub static ADVERB_LIKE: WordList =
    WordList::of("family reply supply ally bully assembly anomaly belly butterfly jelly lily monopoly");

/// Nouns and adjectives in -ing, -ed and -eed.
pub static VERB_LIKE: WordList = WordList::of(
    "thing things nothing something anything everything king kings ring rings wing wings spring string \
    strings morning evening ceiling wedding weddings building buildings sibling siblings viking \
    duckling offspring pudding sterling bed red shed seed speed weed breed hundred sacred naked wicked \
    beloved indeed kindred embed greed steed deed deeds during sling darling clothing outing earring \
    earrings being beings feeling feelings meeting meetings hearing hearings funding \
    shopping warning warnings housing parking banking advertising marketing engineering",
);

/// Abbreviations with a capital whose stop ends no sentence.
pub static TITLES: WordList = WordList::of(
    "Mr Mrs Ms Dr St Jr Sr Gov Sen Rep Prof Rev Gen Lt Col Sgt Capt Inc Co Corp Ltd No vs Jan Feb Mar Apr \
    Aug Sept Sep Oct Nov Dec",
);
