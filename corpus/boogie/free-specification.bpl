// What is `free` is believed, not checked.

procedure take(n: int) returns (m: int)
  free requires n > 0;
  free ensures m == n;
{
  m := n; //~ relevance: enforcing
}

procedure main()
{
  var k: int;

  call k := take(5); //~ relevance: enforcing, enforcing 0
  assert k == 0; //~ failure: assertion
}
