// The last of three comparisons is missing.

procedure sort(a: int, b: int, c: int) returns (x: int, y: int, z: int)
{
  x, y, z := a, b, c; //~ relevance: enforcing, enforcing, enforcing
  if (x > y) {
    x, y := y, x; //~ relevance: enforcing, enforcing
  }
  if (y > z) {
    y, z := z, y; //~ relevance: enforcing
  }
  //~^ fault
}

procedure main()
{
  var x, y, z: int;

  call x, y, z := sort(3, 2, 1); //~ relevance: enforcing, enforcing, enforcing, enforcing, enforcing
  assert x <= y && y <= z; //~ failure: assertion
}
