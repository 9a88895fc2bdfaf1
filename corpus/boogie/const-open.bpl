// Nothing is known about the constant but the axiom: it is an input.

const size: int;
axiom 2 <= size && size <= 4;

procedure main()
{
  var last: int;

  last := 3; //~ relevance: enforcing
  assert last < size; //~ failure: assertion
}
