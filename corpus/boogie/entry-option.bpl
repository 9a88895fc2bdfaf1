//@ --entry second
procedure first()
{
  assert false;
}

procedure second()
{
  var x: int;

  x := 3; //~ relevance: enforcing 4
  call third(x); //~ relevance: enforcing 4
}

procedure third(n: int)
{
  assert n > 3; //~ failure: assertion
}
