procedure main()
{
  var x: int;

  x := {:trusted} 3;
  x := x + 1; //~ relevance: enforcing 0
  assert x == 0; //~ failure: assertion
}
