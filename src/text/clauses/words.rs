//! Words that are looked up: the closed classes, and the open ones that rules name.
//!
//! Decides nothing about a sentence: a word is in a list or it is not. Refuses inflection, which
//! `verbs` knows.

pub(super) const DETERMINERS: &str = "the a an this that these those some any each every either neither no another all both \
    such half several many few more most fewer less enough";
pub(super) const POSSESSIVES: &str = "my your his her its our their";
pub(super) const PRONOUNS: &str = "i you he she it we they me him us them himself herself itself themselves myself yourself \
    ourselves someone somebody something anyone anybody anything everyone everybody everything nobody nothing none there \
    mine yours hers ours theirs one another";
pub(super) const SUBJECT_PRONOUNS: &str =
    "i you he she it we they there who someone everyone somebody everybody";
pub(super) const QUANTIFIERS: &str = "no none neither nobody nothing few fewer any anyone anybody anything each every all \
    everyone everybody everything either only least most many less hardly";
pub(super) const MODALS: &str =
    "will would can could may might shall should must cannot ought 'll 'd ’ll ’d wo ca sha";
pub(super) const BE: &str = "is are was were am be been being 's 'm 're ’m ’re ’s";
pub(super) const HAVE: &str = "has have had having 've ’ve";
pub(super) const DO: &str = "do does did";
pub(super) const PREPOSITIONS: &str = "about above across against along alongside amid amidst among amongst around at behind below beneath beside \
    besides between beyond by despite down during except for from in inside into like near of off on onto opposite out outside \
    over past per regarding through throughout toward towards under underneath until unlike up upon via with within without \
    worth versus vs amongst aboard atop than as till including";
pub(super) const PARTICLES: &str =
    "up down out off away back over together forward apart aside ahead on in around along";
pub(super) const SUBORDINATORS: &str = "because after before while when although though if unless since until whereas once as \
    whether lest whenever wherever despite till than";
pub(super) const RELATIVES: &str = "who which whom whose where why how what whoever whatever whichever";
pub(super) const ADVERBS: &str = "not never also now then still just only already ever even again soon later once twice here there very too so \
    quite rather almost nearly often always sometimes usually perhaps maybe however instead therefore thus hence meanwhile \
    moreover furthermore nevertheless away ago together yesterday today tomorrow tonight overnight abroad online \
    indoors outdoors upstairs downstairs earlier well hard fast far long yet indeed else back around alone apart aside \
    ahead forward inside outside recently finally previously currently afterwards afterward beforehand seldom rarely \
    overseas nowhere somewhere anywhere everywhere twice thrice half-way halfway much more less most least otherwise \
    least elsewhere thereafter nonetheless anyway straight worldwide nationwide out up down";
pub(super) const TIME_ADVERBS: &str = "yesterday today tomorrow tonight overnight earlier later recently soon again twice once online abroad \
    afterwards overseas worldwide nationwide elsewhere alone together there here ago";
pub(super) const ADJECTIVES: &str = "able afraid alive alone ancient angry anonymous available aware bad bare big bitter black blue bold brave brief bright \
    broad broken brown busy calm capable certain cheap chief clean clear close cold common complete concerned correct crazy \
    critical cruel current daily dangerous dark dead deaf dear deep different difficult dirty double due dry dull eager early \
    easy elderly empty entire equal evil exact extra fair false familiar famous fat female few final fine first firm fit flat foreign \
    former free fresh front full fun funny future general gentle glad golden good grand grateful great green grey guilty happy \
    hard harsh healthy heavy high hot huge human hungry ill important independent innocent joint keen key large last late \
    latest lazy legal likely local lone lonely long loose loud low lucky mad main major male massive mere mild military minor missing \
    modern narrow nasty national near neat new next nice normal obvious odd ok old only other outer overall own pale past perfect \
    permanent personal plain pleasant poor popular possible present previous private proper proud public pure quick quiet rare raw \
    ready real recent red regular responsible rich ripe rough round royal rude sad safe same second secret senior separate serious \
    severe shallow sharp short shy sick silent similar simple single sleepy slow small smart smooth social soft solid sore \
    sorry special stable steady steep still strange strict strong sudden sure sweet tall tame tender thick thin third tight tiny \
    tired top total tough true typical ugly unable unaware unbeaten unhappy united unknown unlikely upset urgent usual vacant vague valid various \
    vast violent visible vital warm weak wealthy weird wet white whole wide wild willing wise wooden worried worse worst \
    worth wrong yellow young younger youngest older oldest best better bigger biggest largest smaller smallest higher highest lower lowest longest \
    deadly friendly elderly likely unlikely lonely early daily weekly monthly yearly lively ugly costly timely";
