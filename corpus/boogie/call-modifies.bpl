// An unknown procedure may change what it says it modifies. Whatever the stock was before, it can be
// too low afterwards.

var stock: int;

procedure deliver(pieces: int);
  modifies stock;
  ensures stock <= old(stock) + pieces;

procedure main()
  modifies stock;
{
  stock := 10;
  call deliver(5); //~ relevance: admitting
  assert stock >= 10; //~ failure: assertion
}
