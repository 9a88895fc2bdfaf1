// Any of the bodies may be called.

procedure pick() returns (n: int);

implementation pick() returns (n: int)
{
  n := 1;
}

implementation pick() returns (n: int)
{
  n := 2; //~ relevance: enforcing 1
}

procedure main()
{
  var k: int;

  call k := pick(); //~ relevance: enforcing 1
  assert k == 1; //~ failure: assertion
}
