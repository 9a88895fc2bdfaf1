// An assertion that held before the failure is a condition of the trace, too: with another weight it
// would have been violated first.

procedure main()
{
  var weight, height: int;

  weight := 3; //~ relevance: enforcing
  height := 0; //~ relevance: enforcing 1
  assert weight > 0;
  assert height > 0; //~ failure: assertion
}
