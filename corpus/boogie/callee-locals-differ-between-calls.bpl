// Both calls return an arbitrary number. Whatever the first one returned, the second can differ; but
// what the second returns can be made equal to the first.

procedure draw() returns (card: int)
{
  var top: int;

  card := top; //~ relevance: enforcing
}

procedure main()
{
  var mine, yours: int;

  call mine := draw();
  call yours := draw(); //~ relevance: enforcing
  assert mine == yours; //~ failure: assertion
}
