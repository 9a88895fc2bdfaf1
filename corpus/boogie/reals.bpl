procedure main()
{
  var rate, price: real;

  price := 10.0; //~ relevance: enforcing
  rate := 0.19; //~ relevance: enforcing
  price := price * (1.0 + rate); //~ relevance: enforcing
  assert price <= 11.0; //~ failure: assertion
}
