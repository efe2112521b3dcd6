//! Verbs by their base forms, and the forms that no rule makes.
//!
//! Decides which bases are known and which of them are nouns as often. Refuses nothing;
//! `verb_forms` reads the lists.

/// Regular verbs that are rarely nouns in their base form.
pub const BASES: &str = "abandon abduct abolish absorb accelerate accept accommodate accompany accord \
    accumulate accuse achieve acknowledge acquire acquit adapt add adjourn adjust administer admire admit \
    adopt adore advertise advise affect afford aggravate agonise agree alienate allege allow alter amass \
    amaze amend amplify amputate amuse analyse analyze announce annoy anticipate apologise apologize appear \
    apply appoint apprehend approve argue arm arouse arrange arrive ascend ascertain ask aspire assassinate \
    assemble assert assess assign assist associate assume assure astonish attach attend attest attract \
    authorise authorize avenge avert avoid await axe baffle bake bathe befriend beg behave believe belong \
    bemoan berate betray blaze bleach blend blindfold blur boast boo borrow bow brag branch brandish breathe \
    bulldoze burgle bury bypass calculate cancel captivate capture carry cater cease celebrate censor \
    characterise cherish choke chop cite clamber clarify classify clatter clean clinch co-found co-star coin \
    coincide collaborate collapse collect collide combine commemorate commit communicate compare compel \
    compensate compete compile complain comply compose comprehend comprise compromise conceal concede \
    conceive concentrate conclude condemn confess confide confine confirm confiscate confront confuse \
    congratulate connect conquer conserve consider consist consolidate construct consult consume contain \
    contemplate contend continue contradict contribute convene converge convert convince cooperate \
    coordinate cope correct correspond cough counsel crawl create cripple criticise criticize crumble \
    cultivate dangle dazzle deceive decide declare decorate dedicate deem deepen defend defer define defuse \
    delete deliver demolish demonstrate denounce deny depart depend depict deploy deport deprive derail \
    descend describe deserve despise destroy detain detect deteriorate determine devastate develop devise \
    devote diagnose dictate die differ diminish dine disable disagree disappear disarm discard disclose \
    discourage discover discriminate discuss dismantle dismiss dispel disperse displace dispose disrupt \
    dissolve distinguish distract distribute disturb divide dodge dominate donate doom double download drape \
    drown dub duplicate dwell earmark earn edit educate eject elect elevate eliminate elope embrace emerge \
    emigrate emphasise emphasize employ empower empty enable enact enclose encourage endanger endorse endure \
    enforce engage engulf enhance enjoy enlist enquire enrage enrol enroll ensue ensure entail enter \
    entertain entice entitle entrust envisage equal equip eradicate erect erupt establish evacuate evade \
    evict evolve exacerbate exaggerate examine exceed excite exclaim exclude execute exempt exert exist \
    expand expect expel explain explode explore expose express extend facilitate fade faint falsify fasten \
    fend fetch fill finalise finalize flank flatten flaunt flourish foil follow fool forfeit formalise \
    foster found fret frighten frustrate fulfil fulfill furnish garner generate glean govern grapple greet \
    grieve grin hamper happen harass harden hatch haunt heal heed hijack hinder hoist hone honk hospitalise \
    hover humiliate hurl identify ignite ignore illuminate imagine immerse impede impersonate implement \
    imply impose impress imprison improve incite include incorporate incur indicate infect inflict inform \
    infuriate ingest inhabit inherit initiate inject injure inquire insert insist inspect inspire install \
    instigate instruct integrate intend intensify intercept interpret interrogate interrupt intervene \
    intimidate introduce inundate invade invent invest investigate invoke involve irritate isolate \
    jeopardise juggle justify kickstart lighten like liken linger listen locate loom lurk maintain manage \
    manufacture marry marvel mature melt mend merge migrate mimic mingle minimise mislead mock modify molest \
    motivate mourn mull muster nab narrate narrow negotiate nominate notify obey oblige obscure observe \
    obstruct obtain occupy occur offend offset operate oppose opt organise organize originate oust outnumber \
    outpace outperform outweigh overhear overlook overpower override overrule overrun overshadow overturn \
    overwhelm owe own paralyse participate peel penalise perceive perform persist persuade pinpoint pit \
    placate please plummet polish portray possess postpone pounce pray preach precede predict prefer prepare \
    prescribe present preserve preside presume pretend prevail prevent prise proceed proclaim prohibit \
    prolong promote propel propose prosecute protect provide provoke prune publicise publish punish pursue \
    qualify quash quell ransack ravage re-sign react realise realize reap reassign reassure rebuff rebuke \
    receive recite reckon reclaim recognise recognize recommend reconcile reconsider reconstruct recount \
    recover rectify recycle redeem reduce reel refer reflect refrain refuel refuse regain regroup reinforce \
    reinstate reject rejoice rejoin relapse relate relax relegate relieve relinquish relocate rely remember \
    remind remove render renew renounce reopen repeal repel replace replicate represent reproduce require \
    resemble reshape reside resign resist resolve resort respond restart restore restrain restrict resume \
    resurface resurrect resuscitate retain retaliate retire retool retract retrieve reunify reunite revamp \
    revel reverberate revise revive revoke rile rip roam roar rob rotate ruin salvage savour scatter scold \
    scorch scour scrape scrutinise scupper seduce seem seize select settle sever shatter shove shun sideline \
    simplify situate skip slow smuggle snatch soak soar solidify solve soothe spearhead specialise \
    specialize specify speculate spoil squander stabilise stalk startle starve sterilise stifle stir stoke \
    straddle strangle strap stray streamline strengthen stumble stun subdue submerge submit subside succeed \
    succumb sue suffer suggest summon superimpose supervise suppose suppress surpass surround survive \
    suspend swallow swipe symbolise sympathise tame tarnish tend terminate terrify terrorise testify thrash \
    threaten thrive throttle thump thwart tighten topple torment tout trample transform translate transmit \
    tremble triple trounce trudge uncover underestimate underline undermine undo unfold unify uninstall \
    unite unleash unload unlock unravel unveil uproot urinate usher usurp utilise utter vacate vaccinate \
    validate vandalise vanish vary verify vet victimise vie vilify vindicate violate vomit vouch waive want \
    warm warn weaken widen wield wipe wither worsen wow wrap wrestle yawn yell zoom";

