//! Verbs by their base forms, and the forms that no rule makes.
//!
//! Decides which bases are known and which of them are nouns as often. Refuses nothing; `verbs`
//! reads the lists.

/// Verbs that are rarely nouns in their base form.
pub(super) const BASES: &str = "say believe think know accept accuse achieve acknowledge acquire add admit adopt advise affect afford agree \
    aim allege allow announce anticipate apologise apologize appear apply appoint approve argue arise arrange arrive ask \
    assert assess assign assist assume assure attach attend attract avoid await become befriend beg begin behave belong bend betray bind \
    blame boast borrow breathe bring broadcast build bury buy calculate capture carry catch cease celebrate choose cite \
    clarify collapse collect collide come commemorate commit communicate compare compete compile complain complete comprise conceal concede \
    conclude condemn confess confirm confront confuse consider consist construct contain continue contribute convert convince \
    cope create criticise criticize cure deal decide declare decline decorate defeat defend define delay deliver deny depart depend \
    deploy describe deserve destroy detain detect determine develop devote dictate die differ dig disagree disappear discover \
    discuss dismiss display dispose divide divorce donate drag draw earn eat edit educate elect eliminate embrace emerge employ enable \
    encounter encourage endorse endure engage enhance enjoy ensure enter escape establish evacuate evolve examine exceed \
    exclude execute exist expand expect explain explode explore expose express extend face fail feature feed feel file find finish flee fly forbid \
    force forget forgive form fulfil fulfill gain gather get give go grab grant grow guarantee happen hate hear help hide highlight hit hold \
    honor honour identify ignore illustrate imagine implement imply impose improve include increase indicate inform inherit injure insert \
    insist inspect inspire install instruct insult intend interpret introduce invade invent invest investigate invite involve issue jail join \
    justify keep kill kneel knock know lack lay lead lean leap learn leave lend let lie listen locate lose maintain make manage marry mean measure \
    meet melt mention miss modify monitor motivate move murder need neglect negotiate notice notify obey object observe obtain occupy occur offend \
    offer operate oppose organise organize overcome overturn overtake owe own participate pass pay perform permit persuade photograph plead please pledge possess \
    postpone pose pour praise predict prefer prepare present preserve press presume pretend prevail prevent proceed produce prohibit promise promote propose \
    prosecute protect prove provide provoke publish pull punish purchase pursue push put qualify quit raise reach react read realise realize reassign reassure \
    rebuild recall receive recognise recognize recommend reconsider recover recruit reduce refer reflect refuse regain regard register regret \
    reject relate relax relieve rely remain remember remind remove render renew repair repay repeat replace represent require rescue \
    resemble reside resign resist resolve respond restore restrict resume retain retire retrieve return reveal reverse ride rise rob \
    roll rule run save scramble secure see seek seem select sell send separate serve set settle shake share shine shoot show shut sing sink sit slam sleep slide \
    smash smile solve speak spend split spot spread stand start state stay steal stem stick stop strengthen strike struggle study submit succeed \
    sue suffer suggest suit supply support suppose surrender surround survive suspect suspend swear sweep swim swing tackle take talk teach tear tell \
    tend testify thank think threaten thrive throw tie treat try turn understand undergo undertake unveil uphold urge use utter value vanish vary \
    visit volunteer vote vow wait wake want warn wash watch wear weigh welcome win wish withdraw witness wonder work worry worsen write yield \
    accompany accumulate admire analyse analyze assemble attempt ban bar battle beat blend block boost bounce burst campaign cancel charge chase claim clash clear close \
    coincide combine concern conduct convict cook cost cover crash credit cross cry cut damage dance demand drive drop end erupt estimate experience explode \
    fall fear fight fill fire fit focus follow fund guide hand head hope host house hurt ingest inject judge jump land last launch limit link look love march mark match \
    mourn name net note order pack paint pair park pick place plan plant play point print promise question quote race rain rank rate record release \
    remark remind rent report request rest result reward risk rush sail scale score scream search sentence share shed shift ship shout sign slip \
    snap sound spark stage star step store stretch surge switch target taste test text tip top total touch tour trace track trade train transfer \
    travel trigger trust tweet view voice walk wander warrant waste wind wound honk re-sign clatter net ensue ditch lure oust quiz probe slash \
    soar plunge plummet tumble surpass bid vie revel thwart unite avenge chop charm implant beam uncover unravel unlock unload uproot usher vacate validate vandalise venture vent verify vet vilify violate \
    abandon abduct abolish absorb abuse accelerate accommodate accord acquit adapt adjourn adjust administer adore advance advertise aggravate agonise alarm alert alienate alter amass amaze amend amputate \
    amuse anger annoy apprehend arm arouse arrange ascend ascertain aspire assassinate assault astonish attest auction authorise authorize avert axe baffle bail bake bathe bemoan berate betray blast blaze bleach blindfold blur \
    boo book boycott branch brand brandish breach brew broker bulldoze bully burgle butcher bypass captivate cement censor characterise chat cherish choke cite clamber classify clean climb clinch cling coach coin compel compensate compose \
    comprehend compromise conceive concentrate confide confine confiscate congratulate connect conquer conserve consolidate consult consume contemplate contend contest contradict convene converge cooperate coordinate correct correspond cough counsel counter \
    cradle crawl cripple cruise crumble crush cultivate dangle dazzle debut deceive dedicate deem deepen defer defuse delight demolish demonstrate denounce depict deport deprive derail descend despise deteriorate devastate devise diagnose dine diminish \
    disable disarm discard discharge disclose discourage discriminate disguise disgust dismantle dispatch disperse displace dispute disrupt dissolve distance distinguish distract distribute disturb dive dodge dominate doom double drain drape drift drown dump duplicate dwell \
    earmark ease echo elevate elope emigrate emphasise emphasize empower empty enact enclose endanger enforce enlist enquire enrage enrol enroll entertain entitle entrust equal equip erect escort eject evade evict exacerbate exaggerate exchange excite exclaim exempt exhibit exile expel exploit export \
    extract fade faint falsify fancy fasten fetch film finalise finalize fine flag flank flaunt flatten flock flood flourish foil fool forecast forge formalise foster fracture frame frighten frustrate fuel furnish gamble gaze generate glance govern graduate greet grill grin grip groom guard guess halt hammer \
    hamper hand harass harbour harden handle harm harvest hatch haunt heal heat hijack hinder hire hoist host hover hug humiliate hunt hurl ignite illuminate immerse impersonate import impress imprison incite incorporate incur infect inflict infuriate inhabit initiate inquire inspire instigate integrate intensify intercept interrogate interrupt \
    intervene intimidate introduce irritate isolate kick kidnap kiss label lament lash lease leak license lift lighten lobby lodge loot lower mail manufacture marvel massacre master mature mend migrate mimic mingle minimise mislead mock molest mount muster narrate nominate nurse obscure obstruct oblige offset opt orbit \
    originate oust outnumber outrage outweigh overhear overlook overpower overrule overrun overshadow override overwhelm pardon parade patrol paralyse peak peel penalise perceive persist petition pile pilot pioneer pit plague pocket poison polish poll portray possess postpone pounce preach precede prescribe preside prevail proclaim prolong prop provoke prune publicise quell quarantine \
    rally ram ransack rape ravage rebound rebuff rebuke recite reckon reclaim reconcile reconstruct recount rectify recycle redeem refrain refuel refund reinforce reinstate rejoice relegate relinquish remedy renounce repeal repel replicate reproduce reshape restrain resurface resuscitate retaliate retract reunify revamp revise revive revoke revolt rip roam roar rotate ruin \
    sack sacrifice salute sanction scatter scoop scold scorch scour scrap scrape scratch scrutinise seal seduce seize sever shatter shelter shield shock shove shower simplify ski skip slaughter slice slow smear smell smuggle soak solidify soothe specify spoil sponsor sprint spy squander squeeze stabilise stab stalk stall stamp startle starve station steer sterilise stir stitch storm strangle strap stray \
    streamline strip stroll stumble stun subdue subject submerge subside substitute succumb summon superimpose supervise suppress swap swallow swarm swipe symbolise sympathise tame taunt tease telephone terminate terrify terrorise thrash thrill throttle tighten topple torment torture toss tow trail trample transform translate transmit transport trap treasure tremble trick trigger triple triumph trudge tumble tutor twist \
    underestimate undo unfold unify unleash update upgrade urinate utilise vaccinate vault vent veto victimise vomit vouch wage warm wave weaken wear whisper widen wipe withdraw wither wrap wreck wrestle yell yawn zoom cater clear dispel double engulf entail entice envisage exert facilitate fend forfeit fret garner glean grapple grieve hail heed hone hospitalise \
    impede inch inundate invoke jeopardise juggle jolt kickstart liken linger loom lurk merge mull nab narrow oblige outpace outperform pinpoint placate prise propel quash rack reap reel reopen resort restart resurrect retool reverberate rile salvage savour scupper shrug shun sideline snatch spearhead stifle stoke straddle tarnish thump topple tout trounce uncover usurp vindicate waive weather whip wield wow thwart unite migrate relocate reunite rejoin regroup rethink retweet upload download \
    superimpose dub star co-star co-found found oversee foresee outline undermine underline withstand withhold hail jet wed snub";

