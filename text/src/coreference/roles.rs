//! Nouns for one person, and what they tell.
//!
//! Decides whether a lower-cased word names a person by role, kin or age, and of which gender.
//! Such a noun before a name says that the name is a person's; elsewhere it is another person
//! whom a pronoun may mean. Refuses plurals.

use super::gender::Gender;
use super::word_set::{WordSet, set};

static MALE: WordSet = WordSet::new(|| {
    set("actor batsman bloke boy boyfriend brother brother-in-law businessman cameraman chairman clergyman \
    congressman councilman cowboy craftsman dad daddy duke dutchman englishman father father-in-law fiancé \
    fireman fisherman frenchman frontman gentleman grandad grandfather grandson groom gunman guy \
    half-brother heir husband irishman king lad landlord lord man monk nephew ombudsman policeman pope \
    prince salesman schoolboy scotsman serviceman son son-in-law spokesman sportsman statesman stepfather \
    stepson uncle waiter welshman widower")
});

static FEMALE: WordSet = WordSet::new(|| {
    set(
        "actress aunt ballerina bride businesswoman chairwoman comedienne congresswoman daughter daughter-in-law \
    duchess fiancée girl girlfriend goddess granddaughter grandma grandmother half-sister heiress hostess \
    lady landlady midwife mom mother mother-in-law mum mummy niece nun policewoman princess queen schoolgirl \
    servicewoman sister sister-in-law spokeswoman sportswoman stepdaughter stepmother waitress widow wife \
    woman",
    )
});

static EITHER: WordSet = WordSet::new(|| {
    set(
        "accountant activist adult adviser advisor agent aide ally ambassador analyst anchor announcer apprentice \
    archbishop archer architect archivist artist assassin assistant astronaut athlete attacker attorney \
    author baby babysitter backpacker baker banker baroness barrister bassist billionaire biographer bishop \
    blogger boarder bodyguard bomber boss bowler boxer bridesmaid broadcaster broker builder burglar butcher \
    butler buyer campaigner candidate captain cardinal carer caretaker cartoonist celebrity centre-back \
    centre-forward centre-half chairperson champion chancellor chaplain chef chief child citizen claimant \
    cleaner clergyman cleric clerk client climber co-driver co-founder co-host co-owner co-star coach \
    collaborator colleague collector columnist comedian commander commentator commissioner companion \
    competitor composer conductor conservative constable contestant contractor convict cook coordinator \
    coroner correspondent councillor counsel counterpart cousin creator cricketer critic curator customer \
    cyclist dancer dealer dean defendant defender democrat dentist deputy designer detective developer \
    dictator diplomat director dissident diver doctor donor doorman driver drummer economist editor emperor \
    employee employer engineer entertainer entrepreneur envoy ex-boyfriend ex-girlfriend ex-husband \
    ex-partner ex-wife examiner executive expert explorer extremist fan farmer fighter film-maker filmmaker \
    financier firefighter flanker fly-half footballer forward founder friend fugitive full-back fullback \
    general goalkeeper golfer governor graduate guard guardian guest guide guitarist gymnast hacker \
    hairdresser half-back head headmaster headmistress headteacher helper hero hiker historian hitman \
    homeowner hooker host hostage hunter illustrator imam immigrant incumbent individual infant informant \
    inmate inspector instructor interpreter inventor investigator investor jihadist jockey journalist judge \
    juror justice keeper kicker kid kidnapper killer lawmaker lawyer leader lecturer left-back legend \
    legislator liberal librarian lieutenant lock lodger londoner lover magician magistrate manager marine \
    mayor mechanic member mentor merchant messenger midfielder migrant militant millionaire minister minor \
    model motorcyclist motorist mp msp murderer musician neighbor neighbour newcomer newlywed nominee \
    novelist number-eight nurse officer official oncologist onlooker operator opponent organiser organizer \
    orphan owner paedophile painter paramedic parent partner passenger passer-by pastor patient patron \
    pedestrian pedophile pensioner performer person pharmacist philanthropist philosopher photographer \
    physician physicist pianist pilot pitcher planner player playmaker playwright plumber poet politician \
    predator predecessor prefect premier presenter president priest prisoner producer professor programmer \
    prop prosecutor prostitute psychiatrist psychologist publicist publisher pupil quarterback rabbi racer \
    ranger rapist rapper reader rebel receptionist referee refugee relative reporter representative \
    republican researcher resident reverend rider right-back ringleader rival robber roommate rower ruler \
    runner sailor scholar scientist scorer scout screenwriter scrum-half sculptor secretary seller senator \
    sergeant servant sheriff shooter shopkeeper shopper sibling signing singer skater skier skipper smuggler \
    sniper socialist soldier solicitor songwriter specialist spokesperson sprinter star starlet statistician \
    stepchild steward stowaway strategist striker student stylist substitute successor suffragette \
    superintendent superstar supervisor supporter surfer surgeon surveyor survivor suspect swimmer tailor \
    teacher team-mate teammate technician teen teenager terrorist therapist thief toddler tourist trader \
    trainee trainer traitor translator traveller treasurer trustee tutor twin tycoon tyrant umpire \
    undersecretary understudy user vet veteran vicar victim viewer villager violinist visitor vocalist \
    volunteer voter waiter walker warden warrior weightlifter whistleblower winger winner witness worker \
    wrestler writer youngster youth",
    )
});

/// Words of `EITHER` that are people only where a determiner makes them so, and no evidence of a
/// name's kind before it.
static WEAK: WordSet = WordSet::new(|| {
    set(
        "anchor chief competitor conservative cook fan forward friend general guest guide head hero hooker host \
    individual keeper kid legend liberal lock marine member minor model opponent predecessor prefect prop \
    relative resident rival scout signing socialist star successor supporter user",
    )
});

/// The gender of the person that a noun names; `None` if it names no person.
pub(super) fn person_noun(word: &str) -> Option<Gender> {
    if is_aged(word) {
        return Some(Gender::Unknown);
    }
    if MALE.contains(word) {
        Some(Gender::Male)
    } else if FEMALE.contains(word) {
        Some(Gender::Female)
    } else if EITHER.contains(word) {
        Some(Gender::Unknown)
    } else {
        let by_ending = ["woman", "girl"].iter().any(|ending| word.ends_with(ending));
        let by_male_ending = word.len() > 5 && (word.ends_with("man") && !word.ends_with("human"));
        let neutral = word.len() > 5
            && ["ologist", "person", "keeper", "maker"].iter().any(|ending| word.ends_with(ending));
        if by_ending {
            Some(Gender::Female)
        } else if by_male_ending {
            Some(Gender::Male)
        } else {
            neutral.then_some(Gender::Unknown)
        }
    }
}

/// Whether a name right after the noun is a person's: "striker", "actress".
pub(super) fn introduces_person(word: &str) -> Option<Gender> {
    person_noun(word).filter(|_| !WEAK.contains(word))
}

/// The years in "24-year-old".
pub(super) fn age_of(word: &str) -> Option<u8> {
    word.strip_suffix("-year-old")?.parse().ok()
}

fn is_aged(word: &str) -> bool {
    word.ends_with("-year-old")
}
