procedure main()
{
  var rows: [int][int]int;

  rows[1][2] := 5; //~ relevance: enforcing
  rows[2][1] := 6;
  rows[1][1] := 7;
  assert rows[1][2] == 6; //~ failure: assertion
}
