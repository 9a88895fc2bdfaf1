// Whatever the first value is, the second can spoil it.

procedure main()
{
  var a, b: int;

  havoc a, b; //~ relevance: admitting
  assert a + b != 0; //~ failure: assertion
}
