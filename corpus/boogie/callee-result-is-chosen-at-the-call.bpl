// The result is never assigned, so the call may return anything: also something above any bound.

procedure guess() returns (number: int) { }

procedure main()
{
  var bound, found: int;

  bound := 5;
  call found := guess(); //~ relevance: enforcing
  assume found > bound;
  assert false; //~ failure: assertion
}
