// On the failing run the table is empty anyway; on another one, another index would have kept it.

procedure main()
{
  var table: [int]int;
  var i: int;

  i := 2; //~ relevance: enforcing
  table[i] := 0; //~ relevance: enforcing
  assert table[2] != 0; //~ failure: assertion
}
