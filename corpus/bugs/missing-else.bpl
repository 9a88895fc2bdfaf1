// A price of exactly 100 gets neither discount.

procedure main(price: int)
  requires 0 <= price && price <= 200;
{
  var discount: int;

  discount := 0; //~ relevance: enforcing
  if (price < 100) {
    discount := 5;
  }
  if (price > 100) { //~ fault
    discount := 10;
  }
  assert discount > 0; //~ failure: assertion
}
