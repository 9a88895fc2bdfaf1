procedure main()
{
  var a, b: [bool]int;

  b := a; //~ relevance: enforcing
  b[true] := b[true] + 1; //~ relevance: enforcing
  assert a == b; //~ failure: assertion
}
