// Maps are values: they are copied, and updated as a whole.

procedure main()
{
  var a, b: [int]int;

  a[3] := 1;
  b := a;
  b := b[3 := 7]; //~ relevance: enforcing
  assert b[3] == 1; //~ failure: assertion
}
