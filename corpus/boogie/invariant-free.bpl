// A free invariant is believed: executions that violate it do not count.

procedure main()
{
  var i: int;

  havoc i; //~ relevance: admitting
  while (i < 0)
    free invariant i > -3;
  {
    i := i + 1;
  }
  assert i < 2; //~ failure: assertion
}
