//! Common first names and what gender they tell.
//!
//! Decides whether a word is a first name that is very common in English-language news, after the
//! public birth statistics of Britain and the United States, and whether it is given to boys, to
//! girls or to both. Refuses rare names, and surnames that only sometimes are first names.

use super::gender::Gender;
use super::word_set::{WordSet, set};

static MALE: WordSet = WordSet::new(|| {
    set("aaron abdul abdullah abraham adam adrian ahmed aidan alan alastair albert alberto aldo alejandro \
    alexander alexandre alexandros alfie alfonso alfred alfredo alistair allan allen alonso alvaro alvin \
    amir anatoly anders andre andreas andres andrew andy angus ant anthony antoine anton antonio archie \
    arjen arnold arsene arthur arturo asif austin barack barney barry bartholomew bashar bastian ben \
    benedict benjamin benny bernard bernie bert bill billy bjorn bob bobby boris brad bradley brandon \
    brendan brent brett brian bruce bruno bryan byron caleb callum calum calvin carl carlo carlos carlton \
    cecil cedric cesar charles chester christian christoph christophe christopher chuck clarence claude \
    clement cliff clifford clint clive clyde cody colin connor conor cornelius cory craig cristian cristiano \
    curtis cyril daley dan daniel danilo danny darren darryl dave david davide dean declan denis dennis \
    derek dermot desmond dick didier diego dietmar dimitri dmitry dominic don donald doug dougal douglas \
    duncan dwayne dwight dylan eamonn ed eddie edgar edmund eduardo edward edwin eli elijah elliot elliott \
    emanuel emmanuel enrique eric erik ernest ernie ethan eugene evan ezra fabio fabrice felipe felix \
    fernando fidel finlay finn florian francesco francisco franck francois frank franklin franz fred freddie \
    freddy frederick friedrich gareth garry gary gavin gaz gene geoff geoffrey george gerald gerard gerardo \
    gerhard gerry gianluca gilbert giles giorgio giovanni giuseppe glenn glyn gordon graeme graham grant \
    greg gregory guillermo gus gustav gustavo guus guy habib hamid hamish hank hans harold harrison harry \
    harvey hassan hector heinz henri henrik henry herbert herman horace howard hubert hugh hugo humphrey \
    hussein iain ian ibrahim igor imran isaac ismail ivan ivor jack jacob jacques jake jamal james jared \
    jason jay jeff jeffery jeffrey jens jeremy jerome jerry jim jimmy joachim joao joaquin jock joe joel \
    joey johan johann john johnny jon jonah jonas jonathan jonny jorge jose josef joseph josh joshua juan \
    jude julian julio julius junior jurgen justin karim karl keegan keith ken kenneth kenny kevin kieran \
    kirk klaus kofi konrad kurt kyle lachlan lance lars laurent lawrence len lenny leo leon leonard leonardo \
    leonid leopold leroy lewis liam linus lionel lloyd louis luca lucas luigi luis luiz luka lukas luke \
    malcolm manuel marc marcel marcello marcelo marco marcos marcus mario marius mark markus martin martyn \
    marvin massimo mathew mathieu matt matteo matthew matthias maurice mauricio maurizio mauro max \
    maximilian mehmet michael michel miguel mike mikel mikhail milan miles mitch mitchell mitt mo moe \
    mohamed mohammad mohammed monty moses muhammad mustafa myles nathan nathaniel ned neil nelson neville \
    neymar nicholas nick nico nicolas nigel noah noel norman oleg oliver ollie omar osama oscar otto owen \
    pablo paddy paolo patrice patrick paul paulo pavel pedro pep per percy pete peter petr phil philip \
    philippe phillip pierre piers pietro quentin rafa rafael rafe rahul raj ralph ramon randall randy \
    raphael rashid raul ray raymond recep reggie reginald rene rhys ricardo riccardo richard rick ricky rob \
    robbie robert roberto rod roderick rodney rodrigo roger roland rolf roman romelu ron ronald ronan ronnie \
    rory ross rowan roy ruben rudolf rudy rupert russ russell ryan salman salvador salvatore samir samuel \
    saul scott sean sebastian sepp serge sergei sergey sergio seth shane shaun shawn sid silvio simon \
    solomon spencer stan stanley stefan stefano stephane stephen sterling steve steven stewart stuart sven \
    sylvester tarek tariq ted terence terrence theo theodore thiago thibaut thierry thomas tim timmy timothy \
    tobias toby todd tom tomas tommy tony travis trevor tristan troy tyler tyrone ulrich usain vernon victor \
    vijay vince vincent vitaly vladimir volodymyr wade wallace walter warren wayne wesley wilbur wilfred \
    will willem william willie winston wladimir wolfgang woody xabi xavier yasser yuri yusuf zac zach \
    zachary zack zinedine zlatan")
});

