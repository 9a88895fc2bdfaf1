// Without a `main`, all procedures that no other one calls are tried.

procedure fine()
{
  var x: int;

  x := 1;
  assert x == 1;
}

procedure faulty()
{
  var x: int;

  x := 1; //~ relevance: enforcing 2
  assert x == 2; //~ failure: assertion
}
