procedure main()
{
  var grid: [int, int]bool;

  grid[0, 0] := true;
  grid[0, 1] := false; //~ relevance: enforcing true
  grid[1, 0] := true;
  grid[1, 1] := false; //~ relevance: enforcing true
  assert grid[0, 1] || grid[1, 1]; //~ failure: assertion
}
