type Index = int;
type Table = [Index]int;

procedure main()
{
  var table: Table;
  var i: Index;

  i := 1; //~ relevance: enforcing
  table[i] := 9; //~ relevance: enforcing
  assert table[1] < 9; //~ failure: assertion
}
