procedure main()
{
  var n: int;

  n := 0; //~ relevance: enforcing
  while (*) {
    n := n + 1; //~ relevance: enforcing
  }
  assert n < 2; //~ failure: assertion
}