pub(super) const NUMBERS: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion \
    dozen dozens hundreds thousands millions billions";
pub(super) const MONTHS: &str = "january february march april may june july august september october november december jan feb \
    mar apr jun jul aug sept sep oct nov dec";
pub(super) const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays \
    fridays saturdays sundays mon tue tues wed thu thurs fri";
pub(super) const TIME_NOUNS: &str = "second seconds minute minutes hour hours day days night nights week weeks weekend month months year years \
    season decade decades century time times morning afternoon evening summer winter spring autumn fall today yesterday tomorrow tonight term";
pub(super) const TIME_OPENERS: &str = "last this next each every that";
pub(super) const REGIONS: &str = "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana \
    iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada \
    ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming england scotland wales \
    ireland france germany spain italy portugal greece turkey russia ukraine poland sweden norway denmark finland iceland \
    netherlands belgium switzerland austria hungary romania bulgaria serbia croatia china japan india pakistan bangladesh nepal thailand \
    vietnam indonesia malaysia philippines australia canada mexico brazil argentina chile peru colombia venezuela cuba egypt libya \
    tunisia algeria morocco nigeria ghana kenya ethiopia somalia sudan yemen iran iraq syria israel lebanon jordan afghanistan \
    uk usa us u.s. u.k. d.c. ontario quebec alberta queensland victoria nsw kent essex surrey sussex devon cornwall norfolk suffolk \
    yorkshire lancashire cheshire derbyshire cumbria dorset somerset wiltshire hampshire berkshire oxfordshire hertfordshire \
    bedfordshire cambridgeshire lincolnshire nottinghamshire staffordshire shropshire worcestershire warwickshire gloucestershire \
    merseyside london";
/// Places of two words.
pub(super) const REGION_PAIRS: &str = "new hampshire|new york|new jersey|new mexico|new zealand|south carolina|north carolina|south dakota|north dakota|west virginia|\
    rhode island|sri lanka|south africa|south korea|north korea|saudi arabia|costa rica|new south|south australia|western australia|british columbia|nova scotia|\
    northern ireland|south wales|north wales|west yorkshire|north yorkshire|south yorkshire|east sussex|west sussex|west midlands|greater manchester|west mids|isle of";
/// Nouns in -ing or -ed that are no verbs.
pub(super) const NO_VERBS: &str = "thing things nothing something anything everything king kings ring rings wing wings spring string strings morning evening \
    ceiling wedding weddings building buildings sibling siblings viking duckling offspring pudding sterling bed red shed seed \
    speed weed breed hundred sacred naked wicked beloved indeed kindred embed greed steed deed deeds during sling \
    darling clothing outing earring earrings being beings feeling feelings meeting meetings hearing hearings funding";
/// Subjects of which a part may be dropped are never these.
pub(super) const PLURAL_NOUNS: &str =
    "police people men women children officials authorities fans staff officers";
/// Function words of other languages that are none in English.
pub(super) const FOREIGN: &str = "der die das und ist nicht ein eine einen dem den wir sie auf mit für le la les des du est et un une dans pour avec sur que qui \
    el los las por con una il lo gli che di della per non het een van voor op zijn en os dos uma não och att det som av på";