/// Those of them that are nouns as often, in the base form or with -s.
pub(super) const ALSO_NOUNS: &str = "aim live open answer appeal abuse alarm alert assault auction bail blast book boycott brand breach cement coach counter cruise debut dispute dive exchange exhibit exile exploit export fancy film fine flag flood forecast frame fuel glance guard halt hammer harvest heat host import kick kiss label lift lobby massacre mount nurse orbit parade patrol peak petition pile pilot plague pocket poison poll rally ram rape sack sacrifice sanction scrap seal shelter shield shock shower ski slice smell sponsor sprint spy stab stall stamp storm strip subject surge swap tease toss tow trail transport trap treasure trick triumph twist update upgrade vault veto wave whip chat climb murder bully outrage beam implant charm approach arrest attack attempt award balance ban bar base battle beat benefit bid block board bond book boost \
    break call campaign cap care cast cause challenge change charge chase check cheer claim clash clear close coach code color colour combat comment complete concern conduct \
    contact content contest contract contrast control convict cook cost count course court cover crack crash credit cross cry cure \
    curve cut dance damage date deal debate debut decline defeat degree delay demand deposit design desire detail display divorce document doubt draft drag draw \
    dream dress drink drive drop ease edge encounter end escape estimate exchange excuse exercise exit experience experiment exploit export extract eye face factor fail fan fall \
    fear feature feed feel fight figure file film find finish fire fish fit flight float floor flow fly focus form force frame front fuel function fund \
    gain gamble game gather gaze grant grip ground group guarantee guard guess guide gun hand harm hate head help highlight hit hold honor honour hope host house hunt hurt \
    impact import increase influence insult interest interview issue jail jet join joke judge jump kick kill kiss knock labor labour lack land lap last launch laugh lead leak leap leave level lie \
    lift light limit line link list load loan lock look loss love lower machine mail map march mark market mass master match matter mean measure meet milk mind mine miss \
    mistake mix model monitor move murder name need net nose note notice number object offer open order outline pace pack pain paint pair park part pass \
    pause pay permit phone photograph pick picture piece pile pilot pin pitch place plan plant play pledge plot point poll pose post pound pour power practice praise press price \
    print prize probe process produce produce profit progress project promise protest pull pump punch purchase push quarrel question quiz quote race raid rain raise range rank rate reach read record refund \
    regard register regret reign release remain remark rent repair repeat reply report request rescue research respect rest result retreat retweet return reveal reverse review reward ride ring rise risk \
    rival rock roll round row rule run rush sail sale sample save scale scan score scream screen seal search season seat secure sense sentence separate serve set shape \
    share shed shelter shift ship shock shoot shop shot shout show sight sign signal silence sing site size sketch skill slam sleep slide slip smash smell smile smoke snap snub \
    sound spark speed spell spin split sponsor spot spread spring stage stamp stand star start state station stay steal stem step stick stock stop store storm strain \
    stream stress stretch strike string stroke struggle study style subject suit supply support surge surprise surrender survey suspect swear sweep swim swing switch tackle talk target task \
    taste tax tear test text thank threat throw tie time tip title top total touch tour trace track trade train transfer transport trap travel treat trend trial trick \
    trigger trip trouble trust try turn tweet twist type upset use value view visit voice volunteer vote vow voyage wait wake walk wander warrant wash waste watch water wave wear weigh weight welcome win wind wing wish witness \
    wonder word work worry wound yield command conflict conquest permit progress stall slot struggle bounce bet blame bomb border bribe broadcast brush bust camp cash catch cheat clip \
    clue copy crush curb dare dash ditch drift drill drug dump echo elbow engineer face-off fine finger flash flood gift glance grab graduate haul hike hurdle illustrate inch ink \
    invite kidnap label layer lecture lure mention merit motion neglect nickname night occasion overhaul panel parade parent patrol peak pride prompt pursuit ramp rebel recall recruit scar scare \
    scheme shame shell shine shoulder shower slap slash snow soap span spat spike spill spit spray squad stab stake stance star state steer stunt suspect sweat swap tally taunt tease terror thread throne thrust toast toll torch toss tow trail tribute tumble tweak veto whip wire wreck \
    head hail jet ";