/// Verbs that are nouns as often, in the base form or with -s.
pub const ALSO_NOUNS: &str = "abuse account act advance aim alarm alert amount anger answer appeal approach \
    arrest assault attack attempt auction award bail balance ban bar base battle beam beat benefit bet bid \
    blame blast block board bomb bond book boost border bounce boycott brand breach break brew bribe \
    broadcast broker brush bully bust butcher call camp campaign cap care cash cast catch cause cement \
    challenge change charge charm chase chat cheat check cheer claim clash clear climb clip close clue coach \
    code color colour combat command comment complete concern conduct conflict conquest contact content \
    contest contract contrast control convict cook copy cost count counter course court cover crack cradle \
    crash credit cross cruise crush cry curb cure curve cut damage dance dare dash date deal debate debut \
    decline defeat degree delay delight demand deposit design desire detail discharge disguise disgust \
    dispatch display dispute distance ditch dive divorce document doubt draft drag drain draw dream dress \
    drift drill drink drive drop drug dump ease echo edge elbow encounter end engineer escape escort \
    estimate exchange excuse exercise exhibit exile exit experience experiment exploit export extract eye \
    face face-off factor fail fall fan fancy fear feature feed feel fight figure file film find fine finger \
    finish fire fish fit flag flash flight float flock flood floor flow fly focus force forecast forge fork \
    form fracture frame front fuel function fund gain gamble game gather gaze gift glance grab graduate \
    grant grill grip groom ground group guarantee guard guess guide gun hail halt hammer hand handle harbour \
    harm harvest hate haul head heat help highlight hike hire hit hold honor honour hope host house hug hunt \
    hurdle hurt illustrate impact implant import inch increase influence ink insult interest interview \
    invite issue jail jet join joke jolt judge jump kick kidnap kill kiss knock label labor labour lack \
    lament land lap lash last laugh launch layer lead leak leap lease leave lecture level license lie lift \
    light limit line link list live load loan lobby lock lodge look loot loss love lower lure machine mail \
    map march mark market mass massacre master match matter mean measure meet mention merit milk mind mine \
    miss mistake mix model monitor motion mount move murder name need neglect net nickname night nose note \
    notice number nurse object occasion offer open orbit order outline outrage overhaul pace pack pain paint \
    pair panel parade pardon parent park part partner pass patrol pause pay peak permit petition phone \
    photograph pick picture piece pile pilot pin pioneer pitch place plague plan plant play pledge plot \
    plunge pocket point poison poll pose post pound pour power practice praise press price pride print prize \
    probe process produce profit progress project promise prompt prop protest pull pump punch purchase \
    pursuit push quarantine quarrel question quiz quote race rack raid rain raise rally ram ramp range rank \
    rape rate reach read rebel rebound recall record recruit refund regard register regret reign release \
    remain remark remedy rent repair repeat reply report request rescue research respect rest result retreat \
    return retweet reveal reverse review revolt reward ride ridicule ring rise risk rival rock roll round \
    row rule run rush sack sacrifice sail sale salute sample sanction save scale scan scar scare schedule \
    scheme scoop score scramble scrap scratch scream screen seal search season seat secure sense sentence \
    separate serve set shame shape share shed shell shelter shield shift shine ship shock shoot shop shot \
    shoulder shout show shower shrug side sight sign signal silence sing site size sketch ski skill slam \
    slap slash slaughter sleep slice slide slip slot smash smear smell smile smoke snap snow snub soap sound \
    span spark spat speed spell spike spill spin spit split sponsor spot spray spread spring sprint spy \
    squad squeeze stab stage stake stall stamp stance stand star start state station stay steal steer stem \
    step stick stitch stock stop store storm strain stream stress stretch strike string strip stroke stroll \
    struggle study stunt style subject substitute suit supply support surge surprise surrender survey \
    suspect swap swarm swear sweat sweep swim swing switch tackle talk tally target task taste taunt tax \
    team tear tease telephone terror test text thank thread threat thrill throne throw thrust tie time tip \
    title toast toll top torch torture toss total touch tour tow trace track trade trail train transfer \
    transport trap travel treasure treat trend trial tribute trick trigger trip triumph trouble trust try \
    tumble turn tutor tweak tweet twist type update upgrade upload upset urge use value vault vent venture \
    veto view visit voice volunteer vote vow voyage wage wait wake walk wander warrant wash waste watch \
    water wave wear weather weigh weight welcome whip whisper win wind wing wire wish witness wonder word \
    work worry wound wreck yield";

