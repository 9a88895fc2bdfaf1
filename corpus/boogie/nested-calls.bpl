procedure twice(x: int) returns (y: int)
{
  y := x + x; //~ relevance: enforcing 12
}

procedure four_times(x: int) returns (y: int)
{
  call y := twice(x);
  call y := twice(x); //~ fault
  //~^ relevance: enforcing 6, enforcing 12
}

procedure main()
{
  var r: int;

  call r := four_times(3); //~ relevance: enforcing 6, enforcing 12
  assert r == 12; //~ failure: assertion
}
