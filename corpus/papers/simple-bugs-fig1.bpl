// Paper 1, figure 1: two buffers are set up in the first round of a loop, which is never run because
// the round counter starts too late. Each buffer alone is not to blame: the other one is empty too.

procedure main()
{
  var head, tail: int;
  var round: int;

  head := 0;
  tail := 0;
  round := 1; //~ fault
  //~^ relevance: enforcing 0
  while (round < 10) {
    if (round == 0) {
      havoc head;
      assume head > 0;
      havoc tail;
      assume tail > 0;
    }
    assert head != 0 && tail != 0; //~ failure: assertion
    round := round + 1;
  }
}
