// The counter is not to blame: there is no integer `i` with `3 == i * 2`.

procedure main()
{
  var i, total: int;

  i := 0; //~ relevance: enforcing
  total := 0; //~ relevance: enforcing
  while (i < 3)
    invariant total == i * 2; //~ failure: invariant
  {
    total := total + 3; //~ fault
    //~^ relevance: enforcing 2
    i := i + 1;
  }
}
