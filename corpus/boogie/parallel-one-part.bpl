procedure main()
{
  var a, b, c: int;

  a, b, c := 1, 2, 3; //~ relevance: enforcing 3
  assert b == 3; //~ failure: assertion
}
