const limit: int;
axiom limit == 8;

procedure main()
{
  var n: int;

  n := 5; //~ relevance: enforcing
  n := n + 4; //~ relevance: enforcing
  assert n <= limit; //~ failure: assertion
}
