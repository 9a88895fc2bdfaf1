procedure sign(n: int) returns (s: int)
{
  s := 0; //~ relevance: enforcing 1
  if (n < 0) {
    s := -1;
    return;
  }
  if (n > 1) { //~ fault
    s := 1;
  }
}

procedure main()
{
  var s: int;

  call s := sign(1); //~ relevance: enforcing, enforcing 1
  assert s == 1; //~ failure: assertion
}
