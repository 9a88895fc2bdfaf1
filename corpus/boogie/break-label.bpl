// Another value of any counter changes the way through the loops.

procedure main()
{
  var row, column: int;

  row := 0; //~ relevance: enforcing
  outer: while (row < 3) {
    column := 0; //~ relevance: enforcing
    while (column < 3) {
      if (row == 1 && column == 1) {
        break outer;
      }
      column := column + 1; //~ relevance: enforcing
    }
    row := row + 1; //~ relevance: enforcing
  }
  assert row != 1; //~ failure: assertion
}
