// Paper 3, sections 4.1.3 and 4.2.2: the first definition misses the limit, because the assumption
// restricts the size anyway. Both are relevant.

procedure main()
{
  var limit, size: int;

  limit := 42; //~ relevance: enforcing
  havoc size; //~ relevance: admitting -1
  assume size >= 0 && limit >= 23;
  assert false; //~ failure: assertion
}
