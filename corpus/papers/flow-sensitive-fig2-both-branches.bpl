//@ error-invariants: true
//@ insensitive-invariants: true
// Paper 4, Fig. 2: the error happens whichever branch is taken, so the branch does not matter.

procedure main(reading: int)
{
  var gain, excess: int;

  gain := 0; //~ relevance: enforcing //~ error-invariants: gain == 0 //~ insensitive-invariants: gain == 0
  excess := reading - 42; //~ relevance: enforcing
  if (excess < 0) {
    excess := 0;
  }
  assert gain != 0; //~ failure: assertion
}
