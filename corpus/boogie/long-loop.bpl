procedure main()
{
  var i, sum: int;

  i := 0; //~ relevance: enforcing
  sum := 0; //~ relevance: enforcing
  while (i < 50) {
    sum := sum + i; //~ relevance: enforcing
    i := i + 1; //~ relevance: enforcing
  }
  assert sum == 1275; //~ failure: assertion
}
