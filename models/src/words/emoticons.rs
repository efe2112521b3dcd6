//! Emoticons, one word each.

const EMOTICONS: &str = r"
    :) :-) :)) :-)) :))) :-))) (: (-: =) (= :] :-] [: [-: [= =] :o) (o: :} :-} 8) 8-) (-8 ;) ;-) (; (-;
    :( :-( :(( :-(( :((( :-((( ): )-: =( >:( :') :'-) :'( :'-( :/ :-/ =/ =| :| :-| ]= =[
    :1 :3 :-3 =3 :0 :-0 :* :-* :> :-> :() :P :-P :p :-p :O :-O :o :-o >:o :X :-X :x :-x :D :-D ;D ;-D =D
    xD XD xDD XDD 8D 8-D ^_^ ^__^ ^___^ >.< >.> <.< ._. ;_; -_- -__- v.v V.V v_v V_V
    o_o o_O O_o O_O 0_o o_0 0_0 o.O O.o O.O o.o 0.0 o.0 0.o @_@ <3 <33 <333 </3
    (^_^) (-_-) (._.) (>_<) (*_*) (¬_¬) ಠ_ಠ ಠ︵ಠ (ಠ_ಠ) ¯\(ツ)/¯ (╯°□°）╯︵┻━┻ ><(((*>";

/// The words of every emoticon.
pub(super) fn all() -> impl Iterator<Item = Vec<String>> {
    EMOTICONS.split_whitespace().map(|emoticon| vec![emoticon.to_owned()])
}
