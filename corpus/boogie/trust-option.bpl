//@ --trust scale
// The library is taken for correct; its caller is not. No argument gives ten, but another result does.

procedure scale(n: int) returns (r: int)
{
  r := n * 3;
}

procedure main()
{
  var r: int;

  call r := scale(5); //~ relevance: enforcing 10
  assert r == 10; //~ failure: assertion
}
