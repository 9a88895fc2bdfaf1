// The later choice must differ from `x` and be seven: only with `x` seven it cannot.

procedure main()
{
  var x, y: bv4;

  x := 3bv4; //~ relevance: enforcing 7bv4
  havoc y; //~ relevance: admitting
  assume y != x;
  if (y == 7bv4) {
    x := 2bv4; //~ relevance: enforcing 3bv4
  }
  assert x == 3bv4; //~ failure: assertion
}
