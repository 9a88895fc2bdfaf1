// An assignment to a cell is an assignment to this cell only.

procedure main()
{
  var stock: [int]int;
  var i: int;

  stock[0] := 5;
  stock[1] := 0; //~ relevance: enforcing 1
  stock[2] := 7;
  i := 1; //~ relevance: enforcing
  assert stock[i] > 0; //~ failure: assertion
}
