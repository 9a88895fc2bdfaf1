// Each part of a parallel assignment is an assignment of its own.

procedure main()
{
  var a, b: int;

  a := 1; //~ relevance: enforcing
  b := 2; //~ relevance: enforcing
  a, b := b, a; //~ relevance: enforcing, enforcing
  assert a < b; //~ failure: assertion
}
