// Twice an integer is never seven.

procedure main()
{
  var n, half: int;

  n := 7; //~ relevance: enforcing
  half := n div 2;
  assert half * 2 == n; //~ failure: assertion
}
