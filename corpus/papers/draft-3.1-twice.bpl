//@ error-invariants: true
//@ insensitive-invariants: true
// Paper 3, section 3.1, first example: only another value in the last of two equal assignments would matter; but what is
// needed for the failure is true from the first one on, and the second one changes nothing.

procedure main()
{
  var level: int;

  level := 7; //~ error-invariants: level == 7 //~ insensitive-invariants: level == 7
  level := 7; //~ relevance: enforcing 11
  assert level > 10; //~ failure: assertion
}
