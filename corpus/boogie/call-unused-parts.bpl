// Only the parts of a call that matter are relevant: not the second argument, nor the first result.

procedure split(n: int, unit: int) returns (whole: int, rest: int)
{
  whole := n div 10;
  rest := n mod 10; //~ relevance: enforcing 0
}

procedure main()
{
  var w, r: int;

  call w, r := split(47, 10); //~ relevance: enforcing 0, enforcing 0
  assert r == 0; //~ failure: assertion
}
