// What the axioms say about the function decides.

function cost(items: int): int;
axiom cost(0) == 0;
axiom cost(1) == 5;

procedure main()
{
  var items, price: int;

  items := 1; //~ relevance: enforcing 0
  price := cost(items); //~ relevance: enforcing
  assert price < 5; //~ failure: assertion
}
