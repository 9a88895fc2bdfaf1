procedure main()
{
  var x: int;

  x := 1;
  if (*) {
    x := 0; //~ relevance: enforcing 1
  }
  assert x > 0; //~ failure: assertion
}
