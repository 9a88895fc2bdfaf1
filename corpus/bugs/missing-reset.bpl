// The second customer pays for the first one's goods, too.

var total: int;

procedure buy(price: int)
  modifies total;
{
  total := total + price; //~ relevance: enforcing 15
}

procedure main()
  modifies total;
{
  total := 0; //~ relevance: enforcing
  call buy(10); //~ relevance: enforcing
  call buy(20); //~ relevance: enforcing
  assert total == 30;
  //~^ fault
  call buy(15); //~ relevance: enforcing -15
  assert total == 15; //~ failure: assertion
}