/// Irregular verbs: base, past, participle; slashes between forms of one.
pub(super) const IRREGULAR: &str = "arise arose arisen|do did done|awake awoke awoken|bear bore born/borne|beat beat beaten/beat|become became become|begin began begun|bend bent bent|bet bet bet|bid bid bid|bind bound bound|\
    bite bit bitten|bleed bled bled|blow blew blown|break broke broken|breed bred bred|bring brought brought|broadcast broadcast/broadcasted broadcast|build built built|burn burnt/burned burnt/burned|burst burst burst|\
    buy bought bought|cast cast cast|catch caught caught|choose chose chosen|cling clung clung|come came come|cost cost cost|creep crept crept|cut cut cut|deal dealt dealt|dig dug dug|draw drew drawn|dream dreamt/dreamed dreamt/dreamed|\
    drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|flee fled fled|fly flew flown|forbid forbade forbidden|foresee foresaw foreseen|forget forgot forgotten|\
    forgive forgave forgiven|freeze froze frozen|get got got/gotten|give gave given|go went gone|grind ground ground|grow grew grown|hang hung/hanged hung/hanged|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|\
    keep kept kept|kneel knelt knelt|know knew known|lay laid laid|lead led led|lean leant/leaned leant/leaned|leap leapt/leaped leapt/leaped|learn learnt/learned learnt/learned|leave left left|lend lent lent|let let let|lie lay lain|light lit lit|lose lost lost|make made made|mean meant meant|\
    meet met met|mistake mistook mistaken|outdo outdid outdone|overcome overcame overcome|oversee oversaw overseen|overtake overtook overtaken|overthrow overthrew overthrown|pay paid paid|plead pled/pleaded pled/pleaded|prove proved proven/proved|put put put|quit quit quit|read read read|rebuild rebuilt rebuilt|repay repaid repaid|rethink rethought rethought|\
    ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|set set set|sew sewed sewn|shake shook shaken|shed shed shed|shine shone shone|shoot shot shot|show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung|\
    sink sank sunk|sit sat sat|sleep slept slept|slide slid slid|sling slung slung|sow sowed sown|speak spoke spoken|speed sped sped|spend spent spent|spin spun spun|spit spat spat|split split split|spread spread spread|spring sprang sprung|stand stood stood|steal stole stolen|stick stuck stuck|sting stung stung|\
    strike struck struck/stricken|strive strove striven|swear swore sworn|sweep swept swept|swim swam swum|swing swung swung|take took taken|teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown|undergo underwent undergone|understand understood understood|undertake undertook undertaken|\
    upset upset upset|wake woke woken|wear wore worn|weave wove woven|weep wept wept|win won won|wind wound wound|withdraw withdrew withdrawn|withhold withheld withheld|withstand withstood withstood|write wrote written|wed wed wed|uphold upheld upheld|swell swelled swollen";

