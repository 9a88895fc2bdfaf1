//@ error-invariants: reading < 42
//@ insensitive-invariants: true
// Paper 4, Fig. 1: the error needs the branch, and so all that decides it.

procedure main(reading: int)
{
  var gain, excess: int;

  gain := 1;
  excess := reading - 42; //~ relevance: enforcing //~ error-invariants: excess < 0
  if (excess < 0) {
    gain := 0; //~ relevance: enforcing //~ error-invariants: gain == 0 //~ insensitive-invariants: gain == 0
  }
  assert gain != 0; //~ failure: assertion
}
