//! Names of places and peoples.
//!
//! Decides whether a lower-cased name is one of a country, a large city, a region or a people:
//! such a name is nobody's. Refuses to list what only locals know.

use super::word_set::{WordSet, set};

static PLACES: WordSet = WordSet::new(|| {
    set(
        "afghanistan africa alabama alaska albania alberta aleppo algeria america amsterdam angola ankara antarctica arctic argentina \
    arizona arkansas armenia asia athens atlanta atlantic auckland austin australia austria azerbaijan baghdad bahamas bahrain baltimore \
    bangkok bangladesh barbados barcelona bath bavaria beijing beirut belarus belfast belgium benghazi berkshire berlin bermuda birmingham blackburn \
    blackpool bolivia bolton bosnia boston botswana bournemouth bradford brazil brighton brisbane bristol britain britons \
    brooklyn brunei brussels bucharest budapest buckinghamshire bulgaria burma burnley burundi cairo calais calcutta california cambodia cambridge \
    cambridgeshire cameroon canada canberra canterbury cardiff caribbean carlisle carolina catalonia chad chelsea cheshire chester chicago chile china cincinnati \
    cleveland cologne colombia colorado congo connecticut copenhagen cork cornwall coventry crimea croatia cuba cumbria cyprus czech dallas \
    damascus darfur delaware delhi denmark denver derby derbyshire derry detroit devon dhaka doha doncaster donetsk dorset dubai dublin \
    dubrovnik dundee durham ecuador edinburgh egypt england eritrea essex estonia ethiopia europe exeter falklands fiji finland florida france \
    frankfurt fulham gabon gambia gaza geneva georgia germany ghana gibraltar glasgow gloucester gloucestershire greece greenland grenada grimsby guantanamo guatemala \
    guernsey guinea guyana haiti hamburg hampshire hanoi havana hawaii helsinki hertfordshire hiroshima holland hollywood homs honduras hong houston hull \
    hungary iceland idaho illinois india indiana indianapolis indonesia iowa ipswich iran iraq ireland islamabad israel istanbul italy jakarta \
    jamaica japan jersey jerusalem johannesburg jordan kabul kansas karachi kashmir kazakhstan kent kentucky kenya kiev kobane kolkata \
    korea kosovo kuwait kyiv kyrgyzstan lagos lahore lancashire laos latvia lebanon leeds leicester leicestershire lesotho liberia libya liechtenstein lima \
    lincolnshire lisbon lithuania liverpool london louisiana lyon luton luxembourg macedonia madagascar madrid maidstone maine malawi malaysia maldives mali \
    malta manchester manhattan manila marseille maryland massachusetts mauritania mauritius mecca melbourne memphis mexico miami michigan \
    middlesbrough milan milwaukee minneapolis minnesota mississippi missouri mogadishu moldova monaco mongolia montana montenegro montreal morocco moscow \
    mosul mozambique mumbai munich myanmar nairobi namibia naples nebraska nepal netherlands nevada newcastle newport nicaragua niger nigeria \
    nice norfolk northampton northamptonshire northumberland norway norwich nottingham nottinghamshire oakland ohio oklahoma oldham oman ontario oregon orlando \
    osaka oslo ottawa oxford oxfordshire pakistan palestine palmyra panama paraguay paris pembrokeshire pennsylvania perth peru peterborough philadelphia \
    philippines phoenix pittsburgh plymouth poland portland portsmouth portugal prague preston pretoria princeton punjab pyongyang qatar quebec queens \
    queensland reading rio rochdale romania rome rotterdam russia rwanda salford sarajevo saudi scotland scunthorpe seattle seoul serbia \
    sevilla seville shanghai sheffield shetland shropshire siberia sicily sierra singapore slough slovakia slovenia soho somalia somerset southampton southend \
    spain srebrenica stockholm stockport stoke strasbourg suffolk sudan sunderland surrey surinam sussex swansea swaziland sweden swindon switzerland sydney syria \
    taipei taiwan tajikistan tanzania tasmania tehran tennessee texas thailand tibet togo tokyo toronto toulouse tottenham trinidad tripoli tunisia \
    turin turkey turkmenistan uganda ukraine ulster uruguay utah uzbekistan valencia vancouver vatican venezuela venice vermont victoria vienna vietnam \
    virginia wakefield wales walsall warsaw warwick warwickshire washington watford westminster wembley wigan wiltshire wimbledon wisconsin wolverhampton \
    worcester worcestershire wrexham wyoming yemen york yorkshire zambia zimbabwe zurich everton arsenal juventus bayern porto benfica \
    lazio roma inter celtic rangers hibernian hearts aberdeen inverness villarreal ajax psv palace spurs villa eu uk us usa un nato \
    brexit internet earth twitter facebook google youtube instagram snapchat",
    )
});

static PEOPLES: WordSet = WordSet::new(|| {
    set(
        "afghan african albanian algerian american angolan arab arabian arabic argentine argentinian armenian asian australian austrian azerbaijani bahraini \
    bangladeshi basque belarusian belgian bolivian bosnian brazilian british briton bulgarian burmese cambodian cameroonian canadian \
    catalan catholic chechen chilean chinese christian colombian congolese cornish croat croatian cuban cypriot danish dane dutch dutchman ecuadorian \
    egyptian english englishman eritrean estonian ethiopian european filipino finnish finn flemish french frenchman gambian georgian german ghanaian greek guinean haitian \
    hindu hispanic honduran hungarian icelandic indian indonesian iranian iraqi irish irishman islamic islamist israeli italian ivorian jamaican japanese \
    jewish jew jordanian kazakh kenyan korean kosovan kurd kurdish kuwaiti latin latino latvian lebanese liberian libyan lithuanian \
    macedonian malaysian malian maltese mexican moldovan mongolian moroccan muslim namibian nepalese nigerian norwegian olympian pakistani palestinian \
    panamanian paraguayan parisian persian peruvian pole polish portuguese protestant roman romanian russian rwandan samoan saudi scot scots scottish scotsman \
    senegalese serb serbian shia sikh slovak slovakian slovenian somali spaniard spanish sudanese sunni swede swedish swiss syrian taiwanese \
    tanzanian thai tibetan tory tongan tunisian turk turkish ugandan ukrainian uruguayan uzbek venezuelan vietnamese welsh welshman yemeni zambian zimbabwean \
    conservative labour liberal democrat republican unionist nationalist communist socialist marxist victorian edwardian georgian olympic paralympic",
    )
});

pub(super) fn is_place(name: &str) -> bool {
    PLACES.contains(name)
}

/// Whether the word names a people, a faith or a party, as an adjective or as a member.
pub(super) fn is_people(word: &str) -> bool {
    PEOPLES.contains(word)
}