/// Verbs whose complement is a clause: "X said (that) Y".
pub(super) const CLAUSAL: &str = "say think believe claim know admit add announce argue allege insist suggest warn reveal report fear hope feel find show confirm \
    deny declare explain mean realise realize discover learn hear see state stress suspect understand agree conclude decide predict \
    promise vow wish worry estimate expect imagine assume assert boast brag complain confess deem demand ensure guess \
    indicate note notice observe pledge prove propose recall remark remember recommend rule speculate swear tell urge tweet write concede acknowledge \
    convince inform remind assure maintain advise joke testify request order fear doubt imply regret accept";
/// Verbs that speak: the clause before them may end in a comma, "Y, X said".
pub(super) const SPEAKING: &str = "say claim add tell report explain admit insist warn write tweet believe argue reveal announce suggest confirm note joke state recall";
/// Verbs that leave a hole without the phrase behind them.
pub(super) const NEEDS_PHRASE: &str = "live depend consist rely belong refer lead result look focus deal account relate amount stem reside tend cope contribute \
    participate specialise specialize hail come go lie stand sit seem appear base remain become involve aim suffer range date apply compare associate base \
    turn listen talk focus differ date stay act serve plead get put lay set link subject locate situate fork";
/// Verbs with an object that acts in the infinitive: "wants X to go".
pub(super) const CONTROL: &str = "want allow ask force urge tell expect help let enable encourage persuade order advise invite permit require convince warn cause \
    forbid teach train beg believe consider intend remind challenge make see hear watch need like get have prefer instruct lead select call choose hire";
/// Verbs that several do with each other; their subjects are not taken apart.
pub(super) const COLLECTIVE: &str = "meet marry agree combine share collide differ clash team partner divorce unite merge compete disagree gather \
    reunite separate split join wed cooperate collaborate negotiate argue fight match pair date resemble converge part mix kiss embrace hug tie swap exchange";
/// Verbs that deny what follows: nothing is dropped behind them.
pub(super) const DENYING: &str = "deny refuse fail doubt avoid prevent stop prohibit ban forbid reject decline lack miss neglect cease dismiss block bar oppose";
/// Verbs with a preposition that they need.
pub(super) const PHRASAL: &str = "take on|hand over|take over|turn over|look for|look at|put on|try on|turn on|pass on|opt for|agree to|aim at|vie for|call for|call on|care for|ask for|wait for|\
    deal with|meet with|insist on|set for|admit to|confess to|warn of|accuse of|suspect of|consider for|convert to|carry on|run into|think of|\
    speak of|dream of|hear of|attend to|respond to|react to|object to|plot against|search for|pay for|pray for|hope for|account for|make for|come from|\
    come across|cater for|side with|comply with|cooperate with|compete in|compete for|invest in|result in|engage in|succeed in|confide in|believe in|specialise in";
