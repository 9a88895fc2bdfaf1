// Passing an argument and receiving a result are assignments, all at the call.

procedure add(a: int, b: int) returns (sum: int)
{
  sum := a + b; //~ relevance: enforcing 8
}

procedure main()
{
  var x, total: int;

  x := 3; //~ relevance: enforcing 4
  call total := add(x, 4); //~ relevance: enforcing 4, enforcing 5, enforcing 8
  assert total == 8; //~ failure: assertion
}
