// The matrix is stored by rows, but one access computes the place by columns.

procedure main()
{
  var cells: [int]int;
  var rows, columns, i, j: int;

  rows := 2; //~ relevance: enforcing
  columns := 3; //~ relevance: enforcing
  i := 0; //~ relevance: enforcing
  while (i < rows) {
    j := 0; //~ relevance: enforcing
    while (j < columns) {
      cells[i * columns + j] := 10 * i + j; //~ relevance: enforcing 11
      j := j + 1; //~ relevance: enforcing
    }
    i := i + 1; //~ relevance: enforcing
  }
  assert cells[0 * columns + 2] == 2;
  i := 1; //~ relevance: enforcing
  j := 1; //~ relevance: enforcing
  assert cells[j * rows + i] == 11; //~ failure: assertion
  //~^ fault
}