static FEMALE: WordSet = WordSet::new(|| {
    set(
        "abigail ada adela adele adrienne agatha agnes aimee aisha alana alexa alexandra alexandria alice alicia \
    alina alisha alison allison alma alyssa amal amanda amber amelia amelie amina amy ana anastasia angela \
    angelica angelina anita ann anna annabel anne annette annie antoinette antonia april ariana ariel astrid \
    audrey ava ayesha barbara beatrice becky belinda bernadette beryl bessie beth bethan bethany betsy betty \
    beyonce bianca bonnie brenda bridget brigitte brittany bronwyn caitlin caitlyn camilla camille candice \
    cara carla carly carmen carole carolina caroline carolyn carrie cassandra catherine cathy catriona \
    cecilia celeste celia celine charlene charlotte cheryl chloe chrissie christina christine ciara cindy \
    claire clara clare claudia coleen colette colleen constance cora corinne cynthia daisy danielle daphne \
    dawn debbie deborah debra deirdre delia della delphine denise diana diane dianne dolores donna dora \
    doreen doris dorothy ebony edith edna eileen elaine eleanor elena elisabeth elise eliza elizabeth ella \
    ellen ellie elsa elsie emilia emily emma enid erica erin esme estelle esther ethel eugenie eva eve evie \
    fatima faye felicity fern fiona flora florence frances francesca francine freda freya gabriela gabriella \
    gabrielle gail gemma genevieve georgia georgina geraldine germaine gertrude gillian gina giselle gladys \
    glenda gloria grace greta gretchen gwen gwendolyn gwyneth hannah harriet hattie hayley hazel heather \
    heidi helen helena helene henrietta hermione hilda hillary holly hope ida imelda imogen ines ingrid \
    irene irina iris isabel isabella isabelle isla ivanka ivy jacqueline jade jane janet janice janine \
    jasmin jasmine jeanette jeanne jemima jenna jenni jennie jennifer jenny jess jessica jill jillian jo-ann \
    joanna joanne jocelyn jodie josephine josie joyce juanita judith judy julia juliana julianne julie \
    juliet juliette june justine kaitlyn kara karen karin karina karren kate katharine katherine kathleen \
    kathryn kathy katie katrina katy katya kayla kayleigh keira kezia khadija kiera kimberley kimberly \
    kirsten kirsty kitty kristen kristin kristina kristine kylie lana lara larissa latoya laura lauren leah \
    leanne lena leona leonora leticia lillian lily linda lisa liz liza lizzie lois lola lorna lorraine \
    louisa louise lucia lucille lucinda lucy lydia lynda lynette lynn lynne mabel madeleine madeline madonna \
    maggie maisie malala malia mandy marcia margaret margarita margery margot maria mariah marianne marie \
    marilyn marina marine marjorie marlene martha martina mary maryam matilda maud maureen mavis maya megan \
    meghan melania melanie melinda melissa melody mercedes meredith mia michaela michelle mildred millicent \
    millie mimi miranda miriam moira mollie molly mona monica muriel myra nadia nadine nancy naomi natalia \
    natalie natasha nell nellie nerys nessa nicole nicolette nina noelle nora norah noreen norma olga olive \
    olivia ophelia orla paige pamela patricia patsy paula paulette pauline pearl peggy penelope penny petra \
    philippa phoebe phyllis pippa polly poppy priscilla priyanka prudence rachael rachel raquel rebecca \
    rebekah regina renata renee rhian rhiannon rhoda rhona rihanna rita roberta rosa rosalind rosamund \
    rosanna rosanne rose roseanne rosemary rosie roxanne ruby ruth sabrina sadie sally salma samantha sandra \
    sara sarah saskia scarlett selena selina serena shakira sharon sheila shelley shirley shona sian sienna \
    silvia simona sinead siobhan sofia sonia sonya sophia sophie stella stephanie sue susan susanna susannah \
    susanne susie suzanne svetlana sylvia tabitha tamara tamsin tania tanya tara tatiana teresa tess tessa \
    thelma theresa tina tracey trisha ulrike una ursula valentina valerie vanessa venus vera verity veronica \
    vicki vicky victoria viola violet virginia vivienne wanda wendy whitney wilma winifred yasmin yoko \
    yolanda yvette yvonne zara zelda zena zoe",
    )
});

static BOTH: WordSet = WordSet::new(|| {
    set(
        "adel alex ali amin andrea angel ariel arnaud ashley aubrey avery beverley blair blake bobbie cameron \
    carey carol casey charley charlie chris claude clem corey courtney dana darcy devon dominique drew \
    elisha ellis evelyn frankie gabriel gabriele glen hadley hayden hilary jackie jaime jamie jan jean jesse \
    jessie jo joan jodi jody jordan jules kai kelly kelsey kendall kerrie kerry kim kit lee lesley leslie \
    lindsay lindsey logan loren lou mackenzie mallory marion marley mel merle michele morgan nat nicky \
    nicola nikki paris pat peyton quinn reese riley robin rowan rudi sacha sam sandy sasha shannon shelby \
    sidney simone stacey stacy stevie sydney tatum taylor terry toni tracy tyne val vivian yuki",
    )
});

/// The gender that a first name tells; `None` if the lower-cased word is no common first name.
pub(super) fn first_name(word: &str) -> Option<Gender> {
    let known = |part: &str| {
        if BOTH.contains(part) {
            Some(Gender::Unknown)
        } else if MALE.contains(part) {
            Some(Gender::Male)
        } else if FEMALE.contains(part) {
            Some(Gender::Female)
        } else {
            None
        }
    };
    // "Jean-Claude" is none of its parts, "Anne-Marie" is both.
    known(word).or_else(|| {
        let (first, second) = word.split_once('-')?;
        let (first, second) = (known(first)?, known(second)?);
        Some(if first == Gender::Unknown { second } else { first })
    })
}
