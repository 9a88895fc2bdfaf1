//@ error-invariants: true
//@ insensitive-invariants: true
// Paper 3, section 3.1, first example: only the last of two equal assignments counts.

procedure main()
{
  var level: int;

  level := 7;
  level := 7; //~ relevance: enforcing 11 //~ error-invariants: level == 7 //~ insensitive-invariants: level == 7
  assert level > 10; //~ failure: assertion
}
