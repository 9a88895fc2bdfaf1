// Paper 5, figure 2: the number of the next page of a book that has one page only.

procedure main(asked: int)
{
  var page, next: int;

  page := asked; //~ fault //~ relevance: enforcing 0 //~ cascade: 0
  next := page + 1; //~ relevance: enforcing 1 //~ cascade: 0
  assert next == 1; //~ failure: assertion
}
