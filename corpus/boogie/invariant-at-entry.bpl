procedure main()
{
  var i: int;

  i := 1; //~ relevance: enforcing 0
  while (i < 6)
    invariant i mod 2 == 0; //~ failure: invariant
  {
    i := i + 2;
  }
}
