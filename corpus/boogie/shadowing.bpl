// The local variable hides the global one of the same name.

var x: int;

procedure set()
  modifies x;
{
  x := 5; //~ relevance: enforcing 0
}

procedure check()
{
  assert x == 0; //~ failure: assertion
}

procedure main()
{
  var x: int;

  call set();
  x := 0;
  call check();
}