/// Irregular verbs: base, past, participle; slashes between forms of one.
pub const IRREGULAR: &str = "arise arose arisen|do did done|awake awoke awoken|bear bore born/borne|beat beat beaten/beat|\
    become became become|begin began begun|bend bent bent|bet bet bet|bid bid bid|bind bound bound|\
    bite bit bitten|bleed bled bled|blow blew blown|break broke broken|breed bred bred|\
    bring brought brought|broadcast broadcast/broadcasted broadcast|build built built|\
    burn burnt/burned burnt/burned|burst burst burst|buy bought bought|cast cast cast|\
    catch caught caught|choose chose chosen|cling clung clung|come came come|cost cost cost|\
    creep crept crept|cut cut cut|deal dealt dealt|dig dug dug|draw drew drawn|\
    dream dreamt/dreamed dreamt/dreamed|drink drank drunk|drive drove driven|eat ate eaten|\
    fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|flee fled fled|\
    fly flew flown|forbid forbade forbidden|foresee foresaw foreseen|forget forgot forgotten|\
    forgive forgave forgiven|freeze froze frozen|get got got/gotten|give gave given|go went gone|\
    grind ground ground|grow grew grown|hang hung/hanged hung/hanged|hear heard heard|hide hid hidden|\
    hit hit hit|hold held held|hurt hurt hurt|keep kept kept|kneel knelt knelt|know knew known|\
    lay laid laid|lead led led|lean leant/leaned leant/leaned|leap leapt/leaped leapt/leaped|\
    learn learnt/learned learnt/learned|leave left left|lend lent lent|let let let|lie lay lain|\
    light lit lit|lose lost lost|make made made|mean meant meant|meet met met|mistake mistook mistaken|\
    outdo outdid outdone|overcome overcame overcome|oversee oversaw overseen|\
    overtake overtook overtaken|overthrow overthrew overthrown|pay paid paid|\
    plead pled/pleaded pled/pleaded|prove proved proven/proved|put put put|quit quit quit|\
    read read read|rebuild rebuilt rebuilt|repay repaid repaid|rethink rethought rethought|\
    ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen|\
    seek sought sought|sell sold sold|send sent sent|set set set|sew sewed sewn|shake shook shaken|\
    shed shed shed|shine shone shone|shoot shot shot|show showed shown|shrink shrank shrunk|\
    shut shut shut|sing sang sung|sink sank sunk|sit sat sat|sleep slept slept|slide slid slid|\
    sling slung slung|sow sowed sown|speak spoke spoken|speed sped sped|spend spent spent|\
    spin spun spun|spit spat spat|split split split|spread spread spread|spring sprang sprung|\
    stand stood stood|steal stole stolen|stick stuck stuck|sting stung stung|\
    strike struck struck/stricken|strive strove striven|swear swore sworn|sweep swept swept|\
    swim swam swum|swing swung swung|take took taken|teach taught taught|tear tore torn|tell told told|\
    think thought thought|throw threw thrown|undergo underwent undergone|\
    understand understood understood|undertake undertook undertaken|upset upset upset|wake woke woken|\
    wear wore worn|weave wove woven|weep wept wept|win won won|wind wound wound|\
    withdraw withdrew withdrawn|withhold withheld withheld|withstand withstood withstood|\
    write wrote written|wed wed wed|uphold upheld upheld|swell swelled swollen";
