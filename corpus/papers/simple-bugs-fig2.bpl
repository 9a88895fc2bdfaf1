//@ --max-traces 5
//@ traces 2
// Paper 1, figure 2: figure 1 with a way out of the loop. There are two failing traces: the user asks
// to quit, or does not. Quitting is off: that matters only if the user asks to.

procedure main()
{
  var head, tail: int;
  var round: int;
  var may_quit, asked: bool;

  head := 0;
  tail := 0;
  round := 1; //~ fault
  //~^ relevance: enforcing 0
  //~^^ program: relevant, repaired by 0
  while (round < 10) {
    if (round == 0) {
      havoc head;
      assume head > 0;
      havoc tail;
      assume tail > 0;
    }
    may_quit := false; //~ relevance: enforcing true
    havoc asked; //~ relevance: admitting false
    //~^ program: relevant, no single value
    if (asked) {
      if (may_quit) {
        return;
      }
    }
    assert head != 0 && tail != 0; //~ failure: assertion
    round := round + 1;
  }
}
